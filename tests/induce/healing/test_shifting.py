"""Places by position where pages lack a line."""

import pytest

from crawloop_assets.crawler.program import Kin
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.healing.shifting import keeps_to_its_line
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.healing.fields import css, document

WAIT = FieldSpec(name="wait", kind=FieldKind.INTEGER, volatile=True)
(LAST_BUT_ONE,) = css("ul > li:nth-last-of-type(2)", kin=Kin.PATH)
WHOLE = ("Open 24 h", "Wait: {} min", "Saturdays: 9 to 12")
SHORT = ("Open 24 h", "Wait: {} min")


def known(*pages: tuple[tuple[str, ...], int, int | None]) -> list[KnownValue]:
    """Pages of these lines, with what the wait is and what is known of it."""
    made = []
    for at, (lines, now, value) in enumerate(pages):
        items = "".join(f"<li>{line.format(now)}</li>" for line in lines)
        shown = document(f"<ul>{items}</ul>", at)
        made.append(KnownValue(Index(shown, "Clinic"), value, value is not None))
    return made


STILL = (WHOLE, 34, 34), (WHOLE, 45, 45)


def test_a_place_that_leads_into_another_line_is_left() -> None:
    assert not keeps_to_its_line(LAST_BUT_ONE, known(*STILL, (SHORT, 12, None)), WAIT)


def test_the_words_of_the_line_say_that_it_is_the_same_one() -> None:
    longer = ("Beds: 4", *WHOLE)
    assert keeps_to_its_line(LAST_BUT_ONE, known(*STILL, (longer, 12, None)), WAIT)


def test_numbers_without_words_are_told_by_none() -> None:
    bare, less = ("{}", "9 to 12"), ("7", "{}", "9 to 12")
    pages = known((bare, 34, 34), (bare, 45, 45), (less, 12, None))
    assert not keeps_to_its_line(LAST_BUT_ONE, pages, WAIT)


def test_pages_of_as_many_lines_say_that_it_is_the_same_one() -> None:
    bare, less = ("Ada", "{}", "9 to 12"), ("{}", "9 to 12")
    still = (bare, 34, 34), (less, 45, 45), (less, 46, 46)
    assert keeps_to_its_line(LAST_BUT_ONE, known(*still, (less, 12, None)), WAIT)
    by_chance = known(*still[:2], (less, 12, None))
    assert not keeps_to_its_line(LAST_BUT_ONE, by_chance, WAIT), "one page may be"


def test_the_label_in_the_row_beside_it_says_so_as_well() -> None:
    (cell,) = css("tr:nth-of-type(2) > td", kin=Kin.PATH)

    def rows(*names: str) -> KnownValue:
        cells = "".join(f"<tr><th>{one}</th><td>{len(one)}</td></tr>" for one in names)
        value = 4 if names[1] == "Wait" and len(names) > 2 else None
        shown = Index(document(f"<table>{cells}</table>"), "Clinic")
        return KnownValue(shown, value, value is not None)

    three = rows("Beds", "Wait", "Doctors")
    assert keeps_to_its_line(cell, [three, rows("Since", "Wait")], WAIT)
    assert not keeps_to_its_line(cell, [three, rows("Wait", "Doctors")], WAIT)


@pytest.mark.parametrize(
    ("spec", "kin"),
    [
        (WAIT.model_copy(update={"volatile": False}), Kin.PATH),
        (FieldSpec(name="wait", volatile=True), Kin.PATH),
        (WAIT, Kin.CLASS),
    ],
)
def test_what_lasts_and_what_is_named_is_judged_by_others(
    spec: FieldSpec, kin: Kin
) -> None:
    reader = LAST_BUT_ONE.model_copy(update={"kin": kin})
    assert keeps_to_its_line(reader, known(*STILL, (SHORT, 12, None)), spec)


def test_where_no_line_shifts_other_words_are_news() -> None:
    other = ("Open 24 h", "Only {} minutes", "Saturdays: 9 to 12")
    assert keeps_to_its_line(LAST_BUT_ONE, known(*STILL, (other, 12, None)), WAIT)
