"""Moments whose day and time stand in parts of their own."""

import json
from typing import Any

import pytest

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.induce.listing.locations import KnownCell, find_locations
from crawloop_assets.induce.listing.moments import parted_elements, parted_objects
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

STARTS = FieldSpec(name="starts", kind=FieldKind.DATETIME)
KNOWN = ["2026-04-01T08:50:00", "2026-04-02T17:05:00", "2026-05-03T11:20:00"]
TIMES = [("01.04.2026", "08:50"), ("02.04.2026", "17:05"), ("03.05.2026", "11:20")]
LATER = ("14.06.2026", "06:35")


def test_a_moment_in_two_elements_is_read_whole() -> None:
    rows = "".join(
        f"<li><i>{at}</i><div><span>{day}</span><span>{time}</span></div><div><b>{at}</b></div></li>"
        for at, (day, time) in enumerate([*TIMES, LATER])
    )
    page = document(f"<ul>{rows}</ul>")
    cells = [KnownCell(scope(page, "li", at), value) for at, value in enumerate(KNOWN)]
    found = field_readers(STARTS, cells, [scope(page, "li", 3)])
    assert len(found) >= 2
    for one in found:
        assert one.right == 1.0
        assert read(one.reader, scope(page, "li", 3), STARTS) == "2026-06-14T06:35:00"


def test_a_day_in_three_elements_is_read_where_rows_lack_one_beside_it() -> None:
    days = [("4", "March"), ("12", "April"), ("23", "July"), ("9", "May")]
    row = "<li><b>{}</b><div><i>{}</i><i>{}</i><i>{}</i></div></li>"
    other = [row.format(name, 1, "June", 2031) for name in ("Ends", "Made")]
    rows = "".join(
        f"<ul>{other[0] * (at % 2)}{row.format('Begins', day, month, 2026)}{other[1] * (at > 1)}</ul>"
        for at, (day, month) in enumerate(days)
    )
    page = document(f"<div>{rows}</div>")
    known = ["2026-03-04", "2026-04-12", "2026-07-23"]
    begins = FieldSpec(name="begins", kind=FieldKind.DATE)
    cells = [KnownCell(scope(page, "ul", at), value) for at, value in enumerate(known)]
    first, *_ = field_readers(begins, cells, [scope(page, "ul", 3)])
    assert first.right == 1.0
    assert read(first.reader, scope(page, "ul", 3), begins) == "2026-05-09"


def test_a_place_of_parts_leads_to_those_of_the_moment_alone() -> None:
    rows = "".join(
        f"<li><div><b>no</b><b>{at}</b></div><div><span>{day}</span><span>{time}</span></div></li>"
        for at, (day, time) in enumerate(TIMES)
    )
    page = document(f"<ul>{rows}</ul>")
    cells = [KnownCell(scope(page, "li", at), value) for at, value in enumerate(KNOWN)]
    places = [one for one in find_locations(STARTS, cells) if one.words]
    assert places
    for place in places:
        reader = Reader(src=place.src, at=place.at, get=place.get)
        assert read_texts(reader, scope(page, "li", 0)) == list(TIMES[0])


def test_a_moment_under_two_keys_is_read_whole() -> None:
    data = [{"at": {"date": day, "time": time}} for day, time in [*TIMES, LATER]]
    page = document(json.dumps(data), kind="application/json")
    scopes = [Scope(page, (), data=row) for row in data]
    cells = list(map(KnownCell, scopes, KNOWN))
    found = field_readers(STARTS, cells, scopes[3:])
    assert found and found[0].right == 1.0
    assert read(found[0].reader, scopes[3], STARTS) == "2026-06-14T06:35:00"


@pytest.mark.parametrize(
    ("inside", "texts"),
    [
        ("<div><b>01</b><b>Mar</b><b>2026</b></div>", ["01 Mar 2026"]),
        ("<div><b>01</b> | <b>12:30</b></div>", ["01 12:30"]),
        ("<div>on <b>01</b><b>12:30</b></div>", []),  # says more than its parts
        ("<div><b>01</b><b></b></div>", []),
        ("<div><b>01</b></div>", []),
        (f"<div>{'<b>1</b>' * 5}</div>", []),
    ],
)
def test_elements_of_a_few_parts_and_nothing_else(
    inside: str, texts: list[str]
) -> None:
    page = document(f"<ul><li><p>Tea</p>{inside}</li></ul>")
    found = parted_elements(scope(page, "li"))
    assert [text for _, text in found] == texts


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"a": {"d": "1", "t": "2"}, "b": "3"}, [("$.a.*", "1 2")]),
        ({"a": {"d": "1"}, "b": "3"}, []),
        ({"a": {"d": "1", "t": "2", "x": {"y": "3"}}}, []),  # holds another object
        ({"a": {"d": "1", "t": "2", "x": ["3", "4"]}}, [("$.a.*", "1 2 3 4")]),
        ({"a": {str(key): "1" for key in range(5)}}, []),
    ],
)
def test_objects_of_a_few_texts_and_nothing_else(
    data: Any, found: list[tuple[str, str]]
) -> None:
    assert [one for one in parted_objects(data) if one[0] != "$.*"] == found
