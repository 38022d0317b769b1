"""Pages that a family lists by mistake stop no candidate, and nothing else gets by."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.induce.proof.strays import strays_among
from crawloop_assets.page import Page
from tests.induce.pages import SCHEMA, after, before, example, lost, page

PAGES = [before(at) for at in range(4)]
KNOWN = [example(at, at) for at in range(3)]


def start(headline: str = "") -> Page:
    """A start page; with a headline where products have theirs, part of a record is read there."""
    links = "".join(f"<p><a href='/p/{at}'>Lamp {at}</a></p>" for at in range(4))
    head = f"<h1 class='product-title'>{headline}</h1>" if headline else ""
    return page(8, f"<html><body><div>{head}{links}</div></body></html>")


def program() -> Program:
    made = compile_program(
        SCHEMA, PAGES[:2], [example(0, 0), example(1, 1)], FamilyKind.DETAIL
    ).program
    assert made is not None
    return made


def proved(
    pages: Sequence[Page],
    known: Sequence[Example] = KNOWN,
    strangers: Sequence[Page] = (),
    shown: int = 0,
) -> ScoreSheet:
    urls = [one.url for one in strangers]
    return prove(SCHEMA, program(), pages, known, None, shown=shown, strangers=urls)


@pytest.mark.parametrize("stray", [start(), start("All our lamps")])
def test_a_page_that_never_was_a_record_stops_no_candidate(stray: Page) -> None:
    sheet = proved([*PAGES, stray], strangers=[stray])
    assert sheet.passed, sheet.reason
    said = f"proved on 4 page(s); no record of the family: {stray.url}"
    assert sheet.reason == said
    assert (sheet.pages, sheet.probation) == (4, False)


def test_a_page_of_which_something_was_published_has_to_be_read() -> None:
    sheet = proved([*PAGES, lost()], strangers=[start()])
    assert not sheet.passed
    assert f"required price missing on {lost().url}" in sheet.reason


def test_a_page_with_a_known_record_has_to_be_read_though_it_is_called_a_stranger() -> (
    None
):
    known = [*KNOWN, example(4, 3)]
    sheet = proved([*PAGES, start()], known, strangers=[start()])
    assert not sheet.passed
    assert f"no record on {start().url}" in sheet.reason


def test_a_stranger_that_is_laid_out_like_a_record_has_to_be_read() -> None:
    """Its price stands as if it were none."""
    body = PAGES[3].body.replace("€24.50".encode(), b"on request")
    like = Page(url="https://shop.example/p/7", body=body, headers=PAGES[3].headers)
    sheet = proved([*PAGES[:3], like], strangers=[like])
    assert not sheet.passed
    assert f"required price missing on {like.url}" in sheet.reason


def test_what_proves_nothing_makes_no_full_proof() -> None:
    """Neither as one of three pages, nor as the one that the maker has not seen."""
    few = proved([*PAGES[:2], start()], KNOWN[:2], strangers=[start()])
    assert few.passed and few.probation and few.pages == 2
    seen = proved([*PAGES[:3], start()], strangers=[start()], shown=3)
    assert seen.passed and seen.probation
    assert not proved([*PAGES[:3], start()], strangers=[start()], shown=2).probation


def test_where_nothing_is_known_every_page_has_to_be_read() -> None:
    sheet = proved([*PAGES, start()], [], strangers=[*PAGES, start()])
    assert not sheet.passed
    assert f"no record on {start().url}" in sheet.reason


def strangers(count: int) -> list[Page]:
    headers, body = start().headers, start().body
    return [
        Page(url=f"https://shop.example/{at}", body=body, headers=headers)
        for at in range(count)
    ]


@pytest.mark.parametrize(("count", "is_told"), [(2, True), (3, False), (4, False)])
def test_they_are_fewer_than_the_pages_that_are_read(count: int, is_told: bool) -> None:
    others = strangers(count)
    sheet = proved([*PAGES[:3], *others], strangers=others)
    assert sheet.passed == is_told
    assert (f"no record on {others[0].url}" in sheet.reason) != is_told


def test_a_stranger_that_is_read_tells_what_records_look_like() -> None:
    """Known pages are of one layout, strangers of another, and one of these is read."""
    pages = [*PAGES[:3], after(3), after(2)]
    found = strays_among(
        list(map(Document, pages)), {0, 1, 2}, {0, 1, 2, 3}, {after(2).url}
    )
    assert found == frozenset()
    found = strays_among(
        list(map(Document, [*pages[:3], pages[4]])),
        {0, 1, 2},
        {0, 1, 2},
        {after(2).url},
    )
    assert found == {3}


def test_a_page_of_which_no_layout_is_known_has_to_be_read() -> None:
    blank = Page(url="https://shop.example/blank", body=b"{}", headers={})
    documents = list(map(Document, [*PAGES, blank]))
    assert not strays_among(documents, {0, 1, 2}, {0, 1, 2, 3}, {blank.url})
