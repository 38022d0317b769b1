import pytest

from crawloop_assets.crawler.program import Kin
from crawloop_assets.document.document import Document
from crawloop_assets.document.select import css
from crawloop_assets.induce.locate.context import FieldContext, field_context
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.selectors import (
    Selector,
    own_predicates,
    selectors,
    surroundings,
)
from crawloop_assets.schema import FieldSpec
from tests.induce.pages import page

BODY = """<main id='product'><section class='buy-box'><p class='note'>New</p>
<div class='price-row'><span class='amount'>12</span><span class='amount'>15</span>
<em>now</em></div></section></main>"""


def known(body: str = BODY, name: str = "price") -> tuple[Document, FieldContext]:
    document = Document(page(0, f"<html><body>{body}</body></html>"))
    return document, field_context(Index(document), "12", FieldSpec(name=name))


def found(tag: str, body: str = BODY, index: int = 0) -> dict[str, Selector]:
    document, context = known(body)
    number = document.by_tag[tag][index]
    kept = selectors(document, number, context)
    return {each.css: each for each in reversed(kept)}


def test_every_selector_leads_to_the_element_first_of_all() -> None:
    document, context = known()
    for number in range(len(document.elements)):
        kept = selectors(document, number, context)
        assert len(kept) <= 7
        for selector in kept:
            matches = css(document, selector.css)
            assert matches[0] == number
            assert selector.alone == (len(matches) == 1)


def test_the_second_of_two_like_elements_is_only_led_to_by_its_position() -> None:
    second = found("span", index=1)
    assert second
    assert {selector.kin for selector in second.values()} == {Kin.PATH}
    assert all("span:nth-of-type(2)" in selector for selector in second)


def test_selectors_come_best_first_and_equals_by_their_text() -> None:
    document, context = known()
    kept = selectors(document, document.by_tag["em"][0], context)
    assert len(kept) == 7
    assert kept[0].css == ".price-row em"
    own, among = [each for each in kept if each.css in ("em", ".buy-box em")]
    assert (own.css, among.css) == (".buy-box em", "em")


def test_being_the_only_match_is_worth_more() -> None:
    one = "<p class='price'>12</p>"
    alone = found("p", one)[".price"]
    among = found("p", one + one)[".price"]
    assert alone.alone and not among.alone
    assert alone.prior == pytest.approx(0.65 + 0.2 + 0.08)
    assert among.prior == pytest.approx(0.65 + 0.2 - 0.12)
    assert (alone.named, alone.kin) == (1.0, Kin.CLASS)


def test_what_an_element_is_in_lends_strength_kin_and_words() -> None:
    selector = found("em")[".price-row em"]
    outer, own = 0.65 + 0.2 - 0.03, 0.25
    assert selector.prior == pytest.approx(
        0.55 * outer + 0.45 * own - 0.05 - 0.03 + 0.08
    )
    assert selector.kin is Kin.CLASS
    assert selector.named == pytest.approx(0.85)


def test_a_heading_may_be_led_to_by_its_tag_alone() -> None:
    heading = found("h1", "<div><h1>Lamp</h1></div>")["h1"]
    assert heading.kin is Kin.TAG
    assert heading.prior == pytest.approx(0.62 + 0.08)


def test_own_predicates_leave_out_what_only_this_page_has() -> None:
    document, context = known("<p class='n12 price lamp-12' id='is-12-a'>12</p>")
    number = document.by_tag["p"][0]
    assert [each.css for each in own_predicates(document, number, context)] == [
        ".price",
        "p",
    ]


def test_surroundings_are_the_telling_predicates_of_ancestors() -> None:
    document, context = known()
    around = surroundings(document, document.by_tag["em"][0], context)
    assert [(round(strength, 4), distance, predicate.css) for strength, distance, predicate in around] == [
        (0.82, 1, ".price-row"),
        (0.71, 3, "#product"),
        (0.59, 2, ".buy-box"),
        (0.41, 3, "main"),
    ]  # fmt: skip


def test_surroundings_end_at_the_body_and_nine_levels_up() -> None:
    deep = "<div class='lv-{}'>".format
    body = "".join(map(deep, "abcdefghijk")) + "<p>x</p>"
    document, context = known(body)
    around = surroundings(document, document.by_tag["p"][0], context)
    assert len(around) == 8
    assert [each[1] for each in around] == list(range(1, 9))
    shallow = known("<p>x</p>")
    assert surroundings(shallow[0], shallow[0].by_tag["p"][0], shallow[1]) == []


def test_paths_lead_through_no_tag_that_a_selector_cannot_hold() -> None:
    paths = [each for each in found("em").values() if each.kin is Kin.PATH]
    assert paths
    assert "#product > section:nth-of-type(1) > div:nth-of-type(1) > em:nth-of-type(1)" in [
        each.css for each in paths
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("passing", "at"),
    [
        ("", ".c7 > p:nth-of-type(2)"),
        ("c7", "body > div:nth-of-type(1) > p:nth-of-type(2)"),
    ],
)
def test_no_path_leads_down_from_a_name_that_does_not_last(
    passing: str, at: str
) -> None:
    document, context = known("<div class='c7'><p>A</p><p>B</p></div>")
    document.passing = frozenset(passing.split())
    kept = selectors(document, document.by_tag["p"][1], context)
    assert [one.css for one in kept] == [at]


def test_where_no_name_is_around_an_element_no_path_is_tried() -> None:
    document, context = known("<div><p>A</p><p>B</p></div>")
    assert selectors(document, document.by_tag["p"][1], context) == []


def test_what_stands_behind_an_icon_is_named_by_what_that_is_read_aloud_as() -> None:
    row = '<li><svg role="img" aria-label="{}"><path/></svg><div>{}</div></li>'
    rows = row.format("Old price", "15") + row.format("Price", "12")
    behind = found("div", f"<ul>{rows}</ul>", index=1)
    selector = behind['[aria-label="Price"] + div']
    assert (selector.named, selector.kin, selector.alone) == (1.0, Kin.ROLE, True)
    assert not any("role=" in each for each in behind)


def test_a_text_with_a_title_is_no_icon() -> None:
    body = '<p><b title="Price">now</b><i>12</i></p>'
    assert not any(" + " in each for each in found("i", body))
    assert any(" + " in each for each in found("i", body.replace("now", "")))
