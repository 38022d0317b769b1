"""Counts that have moved on all pages since they were known."""

import pytest

from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.moved_on import (
    are_near_somewhere,
    as_of_now,
    beside_name,
    is_count,
    is_elsewhere,
    is_moment,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.healing.fields import document

READS = FieldSpec(name="reads", kind=FieldKind.INTEGER, volatile=True)


def now(body: str, known: int = 300) -> object:
    return as_of_now(READS, Scope(document(body)), known)


@pytest.mark.parametrize(
    "body",
    [
        "<p>Reads: <i>313</i></p>",
        "<dl><dt>Shares</dt><dd>9</dd><dt>Reads</dt><dd>313</dd></dl>",
        "<p><b>313</b> reads</p>",
        "<p>Ada Brandt · 8 March 2025 · 313 reads</p>",
        "<p>12 letters, 313 reads</p>",
    ],
)
def test_it_is_the_number_beside_the_name_near_what_was_known(body: str) -> None:
    assert now(body) == 313


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("<p><i>313</i></p>", "nothing is called so"),
        ("<p>Reads: <i>9013</i></p>", "far from what was known"),
        ("<p><b>310</b></p><p>Reads:</p>", "a colon says that it follows"),
        ("<p>313 reads</p><p>320 reads</p>", "there are two"),
        (
            "<dl><dt>Shares</dt><dd>290</dd><dt>Reads</dt><dd>313</dd></dl>",
            "there are two",
        ),
        ("<p>Reads: 8 March 2025</p>", "no number at all"),
        ("<p>Reads: <i>9</i></p>", "far from what was known"),
    ],
)
def test_it_is_none_where(body: str, why: str) -> None:
    assert now(body) is None, why


@pytest.mark.parametrize(
    ("spec", "known"),
    [
        (FieldSpec(name="reads", shape=Shape.LIST), ["313 reads"]),
        (
            FieldSpec(name="reads", kind=FieldKind.INTEGER, shape=Shape.LIST),
            [313],
        ),
        (FieldSpec(name="reads", kind=FieldKind.INTEGER), 313),
    ],
)
def test_what_is_no_count_has_not_moved_on(spec: FieldSpec, known: Value) -> None:
    assert as_of_now(spec, Scope(document("<p>313 reads</p>")), known) is None


def test_the_known_one_that_stands_there_is_it_whatever_else_does() -> None:
    assert now("<p>Reads: 300</p><p>313 reads</p>") == 300


def test_a_small_count_may_change_by_a_few() -> None:
    assert now("<p>Reads: 5</p>", 0) == 5
    assert now("<p>Reads: 6</p>", 0) is None
    assert now("<p>Reads: 600</p>", 300) == 600
    assert now("<p>Reads: 601</p>", 300) is None


def test_a_count_is_a_whole_number_that_may_change_every_day() -> None:
    assert is_count(READS)
    assert not is_count(READS.model_copy(update={"volatile": False}))
    assert not is_count(READS.model_copy(update={"kind": FieldKind.NUMBER}))


def test_a_page_of_json_is_looked_through() -> None:
    body = b'{"rows": [{"id": 310}, {"stats": {"reads": 313}}]}'
    kind = {"content-type": "application/json"}
    page = Page(url="http://news.test/1.json", body=body, headers=kind)
    assert list(beside_name(READS, Scope(Document(page)))) == [313]


def test_only_the_texts_of_the_record_are_looked_at() -> None:
    page = document("<div>Reads: 310</div><div>Reads: 290</div>")
    first, second = page.by_tag["div"]
    rows = [Scope(page, (first,)), Scope(page, (second,))]
    assert [list(beside_name(READS, row)) for row in rows] == [[310], [290]]


def test_a_key_of_json_is_a_name() -> None:
    def said(data: object) -> list[int]:
        page = Document(Page(url="https://api.example/1", body=b"{}"))
        return list(beside_name(READS, Scope(page, (0,), data)))

    assert said({"id": 7, "reads": 313}) == [313]
    assert said({"stats": {"reads": 313, "shares": 9}}) == [313]
    assert said({"reads": {"today": 9, "of": [{"total": 313}]}}) == [9, 313]
    assert said({"reads": True}) == said({"reads": "many"}) == said([313]) == []
    assert said({"shares": 4}) == []
    assert said({"previous": {"reads": 298}, "reads": 313}) == [313]


def test_a_header_of_a_table_is_a_name() -> None:
    table = (
        "<table><tr><th>Page</th><th>Reads</th></tr>"
        "<tr><td>12</td><td>313</td></tr><tr><td>13</td><td>77</td></tr></table>"
    )
    page = document(table)
    row = page.by_tag["tr"][1]
    assert list(beside_name(READS, Scope(page, (row,)))) == [313]
    assert {313, 77} <= set(beside_name(READS, Scope(page)))
    assert list(beside_name(READS, Scope(page, (0,), {"id": 1}))) != [313, 77]


@pytest.mark.parametrize(
    ("counts", "texts", "is_near"),
    [
        ([300, 700, 1200], "{} of 9 people looked", True),
        ([300, 310, 320], "{} of 9 people looked", False),
        ([300, 700, 1200], "9 people looked", False),
        ([300, 700], "{} of 9 people looked", False),
    ],
)
def test_counts_far_apart_are_near_on_every_page_by_no_chance(
    counts: list[int], texts: str, is_near: bool
) -> None:
    """Not where they are alike, where a page says none, or on few pages."""
    counts = counts if len(counts) < 3 else counts * 2
    pages = [
        (document(f"<p>{texts.format(count + 7)}.</p>"), count) for count in counts
    ]
    assert are_near_somewhere(READS, pages) is is_near
    prices = READS.model_copy(update={"volatile": False})
    assert not are_near_somewhere(prices, pages)


@pytest.mark.parametrize(
    ("now", "is_so"),
    [((40, 90, 160), True), ((40, 720, 160), False), ((None, 90, 160), False)],
)
def test_a_count_is_elsewhere_that_is_read_far_off_and_stands_on_every_page(
    now: tuple[int | None, ...], is_so: bool
) -> None:
    known = [300, 700, 1200] * 2
    pages = [(document(f"<p>{one + 7} reads, 9 shares</p>"), one) for one in known]
    assert is_elsewhere(READS, pages, now * 2) is is_so
    silent = [(document("<p>9 shares</p>"), one) for one in known]
    assert not is_elsewhere(READS, silent, now * 2)


@pytest.mark.parametrize(
    ("change", "is_one"),
    [
        ({"kind": FieldKind.DATETIME}, True),
        ({"kind": FieldKind.DATE}, True),
        ({"kind": FieldKind.DATE, "volatile": False}, False),
        ({}, False),
    ],
)
def test_a_day_or_a_time_that_may_change_every_day_is_a_moment(
    change: dict[str, object], is_one: bool
) -> None:
    assert is_moment(READS.model_copy(update=change)) is is_one
