"""The parts of a page or row in which a sign may stand."""

from itertools import product

from crawloop_assets.crawler.program import Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.induce.locate.sign_boxes import boxes
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

POOL = FieldSpec(name="pool", kind=FieldKind.BOOLEAN)
PAGE = (
    '<main><dl class="facts"><dt>Pool</dt><dd><i class="yes"></i></dd><dt>Sauna</dt><dd></dd></dl>'
    '<ul><li class="off">Wi-Fi</li></ul><p class="x">one</p><p class="x">two</p></main>'
)


def test_named_parts_labels_and_what_follows_them_are_boxes() -> None:
    page = Scope(document(PAGE))
    found = {one.at: read_texts(one, page) for one in boxes(page, POOL)}
    assert found['//li[normalize-space(.)="Wi-Fi"]'] == [' <li> \n off "wi-fi ']
    assert found['//dt[normalize-space(.)="Pool"]/following-sibling::*[1]'] == [
        " <dd> \n yes "
    ]
    assert found['//dt[normalize-space(.)="Sauna"]/following-sibling::*[1]'] == [
        " <dd> "
    ]
    assert ".facts" in found and ".x" not in found, "two elements are called so"
    assert "main" in found


def test_a_tag_with_a_colon_is_a_box_like_any_other() -> None:
    page = Scope(document("<main><itunes:explicit>Yes</itunes:explicit></main>"))
    found = {one.at: read_texts(one, page) for one in boxes(page, POOL)}
    at = '//*[name()="itunes:explicit"][normalize-space(.)="Yes"]'
    assert found[at] == [' <itunes:explicit> \n "yes ']


def test_a_row_is_a_box_of_its_own() -> None:
    row = scope(document(f"<ul><li class='row'>{PAGE}</li></ul>"), "li")
    found = [one for one in boxes(row, POOL) if one.src is Source.CSS]
    assert [one.at for one in found] == ["."]
    assert all(one.at.startswith(".//") for one in boxes(row, POOL) if one not in found)


def test_json_a_run_of_elements_and_no_markup_have_none() -> None:
    page = document(PAGE)
    assert boxes(Scope(page, (1, 2)), POOL) == []
    assert boxes(Scope(document("{}", kind="application/json"), data={}), POOL) == []
    assert boxes(Scope(document("{}", kind="application/json")), POOL) == []


def test_of_many_labels_some_are_looked_at_and_the_named_one_first() -> None:
    """Each is looked for on each known page: a menu of a thousand took 12 s more."""
    words = map("".join, product("bcdfghjklmnpqrstvwxz", "aeiou", ("rn", "lt", "st")))
    menu = "".join(map("<li>{}</li>".format, words))
    found = boxes(Scope(document(f"<ul>{menu}</ul>{PAGE}")), POOL)
    labels = [one.at for one in found if one.src is Source.XPATH]
    assert '//dt[normalize-space(.)="Pool"]' in labels[:6]
    assert len(labels) == 200
