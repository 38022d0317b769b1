"""Visits, readings and judgements as a test wants them, without any crawler."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from crawloop_assets.access.fetcher import Fetched
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.drift.batch import BatchJudgement
from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.family import Family
from crawloop_assets.page import Page, Verdict
from crawloop_assets.schema import FieldKind, FieldSpec, schema_of
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FrontierUrl
from tests.models import Item, Numbered

FAMILY = Family.model_validate(
    {"family": "shop/item", "schema": "tests.models:Item", "discover": {}}
)
SITE = "http://shop.example"
THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)


def page_of(number: int, body: str = "<h1>Tea</h1><b>1.50</b>") -> Page:
    """A stored or fetched page."""
    return Page(
        url=f"{SITE}/{number}",
        body=f"<!DOCTYPE html><html><body>{body}</body></html>".encode(),
        headers={"content-type": "text/html", "etag": f'"{number}"'},
        fetched_at=THEN,
    )


def program(**selectors: str) -> Program:
    """A program that reads an Item by one css selector per field."""
    kinds = {"title": FieldKind.TEXT, "price": FieldKind.NUMBER}
    fields = []
    for name, at in (selectors or {"title": "h1", "price": "b"}).items():
        spec = FieldSpec(name=name, kind=kinds[name], required=True)
        fields.append(FieldProgram(spec=spec, readers=(Reader(src=Source.CSS, at=at),)))
    return Program(fields=tuple(fields))


def keyed_program(**selectors: str) -> Program:
    """A program that reads a Numbered, whose sku stands in `<i>`."""
    places = {"sku": "i", "title": "h1", "price": "b"} | selectors
    fields = []
    for spec in schema_of(Numbered).fields:
        reader = Reader(src=Source.CSS, at=places[spec.name])
        fields.append(FieldProgram(spec=spec, readers=(reader,)))
    return Program(fields=tuple(fields))


def visit_of(number: int, *, fetched: bool = False, **known: Any) -> Visit:
    """A visit of a page that arrived, now or from the store; `known` is what the
    frontier says of its url."""
    page = page_of(number)
    answer = None
    if fetched:
        answer = Fetched(
            url=page.url, verdict=Verdict.OK, reason="", page=page, status=200
        )
    url = FrontierUrl(page.url, "000001", **known)
    return Visit(url, page, Verdict.OK, fetched=answer)


def lost_visit(number: int, verdict: Verdict, **known: Any) -> Visit:
    """A visit that brought no page."""
    url = FrontierUrl(f"{SITE}/{number}", "000001", **known)
    fetched = Fetched(url=url.url, verdict=verdict, reason=verdict.value, status=404)
    return Visit(url, None, verdict, verdict.value, fetched)


def reading_of(visit: Visit, **changes: Any) -> Reading:
    """A good reading of a page, but for the `changes`."""
    values = {"url": visit.url.url, "title": "Tea", "price": "1.50"}
    usual: dict[str, Any] = {
        "verdict": Verdict.OK,
        "version": 3,
        "records": (Item(url=visit.url.url, title="Tea", price="1.50"),),  # type: ignore[arg-type]
        "values": (values,),
    }
    return Reading(visit, **(usual | changes))


def finding(message: str = "too long", severity: Severity = Severity.ERROR) -> Finding:
    """What a page check says."""
    return Finding(check=CheckName.HISTORY, severity=severity, message=message)


def judgement_of(
    held: Mapping[str, Finding] | None = None, hold_all: str | None = None
) -> BatchJudgement:
    """A judgement that holds some pages by url, or all of them."""
    return BatchJudgement(
        checks=(),
        held={url: (reason,) for url, reason in (held or {}).items()},
        hold_all=hold_all,
        stats=BatchStats(version=3, pages=1),
    )
