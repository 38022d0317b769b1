"""A family of a few fields, and pages of it made by hand."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.family import Discover, DriftPolicy, Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

SKU = FieldSpec(name="sku", required=True)
TITLE = FieldSpec(name="title")
STATE = FieldSpec(name="state", volatile=True)
PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
LIST_PRICE = FieldSpec(name="list_price", kind=FieldKind.NUMBER, volatile=True)
WEIGHT = FieldSpec(name="weight", kind=FieldKind.NUMBER)
STOCK = FieldSpec(name="stock", kind=FieldKind.INTEGER, volatile=True)
IMAGE = FieldSpec(name="image", kind=FieldKind.URL)
LINK = FieldSpec(name="link", kind=FieldKind.URL)
TAGS = FieldSpec(name="tags", shape=Shape.LIST)

Record = Mapping[str, Any]


def schema(*specs: FieldSpec) -> RecordSchema:
    """A schema of these fields."""
    return RecordSchema(name="Thing", fields=specs)


def family(kind: str = "detail", key: Sequence[str] = ("sku",), **drift: Any) -> Family:
    """A family with a drift policy."""
    made = Family.model_validate(
        {
            "family": "shop/thing",
            "schema": "tests.models:Item",
            "key": list(key),
            "kind": kind,
            "discover": Discover(),
        }
    )
    return made.model_copy(update={"drift": DriftPolicy(**drift)})


def outcome(
    *records: Record,
    url: str = "https://shop.example/p/1",
    previous: Iterable[Record] = (),
    votes: Mapping[str, FieldVote] | None = None,
    next_url: str | None = None,
    version: int | None = 1,
    **changes: Any,
) -> PageOutcome:
    """A page from which these records were read."""
    read = tuple(
        ExtractedRecord(values=dict(record), votes=dict(votes or {}), row=row)
        for row, record in enumerate(records)
    )
    made = PageOutcome(
        url=url,
        version=version,
        extraction=Extraction(records=read, next_url=next_url),
        values=tuple(dict(record) for record in records),
        previous=tuple(dict(record) for record in previous),
    )
    return made.model_copy(update=changes)


def facts(**given: Any) -> PageFacts:
    """Facts of a page; what is not given is as if it had not been looked for."""
    return PageFacts(**given)


def past(batches: int = 1, **given: Any) -> list[BatchStats]:
    """A history of equal batches."""
    return [BatchStats(**given)] * batches


def counted(tallies: Tallies) -> dict[tuple[Sign, str], tuple[int, int]]:
    """(sign, subject) -> (how often it was shown, of how many units)."""
    return {(tally.sign, tally.subject): (tally.bad, tally.seen) for tally in tallies}
