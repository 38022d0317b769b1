"""What is known of each record that is read of a page."""

from typing import Any

from pydantic import BaseModel

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.family import Family
from crawloop_assets.serve.known_rows import KnownRows
from crawloop_assets.store.known import KnownRow


class Plot(BaseModel):
    """A piece of land."""

    number: str
    owner: str


def family(kind: str) -> Family:
    schema = f"{Plot.__module__}:{Plot.__name__}"
    return Family.model_validate(
        {"family": "plot", "schema": schema, "kind": kind, "discover": {}}
        | {"key": ["number"]}
    )


def read(*numbers: str) -> Extraction:
    records = (ExtractedRecord(values={"number": one}) for one in numbers)
    return Extraction(records=tuple(records))


A, B = ({"number": one, "owner": f"Owner of {one}"} for one in ("A-1", "B-1"))
KNOWN: dict[str, list[dict[str, Any]]] = {"/1": [A], "/2": [B]}


def test_a_row_of_a_list_is_known_on_whichever_page_it_was() -> None:
    rows = KnownRows(family("listing"), KNOWN)
    assert rows.of(KNOWN["/1"], read("B-1", "C-1", "A-1")) == [B, None, A]


def test_the_record_of_a_page_is_the_one_known_of_it_whatever_its_key() -> None:
    rows = KnownRows(family("detail"), KNOWN)
    assert rows.of(KNOWN["/1"], read("B-1")) == [A]
    assert rows.of([], read("A-1")) == [None]
    assert rows.of([A, B], read("A-1")) == [None]


def test_what_a_model_alone_said_of_a_row_is_not_known() -> None:
    by_model = {"/1": [KnownRow(A, frozenset(("owner",)))]}
    rows = KnownRows(family("listing"), by_model)
    assert rows.of([], read("A-1")) == [{"number": "A-1"}]
