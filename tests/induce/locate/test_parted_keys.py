"""Values that JSON writes under two keys of an object."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.trials import KnownValue, induce
from crawloop_assets.induce.listing.leaves import every_leaf
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.induce.locate.parted_keys import (
    BOTH_KEYS,
    leaves_by_path,
    parted_keys,
)
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value

CHECKED = FieldSpec(name="checked", kind=FieldKind.DATETIME)
HOST = FieldSpec(name="host")
KNOWN = ("2026-02-05T14:00:00", "2026-02-09T09:15:00", "2026-03-01T21:40:00")
HOSTS = ("Mira Vance", "Odo Kestrel", "Ana Lucía Ferro")


def page(data: Any) -> Document:
    headers = {"content-type": "application/json"}
    body = json.dumps(data, ensure_ascii=False).encode()
    return Document(Page(url="https://x.example/1", body=body, headers=headers))


def found(data: Any, value: Value, spec: FieldSpec) -> list[str]:
    return [one.path for one in parted_keys(page(data).leaves, value, spec)]


def of_moment(at: str) -> dict[str, object]:
    return {"seen": [{"on": at[:10], "at": at[11:16], "by": "A. Finch", "no": 14}]}


def of_name(name: str) -> dict[str, object]:
    first, _, last = name.rpartition(" ")
    return {"host": {"id": 7, "first": first, "last": last}, "since": "2001"}


@pytest.mark.parametrize(
    ("data", "value", "spec", "paths"),
    [
        (of_moment(KNOWN[0]), KNOWN[0], CHECKED, ['body.seen[0]["on","at"]']),
        (of_name(HOSTS[2]), HOSTS[2], HOST, ['body.host["first","last"]']),
        ({"d": "05.02.2026", "t": "14:00"}, KNOWN[0], CHECKED, ['body["d","t"]']),
        ({"d": "05.02.2026 10:00", "t": "14:00"}, KNOWN[0], CHECKED, []),
        ({"d": "05.02.2026", "t": "open"}, KNOWN[0], CHECKED, []),
        ({"d": {"on": "05.02.2026"}, "t": "14:00"}, KNOWN[0], CHECKED, []),
        ({"a": "Mira", "b": "Vance of"}, HOSTS[0], HOST, []),
        ({"a": "J", "b": "Ode"}, "J Ode", HOST, []),  # one letter begins anything
        ({"a": "Mira", "b": "Vance"}, ["Mira Vance"], HOST, []),
    ],
)
def test_two_texts_of_one_object_are_what_is_known(
    data: Any, value: Value, spec: FieldSpec, paths: list[str]
) -> None:
    if isinstance(value, list):
        spec = spec.model_copy(update={"shape": Shape.LIST})
    assert found(data, value, spec) == paths


def test_numbers_are_in_no_two_parts() -> None:
    spec = FieldSpec(name="price", kind=FieldKind.NUMBER)
    assert found({"whole": "1412", "cents": "50"}, "141250", spec) == []


@pytest.mark.parametrize(
    ("data", "spec"),
    [({"on": "2026-02-05"}, CHECKED), ({"first": "Mira"}, HOST), ({"x": 1}, HOST)],
)
def test_nothing_is_read_where_one_part_is_missing(data: Any, spec: FieldSpec) -> None:
    keys = '["on","at"]' if spec is CHECKED else '["first","last"]'
    reader = Reader(src=Source.JSON, at=f"body{keys}", get="value", pipe=BOTH_KEYS)
    assert read(reader, Scope(page(data)), spec) is None


@pytest.mark.parametrize(
    ("spec", "values", "made"), [(CHECKED, KNOWN, of_moment), (HOST, HOSTS, of_name)]
)
def test_a_page_and_a_row_are_read_by_both_keys(
    spec: FieldSpec, values: Sequence[str], made: Any
) -> None:
    documents = [page(made(value)) for value in values]
    known = [
        KnownValue(Index(one), of) for one, of in zip(documents, values, strict=True)
    ]
    best = induce(known[:2], spec)[0].candidate.reader
    assert read(best, Scope(documents[2]), spec) == values[2]
    rows = [made(value) for value in values]
    whole = page(rows)
    scopes = [Scope(whole, (), data=row) for row in rows]
    cells = list(map(KnownCell, scopes[:2], values[:2]))
    readers = field_readers(spec, cells, scopes[2:])
    assert readers[0].right == 1.0
    assert read(readers[0].reader, scopes[2], spec) == values[2]


def test_leaves_are_gathered_by_their_paths() -> None:
    leaves = leaves_by_path(every_leaf({"a": ["x", "y"], "b": "z"}))
    assert leaves == {"$.a[*]": ["x", "y"], "$.b": ["z"]}
