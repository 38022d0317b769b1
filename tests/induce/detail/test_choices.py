"""Which words stand for which choice, told by pages of which the choice is known."""

import sys
from types import FrameType

import pytest

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.choices import (
    is_worded,
    mapped_choices,
    worded_choices,
)
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.healing.unnamed import known_pages

CHOICES = ("In stock", "Sold out")
STATE = FieldSpec(name="state", kind=FieldKind.CHOICE, choices=CHOICES)
IN, OUT = CHOICES
AS_LETTERS = str.maketrans("0123456789", "abcdefghij")


@pytest.mark.parametrize(
    "line", ["{}", "{} ({} left)", "{}, row {}", "{1} likes · {0}"]
)
def test_each_text_stands_for_one_choice(line: str) -> None:
    pages = known_pages(
        [
            (IN, ["Oak", line.format("Auf Lager", 14)]),
            (IN, ["Ash", line.format("Auf Lager", 3)]),
            (OUT, ["Elm", line.format("Ausverkauft", 0)]),
            (IN, ["Oak", line.format("Auf Lager", 5)]),
        ]
    )
    found = mapped_choices(pages, STATE, ())
    assert found
    for candidate in found:
        told = [read(candidate.reader, Scope(page.document), STATE) for page in pages]
        assert told == [IN, IN, OUT, IN]


def test_what_a_thing_was_sold_for_is_no_word_of_the_choice() -> None:
    rows = [(OUT, "Sold for 90 €"), (IN, "Bid now"), (IN, "Bid now")]
    pages = known_pages([(one, ["Oak", text]) for one, text in rows])
    (best, *_) = mapped_choices(pages, STATE, ())
    (other,) = known_pages([(OUT, ["Oak", "Sold for 1,250 €"])])
    assert read(best.reader, Scope(other.document), STATE) == OUT
    news = [
        (IN, "Bid at"),
        (OUT, "Sold for 7 €"),
        (IN, "Bid at"),
        (OUT, "Sold for 8 €"),
    ]
    again = known_pages([(one, ["Oak", text]) for one, text in news])
    assert mapped_choices(again, STATE, ()) == [], "it says another one each time"
    (best, *_) = mapped_choices(again, STATE, (best.reader,))
    assert read(best.reader, Scope(other.document), STATE) == OUT


def test_no_words_of_another_field_stand_for_a_choice_that_is_written() -> None:
    rows = [(IN, ["New", IN]), (IN, ["New", IN]), (OUT, ["Used", OUT])]
    others = [(one, [word, "ask us"]) for one, (word, _) in rows]
    menu = [(one, [word, IN, OUT]) for one, (word, _) in rows]
    assert mapped_choices(known_pages(rows), STATE, ()) == []
    assert mapped_choices(known_pages(others), STATE, ()) != []
    assert mapped_choices(known_pages(menu), STATE, ()) != [], "a menu says nothing"


def test_only_choices_are_mapped() -> None:
    text = FieldSpec(name="state")
    rows = [(IN, ["Auf Lager"]), (OUT, ["Ausverkauft"]), (IN, ["Auf Lager"])]
    assert mapped_choices(known_pages(rows), text, ()) == []
    assert mapped_choices(known_pages(rows), STATE, ()) != []


FLAG = FieldSpec(name="rented", kind=FieldKind.BOOLEAN)


def test_a_yes_or_no_is_told_by_two_pages_of_each() -> None:
    words = {True: "Rented out", False: "Empty"}
    told = (True, False, False, True)
    pages = known_pages(
        [(one, [f"House {at}", words[one]]) for at, one in enumerate(told)]
    )
    found = mapped_choices(pages, FLAG, ())
    assert found
    for candidate in found:
        read_there = [
            read(candidate.reader, Scope(one.document), FLAG) for one in pages
        ]
        assert read_there == list(told)
    assert mapped_choices(pages[:3], FLAG, ()) == [], "one house alone is let"


@pytest.mark.parametrize(
    ("name", "pages", "is_found"), [("", 5, False), ("", 10, True), ("rented", 5, True)]
)
def test_words_for_a_flag_that_changes_every_day_are_told_by_many_pages_or_its_name(
    name: str, pages: int, *, is_found: bool
) -> None:
    told = [at % 2 == 0 for at in range(pages)]
    words = {True: "RISING", False: "FALLING"}
    rows = [
        (one, [f"House {at}", f"{name}<br>{words[one]}"]) for at, one in enumerate(told)
    ]
    moving = FLAG.model_copy(update={"volatile": True})
    assert bool(mapped_choices(known_pages(rows), moving, ())) is is_found
    assert mapped_choices(known_pages(rows), FLAG, ())


def test_a_choice_stands_behind_a_line_break() -> None:
    rows = [(IN, "Auf Lager"), (OUT, "Ausverkauft"), (IN, "Auf Lager")]
    pages = known_pages([(one, [f"State<br>{text}"]) for one, text in rows])
    found = mapped_choices(pages, STATE, ())
    assert {candidate.reader.get for candidate in found} == {"next"}, "by its name"
    plain = known_pages([(one, [f"In 2026<br>{text}"]) for one, text in rows])
    found = mapped_choices(plain, STATE, ())
    assert "tail" in {candidate.reader.get for candidate in found}


def test_the_line_that_says_a_choice_is_found_wherever_it_stands() -> None:
    words = {True: "Rented out since May", False: "Empty"}
    told = (True, False, False, True)
    pages = known_pages(
        [(one, [f"House {at}", words[one]]) for at, one in enumerate(told)]
    )
    shifted = known_pages([(True, ["Let", "by Ada", words[True]])])[0]
    lines = [
        one.reader
        for one in mapped_choices(pages, FLAG, ())
        if one.reader.get == "lines"
    ]
    assert {read(one, Scope(shifted.document), FLAG) for one in lines} == {True}
    twice = known_pages(
        [(one, [f"House {at}", *[words[one]] * 2]) for at, one in enumerate(told)]
    )
    found = [one.reader.get for one in mapped_choices(twice, FLAG, ())]
    assert found and "lines" not in found
    plain = {True: "Yes", False: "No"}  # as any other flag
    pages = known_pages(
        [(one, [f"House {at}", plain[one]]) for at, one in enumerate(told)]
    )
    found = [one.reader.get for one in mapped_choices(pages, FLAG, ())]
    assert "lines" not in found


LANGUAGE = FieldSpec(name="language")
IN_GERMAN = {"German": "Deutsch", "French": "Franz\u00f6sisch"}


def test_a_text_of_few_values_is_there_in_other_words() -> None:
    known = ("German", "French", "German", "French")
    rows = [(one, [f"Course {at}", IN_GERMAN[one]]) for at, one in enumerate(known)]
    assert is_worded(known_pages(rows), LANGUAGE)
    mixed = [
        (one, [f"Course {at}", IN_GERMAN[known[at // 2]]])
        for at, one in enumerate(known)
    ]
    assert not is_worded(known_pages(mixed), LANGUAGE)
    names = [(f"Course {at}", [f"Kurs {at}"]) for at in range(4)]
    assert not is_worded(known_pages(names), LANGUAGE), (
        "any place has texts that differ"
    )


def rows_of(told: bool, at: int, words: dict[bool, str], label: str) -> list[str]:
    """The blocks of a page: some have a row more, as it happens, where the flag is
    set."""
    more = ["<b>Opened</b> <i>1990</i>"] if told else []
    return [f"House {at}", *more, f"<b>{label}</b> <i>{words[told]}</i>"]


TOLD = (True, False, False, True, True, False)


def flags(words: dict[bool, str], label: str) -> list[str]:
    told = [(one, rows_of(one, at, words, label)) for at, one in enumerate(TOLD)]
    found = mapped_choices(known_pages(told), FLAG, ())
    return [candidate.reader.at for candidate in found]


def test_a_label_that_names_the_field_comes_before_all_places() -> None:
    words = {True: "Welcome", False: "Not allowed"}
    assert flags(words, "Rented") == ["rented"]
    unnamed = flags(words, "Animals")
    assert "animals" in unnamed


def test_titles_of_few_pages_stand_for_no_choices() -> None:
    other = FieldSpec(name="state", kind=FieldKind.CHOICE, choices=("a", "b", "c"))
    few = [(one, [f"House {one}", f"<b>Z</b> <i>Z{one}Z</i>"]) for one in "abc"]
    assert mapped_choices(known_pages(few), other, ()) == []
    named = [(one, [f"House {one}", f"<b>State</b> <i>Z{one}Z</i>"]) for one in "abc"]
    assert mapped_choices(known_pages(named), other, ()), "under its name"
    assert mapped_choices(known_pages([*few, few[0]]), other, ()), "one again"


def test_the_other_word_of_a_named_flag_is_the_other_choice() -> None:
    pages = known_pages(
        [(False, [f"Oak {at}", "<b>Rented</b> <i>Nay</i>"]) for at in range(2)]
    )
    rest = known_pages(
        [
            (None, [f"Elm {at}", f"<b>Rented</b> <i>{word}</i>"])
            for at, word in enumerate(["Yea", "Nay", "Yea", "Nay"])
        ]
    )
    documents = [page.document for page in (*pages, *rest)]
    (best, *_) = worded_choices(pages, FLAG, documents)
    said = [read(best.reader, Scope(one.document), FLAG) for one in rest]
    assert said == [True, False, True, False]
    (more,) = known_pages([(None, ["Ash", "<b>Rented</b> <i>Soon</i>"])])
    (best, *_) = worded_choices(pages, FLAG, [*documents, more.document])
    said = [read(best.reader, Scope(one.document), FLAG) for one in rest]
    assert said == [None, False, None, False], "of three words two are not known"


def test_which_rows_a_page_has_is_no_choice() -> None:
    pages = [
        (one, [f"House {at}", *(["Opened"] if one else []), "Price", "Size"])
        for at, one in enumerate(TOLD)
    ]
    assert mapped_choices(known_pages(pages), FLAG, ()) == []
    said = [
        (one, [f"House {at}", "Yes" if one else "No", "Yes", "No"])
        for at, one in enumerate(TOLD)
    ]
    assert mapped_choices(known_pages(said), FLAG, ()), "other flags say the same"


def test_a_choice_stands_in_the_line_of_its_label() -> None:
    words = {IN: "Auf Lager", OUT: "Ausverkauft"}
    pages = known_pages(
        [
            (
                one,
                [f"Nr.: {at}<br>" + "Neu: ja<br>" * (one == IN) + f"Art: {words[one]}"],
            )
            for at, one in enumerate((IN, OUT, IN, OUT))
        ]
    )
    found = mapped_choices(pages, STATE, ())
    assert found, "no element has it, and its position differs"
    (other,) = known_pages([(IN, ["Nr.: 9<br>Art: Vergriffen"])])
    for candidate in found:
        scopes = [Scope(page.document) for page in pages]
        assert [read(candidate.reader, one, STATE) for one in scopes] == [IN, OUT] * 2
        assert read(candidate.reader, Scope(other.document), STATE) is None


LET, FREE = "Vermietet", "Frei"


def _lets(rows: list[tuple[str, list[str]]]) -> list[list[object]]:
    """What the readers of worded choices say of pages that are all known."""
    pages = known_pages(rows)
    documents = [page.document for page in pages]
    found = worded_choices(pages, STATE, documents)
    return [
        [read(one.reader, Scope(document), STATE) for document in documents]
        for one in found
    ]


def test_examples_tell_the_words_of_choices_where_two_say_again_what_others_said() -> (
    None
):
    names = ["Oak", "Elm", "Ash", "Yew"]
    rows = [
        (state, [name, LET if state == OUT else FREE])
        for name, state in zip(names, (IN, OUT, IN, OUT), strict=True)
    ]
    told = _lets(rows)
    assert told and all(one == [IN, OUT, IN, OUT] for one in told)
    assert _lets(rows[:3]) == [], "one town may have one of two as well"


def test_places_that_part_the_pages_otherwise_tell_nothing() -> None:
    """Four pages are known; what a fifth says of the two places differs."""
    rows = [
        (IN, ["Oak", FREE, "Kiel"]),
        (OUT, ["Elm", LET, "Ulm"]),
        (IN, ["Ash", FREE, "Kiel"]),
        (OUT, ["Yew", LET, "Ulm"]),
    ]
    known = known_pages(rows)
    (other,) = known_pages([(None, ["Fir", LET, "Kiel"])])
    documents = [page.document for page in known]
    assert worded_choices(known, STATE, documents), "so far they agree"
    assert worded_choices(known, STATE, [*documents, other.document]) == []


@pytest.mark.parametrize(("others", "is_of_site"), [(6, True), (2, False)])
def test_what_all_pages_say_behind_a_name_is_of_the_site(
    others: int, is_of_site: bool
) -> None:
    state = FieldSpec(name="state", kind=FieldKind.CHOICE, choices=CHOICES)
    chrome = "<b>State</b> <i>Contact</i>"
    pages = known_pages([(IN, [f"Oak {at}", chrome]) for at in range(2)])
    rest = known_pages([(None, [f"Elm {at}", chrome]) for at in range(others)])
    documents = [page.document for page in (*pages, *rest)]
    assert (worded_choices(pages, state, documents) == []) is is_of_site
    (moved,) = known_pages([(None, ["Ash", "<b>State</b> <i>Weg</i>"])])
    assert worded_choices(pages, state, [*documents, moved.document])


def test_a_long_page_costs_what_it_is_longer() -> None:
    def calls(rows: int) -> int:
        letters = [str(at).translate(AS_LETTERS) for at in range(rows)]
        lines = list(map("{} row".format, letters))
        pages = known_pages([(IN, ["Auf Lager", *lines])])
        documents, counted = [page.document for page in pages], 0

        def count(frame: FrameType, event: str, argument: object) -> None:
            nonlocal counted
            counted += event == "call"

        sys.setprofile(count)
        try:
            worded_choices(pages, STATE, documents)
        finally:
            sys.setprofile(None)
        return counted

    assert calls(600) < 3 * calls(300)
