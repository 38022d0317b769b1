import pytest

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.link_lists import link_list_candidates
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import document

GENRES = FieldSpec(name="genres", shape=Shape.LIST)
ITEMS = "<a href='/1'>Crime</a>{}<a href='/2'>Drama</a>"
LINES = [
    "<div><h4>Genres:</h4> {}</div>",
    "<dl><dt>Genres</dt><dd>{}</dd></dl>",
    "<table><tr><td>Genres</td><td><p>{}</p></td></tr></table>",
]


def said(learned: str, body: str, spec: FieldSpec = GENRES) -> list[Value]:
    """What the readers of one page say of another."""
    found = link_list_candidates(spec, [document(learned)])
    read_by = (read(one.reader, Scope(document(body)), spec) for one in found)
    return [value for value in read_by if value is not None]


@pytest.mark.parametrize("between", [", ", " | ", "<i>·</i>"])
@pytest.mark.parametrize("line", LINES)
def test_links_in_a_line_behind_a_label_are_items(line: str, between: str) -> None:
    body = line.format(ITEMS.format(between))
    assert said(body, body) == [["Crime", "Drama"]]


@pytest.mark.parametrize("line", LINES)
def test_one_link_is_read_so_that_several_are(line: str) -> None:
    one = line.format("<a href='/1'>Crime</a>")
    assert said(one, line.format(ITEMS.format(", "))) == [["Crime", "Drama"]]


@pytest.mark.parametrize(
    "body",
    [
        f"<div><h4>Genres:</h4> {ITEMS.format(' (story), ')}</div>",  # says more
        "<div><h4>Genres:</h4> Crime, Drama</div>",  # no links
        f"<div><h4>Genres:</h4> <a href='/1'>{'Long words ' * 8}</a></div>",
        "<ul><li><a href='/g'>Genres</a></li><li><a href='/h'>Horror</a></li></ul>",
        f"<div><h4>Others:</h4> {ITEMS.format(', ')}</div>",
    ],
)
def test_more_than_links_is_no_list(body: str) -> None:
    assert said(body, body) == []


def test_only_lists_of_texts_are_read_like_this() -> None:
    body = LINES[0].format(ITEMS.format(", "))
    assert said(body, body, FieldSpec(name="genres")) == []


def test_every_page_has_to_bear_it_out() -> None:
    good, bad = (LINES[1].format(ITEMS.format(sign)) for sign in (", ", " - "))
    assert link_list_candidates(GENRES, [document(good), document(good)])
    assert link_list_candidates(GENRES, [document(good), document(bad)]) == []
