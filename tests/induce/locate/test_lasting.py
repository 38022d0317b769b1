"""Class names that an earlier capture of the page lacks."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.lasting import mark_passing
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.page import Page
from tests.induce.pages import page

ROWS = "<ul class='wares {0}'><li class='{1}'>Lamp</li><li class='{1}'>Vase</li></ul>"


def shown(markup: str, at: int = 0) -> Page:
    return page(at, f"<html><body>{markup}</body></html>")


def passing(now: Page, *captures: Page) -> set[str]:
    document = Document(now)
    mark_passing([document], captures)
    return set(document.passing)


def test_what_an_earlier_capture_lacks_does_not_last() -> None:
    now = shown(ROWS.format("kelimo", "nupare"))
    before = shown(ROWS.format("kelimo", "sitovu"))
    assert passing(now, before) == {"nupare"}
    first = shown(ROWS.format("wazedo", "figahu"))
    assert passing(now, before, first) == {"kelimo", "nupare"}
    assert passing(now, now) == set()


@pytest.mark.parametrize(
    "capture",
    [
        shown("<table><tr><td>Lamp</td></tr></table><p>Vase</p>"),
        shown(ROWS.format("kelimo", "sitovu"), at=1),
        shown(""),
    ],
)
def test_another_structure_and_another_page_say_nothing(capture: Page) -> None:
    assert passing(shown(ROWS.format("kelimo", "nupare")), capture) == set()


def test_a_name_that_passes_on_one_page_is_weak_on_all() -> None:
    now, other = (Document(shown(ROWS.format("", "nupare"), at)) for at in range(2))
    mark_passing([now, other], [shown(ROWS.format("", "sitovu"))])
    for document in (now, other):
        (item, *_) = document.by_tag["li"]
        tag, name = predicates(document, item)
        assert (tag.css, name.css, name.words) == ("li", ".nupare", ())
        (holder,) = document.by_tag["ul"]
        assert predicates(document, holder)[0].css == ".wares"


def test_a_page_nested_deeply_is_measured_too() -> None:
    deep = "<div class=a>" * 20_000
    assert passing(shown(deep), shown(deep.replace("=a", "=b"))) == {"a"}
