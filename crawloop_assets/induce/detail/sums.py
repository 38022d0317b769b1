"""A duration that no page says, as the sum of two that all of them say: what takes 30
minutes to prepare and 13 to cook takes 43."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from operator import attrgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.trials import Tried
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

_MOST_READERS = 4  # of each part
_SUM = Step(op=Op.SUM, args=("minutes",))

_Pair = tuple[FieldSpec, FieldSpec]


def parts_of(
    spec: FieldSpec, schema: RecordSchema, rows: Sequence[Mapping[str, Value]]
) -> Iterator[_Pair]:
    """The pairs of durations of a schema that are known to add up to one, in all rows
    that have the three and in one at least."""
    if spec.kind is not FieldKind.MINUTES:
        return
    others = [
        one for one in schema.fields if one.kind is spec.kind and one.name != spec.name
    ]
    for first, second in combinations(others, 2):
        names = (spec.name, first.name, second.name)
        said = [tuple(map(row.get, names)) for row in rows]
        known = [tuple(map(int, map(str, row))) for row in said if None not in row]
        if known and all(whole == one + other for whole, one, other in known):
            yield first, second


def sum_candidates(
    document: Document, first: Sequence[Tried], second: Sequence[Tried]
) -> Iterator[CandidateReader]:
    """Readers of both parts at once, from those of each: by their selectors, or by their
    labels, of which a page may have one alone."""
    some = (
        map(attrgetter("candidate"), one[:_MOST_READERS]) for one in (first, second)
    )
    for one, other in product(*some):
        reader = _of_both(document, one.reader, other.reader)
        if reader is not None:
            prior = tuned("sums.trust") * min(one.prior, other.prior)
            yield CandidateReader(reader, prior, min(one.named, other.named))


def _of_both(document: Document, one: Reader, other: Reader) -> Reader | None:
    """The reader of what two readers read, added up; None for those that no single one
    can read."""
    if one.src is not other.src or one.pipe != other.pipe:
        return None
    pipe = (*one.pipe, _SUM)
    if one.src is Source.LABEL:
        labels = [_beside(document, each.at) for each in (one, other)]
        at = " | ".join(filter(None, labels))
        return (
            Reader(src=Source.XPATH, at=at, pipe=pipe, kin=Kin.LABEL)
            if all(labels)
            else None
        )
    if one.src is Source.CSS and one.get == other.get:
        return one.model_copy(update={"at": f"{one.at}, {other.at}", "pipe": pipe})
    return None


def _beside(document: Document, label: str) -> str:
    """The element around a label, given by its letters, as the page writes it; "" for one
    that cannot be written in a selector."""
    pieces = document.labels.get(label, [])[:1]
    texts = [" ".join(document.pieces[piece].text.split()) for piece in pieces]
    written = [text for text in texts if '"' not in text]
    return f'//*[normalize-space(text())="{written[0]}"]/..' if written else ""
