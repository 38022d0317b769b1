import pytest

from crawloop_assets.crawler.program import Kin
from crawloop_assets.induce.listing.selector_parts import (
    SelectorPart,
    element_predicates,
    tag_and_classes,
    tag_selectors,
    word_bonus,
)
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldSpec
from tests.induce.listing.documents import document, elements

NO_WORDS = words_of(FieldSpec(name="nothing_like_it"))
DOCKET = words_of(FieldSpec(name="docket"))


def predicates(tag: str, words: object = NO_WORDS) -> list[SelectorPart]:
    page = document(tag)
    return element_predicates(page, 2, words)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("<p class='a lead odd lead'>", [SelectorPart(".lead", Kin.CLASS, 0.65)]),
        ("<p class=css-1dbjc4n>", [SelectorPart(".css-1dbjc4n", Kin.CLASS, 0.2)]),
        ("<p class=sc-bdVaJa>", [SelectorPart(".sc-bdVaJa", Kin.CLASS, 0.2)]),
        ("<p class=jsx-2871293847>", [SelectorPart(".jsx-2871293847", Kin.CLASS, 0.2)]),
        ("<p class=_3xKdd>", [SelectorPart("._3xKdd", Kin.CLASS, 0.2)]),
        ("<p itemprop=name>", [SelectorPart('[itemprop="name"]', Kin.MICRO, 0.95)]),
        ("<p itemprop=n123>", []),
        ("<p title='Case name'>", [SelectorPart('[title="Case name"]', Kin.ROLE, 0.4)]),
        ("<p title='Case 7'>", [SelectorPart('[title^="Case"]', Kin.ROLE, 0.4)]),
        ("<p title='7 cases'>", []),
        (f"<p title='{'x' * 81}'>", []),
        ("<p data-label='Case 7'>", [SelectorPart("[data-label]", Kin.DATA, 0.5)]),
        ("<p id=intro>", [SelectorPart("#intro", Kin.ID, 0.8)]),
        ("<p id=case_title-17>", [SelectorPart('[id^="case_title-"]', Kin.ID, 0.45)]),
        ("<p id=ab-17>", []),
        ("<a href='/x/y.pdf?v=1'>", [SelectorPart('[href*=".pdf"]', Kin.DATA, 0.58)]),
        ("<img src='/a.b/c'>", []),
        ("<a href='/x.example'>", []),
        ("<p style='color:red'>", []),
    ],
)
def test_an_element_is_told_by_its_attributes(
    tag: str, expected: list[SelectorPart]
) -> None:
    assert predicates(tag) == expected


def test_names_that_say_the_field_come_first_and_only_five_are_given() -> None:
    found = predicates("<p class='aa bb cc dd ee docket'>", DOCKET)
    assert found[0] == SelectorPart(
        ".docket", Kin.CLASS, 0.65 + word_bonus(DOCKET, "docket")
    )
    assert [part.selector for part in found] == [".docket", ".aa", ".bb", ".cc", ".dd"]


def test_a_name_adds_to_trust_as_far_as_it_names_the_field() -> None:
    assert word_bonus(DOCKET, "docket") == 0.24
    assert word_bonus(DOCKET, "zebra") == 0.0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("title", (".title",)),
        ("col-12", (".col-12",)),
        ("c123", ()),
        ("post-1234", ('[class*="post-"]',)),
        ("x", ()),
        ("x" * 60, (f".{'x' * 60}",)),
        ("x" * 61, ()),
        ("odd", ()),
        ("views-row-first", ()),
    ],
)
def test_names_of_one_element_say_nothing_of_its_kind(
    name: str, expected: tuple[str, ...]
) -> None:
    page = document(f"<p class={name}>")
    assert tag_and_classes(page, 2) == ("p", expected)


def test_the_kind_of_an_element_is_its_tag_and_its_stable_classes() -> None:
    page = document("<p class='zeta odd alpha x1234'></p><p></p>")
    assert [tag_and_classes(page, number) for number in elements(page, "p")] == [
        ("p", (".alpha", ".zeta")),
        ("p", ()),
    ]


def test_an_element_of_a_row_is_led_to_by_the_icon_before_it() -> None:
    page = document("<li><svg aria-label=Docket></svg><b>K-7</b></li>")
    (number,) = page.by_tag["b"]
    found = {one.selector: one for one in tag_selectors(page, number, DOCKET)}
    named = found['[aria-label="Docket"] + b']
    (plain,) = tag_selectors(page, number, NO_WORDS)
    assert named.prior > plain.prior and named.kin is Kin.ROLE
    numbered = document("<li><svg aria-label='Docket 7'></svg><b>K-7</b></li>")
    (begun,) = tag_selectors(numbered, numbered.by_tag["b"][0], DOCKET)
    assert begun.selector == '[aria-label^="Docket"] + b', "7 is of this row alone"
    counted = document("<li><svg aria-label='7 dockets'></svg><b>K-7</b></li>")
    assert not list(tag_selectors(counted, counted.by_tag["b"][0], DOCKET))
