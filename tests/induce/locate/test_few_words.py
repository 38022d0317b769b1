"""A column of few words, and what few known records say of it."""

import json
from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.program import Kin, Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.few_words import (
    cuts_words,
    few_worded,
    guessed_words,
    says_more,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import by_css, by_json, by_label, document

FUEL = FieldSpec(
    name="fuel", kind=FieldKind.CHOICE, choices=("petrol", "diesel", "power")
)
FLAG = FieldSpec(name="lift", kind=FieldKind.BOOLEAN)
WORDS = {"petrol": "Benzin", "diesel": "Gasöl", "power": "Strom"}
ORDER = ("petrol", "diesel", "petrol", "power", "diesel", "power", "petrol", "diesel")
PLACES = (by_css(".c2"), by_css(".c1"), by_css("h1"))


def scopes(
    fuels: Sequence[str], towns: str = "ABCDEFGH", of: str = "c2"
) -> list[Scope]:
    return [
        Scope(
            document(
                f"<h1 class='name'>Car {'abcdefghi'[at]}</h1><p class='c1'>Town {towns[at]}</p>"
                f"<p class='{of}'>{fuel}</p>"
            )
        )
        for at, fuel in enumerate(fuels)
    ]


def told(
    shown: Sequence[Scope],
    values: Sequence[Value],
    spec: FieldSpec = FUEL,
    places: Sequence[Reader] = PLACES,
) -> list[list[Value | None]]:
    """What each reader says of all pages, of which the first ones are known."""
    known = list(zip(shown, values, strict=False))
    found = few_worded(spec, known, shown[len(values) :], places)
    return [[read(reader, scope, spec) for scope in shown] for reader in found]


def test_two_known_records_tell_the_words_of_all() -> None:
    shown = scopes([WORDS[one] for one in ORDER])
    assert told(shown, ORDER[:2]) == [list(ORDER)]


def test_an_amount_is_no_part_of_the_word_before_it() -> None:
    words = WORDS | {"power": "Strom ab 2.850 km"}
    shown = scopes([words[one] for one in ORDER])
    known = list(zip(shown, ORDER[:2], strict=False))
    (reader,) = few_worded(FUEL, known, shown[2:], PLACES)
    (other,) = scopes(["Strom ab 510 km"])
    assert read(reader, other, FUEL) == "power"


def test_a_choice_is_left_open_where_two_words_are_not_known() -> None:
    shown = scopes([WORDS[one] for one in ORDER])
    (said,) = told(shown, ORDER[:2])
    assert said == list(ORDER)
    again = [shown[0], shown[2], *shown[1:2], *shown[3:]]
    (said,) = told(again, ("petrol", "petrol"))
    assert said == ["petrol", "petrol", None, None, None, None, "petrol", None]


@pytest.mark.parametrize("words", [("Ναι", "Όχι"), ("✓", "✗")])
def test_yes_and_no_are_said_of_something_else_than_a_choice_of_three(
    words: tuple[str, str],
) -> None:
    shown = scopes([words[at % 2] for at in range(8)])
    guess = guessed_words(FUEL, [(shown[0], "petrol")], shown[1:], PLACES)
    assert guess == []
    pair = FUEL.model_copy(update={"choices": ("petrol", "diesel")})
    (reader,) = guessed_words(pair, [(shown[0], "petrol")], shown[1:], PLACES)
    assert read(reader, shown[1], pair) == "diesel", "one of two may be a yes"


def test_what_agrees_by_chance_is_no_column() -> None:
    shown = scopes([WORDS[one] for one in ORDER])
    assert told(shown, ORDER[:1]) == []  # one known record
    assert told(shown[:5], ORDER[:2]) == []  # hardly said again
    assert told(shown, ("petrol", "petrol")) == []  # one word for two choices
    assert told(shown, ("petrol", "diesel", "power")) == []  # two words for one
    names = scopes([f"Fuel {'abcdefgh'[at]}" for at in range(8)])
    assert told(names, ORDER[:2]) == []  # a word for each page


def test_of_two_columns_that_differ_neither_is_taken() -> None:
    words = [WORDS[one] for one in ORDER]
    twice = scopes(words, towns="ABCACBBA")
    assert told(twice, ORDER[:2]) == []
    alike = scopes(words, towns="ABACBCAB")
    assert told(alike, ORDER[:2]) == [list(ORDER)] * 2
    named = scopes(words, towns="ABCACBBA", of="c2 fuel")
    places = (by_css(".fuel"), by_css(".c1"))
    assert told(named, ORDER[:2], FUEL, places) == [list(ORDER)]
    fewer = scopes(words, towns="ABABABAA")  # has no word for the third choice
    assert told(fewer, ORDER[:2]) == [list(ORDER)]


def test_a_word_that_is_another_choices_own_stands_for_that_alone() -> None:
    words = {"petrol": "Diesel", "diesel": "Petrol", "power": "Power"}
    assert told(scopes([words[one] for one in ORDER]), ORDER[:2]) == []


def test_a_heading_among_the_rows_has_no_word() -> None:
    shown = scopes([WORDS[one] for one in ORDER])
    empty = Scope(document("<h1 class='name'>Cars</h1>"))
    assert told([*shown, empty], ORDER[:2]) == [[*ORDER, None]]
    assert told([*shown, *[empty] * 4], ORDER[:2]) == []


def test_a_class_or_a_key_says_a_flag_of_which_one_side_is_known() -> None:
    lifts = (True, True, False, True, False, False, True, True)
    names = {True: "flat with-lift", False: "flat no-lift"}
    shown = [Scope(document(f"<div class='{names[one]}'>Flat</div>")) for one in lifts]
    place = by_css("div", get="@class")
    found = told(shown, lifts[:2], FLAG, [place])
    assert found and all(said == list(lifts) for said in found)
    bodies = [json.dumps({"up": one, "left": at}) for at, one in enumerate(lifts)]
    keyed = [
        Scope(
            Document(
                Page(
                    url=f"https://flats.example/{at}",
                    body=body.encode(),
                    headers={"content-type": "application/json"},
                )
            )
        )
        for at, body in enumerate(bodies)
    ]
    keys = [by_json("body.up"), by_json("body.left")]
    assert told(keyed, lifts[:2], FLAG, keys) == [list(lifts)]
    (reader,) = few_worded(FLAG, [(keyed[0], True), (keyed[1], True)], keyed[2:], keys)
    assert reader.pipe == ()


def test_a_key_may_say_a_small_number_for_each_choice_and_a_text_may_not() -> None:
    codes = {"petrol": "1", "diesel": "2", "power": "9"}
    page = "https://cars.example/1"
    kind = {"content-type": "application/json"}
    bodies = [json.dumps({"f": codes[one], "at": at}) for at, one in enumerate(ORDER)]
    keyed = [
        Scope(Document(Page(url=page, body=one.encode(), headers=kind)))
        for one in bodies
    ]
    assert told(keyed, ORDER[:4], places=[by_json("body.f")]) == [list(ORDER)]
    shown = scopes([codes[one] for one in ORDER])
    assert told(shown, ORDER[:4]) == []


@pytest.mark.parametrize(
    "words",
    [
        {"petrol": "fuel-petrol", "diesel": "fuel-diesel", "power": "fuel-power"},
        {"petrol": "Gas", "diesel": "Bio-diesel", "power": "Strom"},  # one is left
        {"petrol": "Petrol only", "diesel": "Biodiesel", "power": "Mains"},
    ],
    ids=["all have their own", "one has", "as a part of a word"],
)
def test_a_word_that_has_a_choice_in_it_stands_for_that(words: dict[str, str]) -> None:
    shown = scopes([words[one] for one in ORDER])
    (said,) = told([shown[0], shown[2], *shown[1:2], *shown[3:]], ("petrol", "petrol"))
    assert said == ["petrol", "petrol", "diesel", *ORDER[3:]]


LET = FieldSpec(
    name="let", kind=FieldKind.CHOICE, choices=("furnished", "unfurnished", "part")
)
LETS = ("part", "part", "unfurnished", "furnished", "part", "unfurnished", "furnished")


@pytest.mark.parametrize(
    ("words", "known"),
    [
        (("Teils", "Well furnished", "Unfurnished!"), ("part", "part")),
        (("Teils", "Furnished", "Not furnished"), ("part", "furnished")),
    ],
    ids=["the longer one", "one that is not taken"],
)
def test_of_two_choices_in_a_word_one_is_meant(
    words: tuple[str, ...], known: tuple[str, ...]
) -> None:
    said = dict(zip(("part", "furnished", "unfurnished"), words, strict=True))
    order = [*known, *LETS]
    shown = scopes([said[one] for one in order], towns="ABCDEFGHI")
    assert told(shown, known, LET) == [order]


@pytest.mark.parametrize(("known", "count"), [(3, 0), (4, 1)])
def test_a_flag_that_is_known_to_be_so_alone_is_no_other_one_s_column(
    known: int, count: int
) -> None:
    """The ticks of another flag may well be the same of a few rows, too."""
    ticks = (False, False, False, True, False, True, False, True)
    shown = scopes(["✓" if one else "✗" for one in ticks])
    assert len(told(shown, ticks[:known], FLAG)) == count
    pairs = list(zip(shown, ticks[:known], strict=False))
    assert len(guessed_words(FLAG, pairs, shown[known:], PLACES)) == 1


def test_a_place_with_more_words_than_choices_is_none_of_them() -> None:
    shown = scopes([WORDS[one] for one in ORDER])
    yes = (Step(op=Op.MAP, args=("Benzin", "True")),)
    reader = by_css(".c2").model_copy(update={"pipe": yes})
    assert says_more(reader, FLAG, shown) and not says_more(reader, FUEL, shown)
    assert not says_more(reader, FLAG, shown[:2])
    assert not says_more(by_css(".c2"), FLAG, shown)


def test_one_known_record_tells_words_only_as_a_guess() -> None:
    shown = scopes([WORDS[one] for one in ORDER])
    known = [(shown[0], "petrol")]
    assert few_worded(FUEL, known, shown[1:], PLACES) == []
    (reader,) = guessed_words(FUEL, known, shown[1:], PLACES)
    assert reader.kin is Kin.OTHER
    said = [read(reader, scope, FUEL) for scope in shown]
    assert [one for one in said if one] == ["petrol"] * 3, "no word is made up"


def test_of_a_flag_the_other_word_is_the_other_one() -> None:
    lifts = (True, False, True, True, False, False, True, True)
    shown = scopes(["Hiss" if one else "Trappa" for one in lifts])
    (reader,) = guessed_words(FLAG, [(shown[0], True)], shown[1:], PLACES)
    assert [read(reader, scope, FLAG) for scope in shown] == list(lifts)


def test_a_guess_takes_what_stands_behind_a_label_and_none_of_two_such() -> None:
    lifts = (True, False, True, True, False, False, True, True)
    pets = (True, True, False, True, False, True, False, True)
    shown = [
        Scope(
            document(
                f"<ul><li>{'xy'[pet]}</li></ul><p><b>Hiss:</b> <i>{'ab'[lift]}</i></p>"
                f"<p><b>Djur:</b> <i>{'ab'[pet]}</i></p>"
            )
        )
        for lift, pet in zip(lifts, pets, strict=True)
    ]
    lift, pet = by_label("hiss"), by_label("djur")
    place = by_css("li:nth-of-type(1)", Kin.PATH)
    known, others = [(shown[0], True)], shown[1:]
    (reader,) = guessed_words(FLAG, known, others, [place, lift])
    assert [read(reader, scope, FLAG) for scope in shown] == list(lifts)
    assert guessed_words(FLAG, known, others, [place, lift, pet]) == []


def test_a_guess_takes_a_whole_text_before_a_part_of_another() -> None:
    lifts = (True, False, True, True, False, False, True, True)
    towns = "RSRSSRRS"
    shown = [
        Scope(document(f"<i>{'ab'[lift]}</i><u>Nr. {at}, {town}</u>"))
        for at, (lift, town) in enumerate(zip(lifts, towns, strict=True))
    ]
    places = [by_css("u"), by_css("i")]
    (reader,) = guessed_words(FLAG, [(shown[0], True)], shown[1:], places)
    assert (reader.at, len(reader.pipe)) == ("i", 2)


def test_what_an_amount_is_for_tells_a_choice_after_all_else() -> None:
    let = FieldSpec(name="kind", kind=FieldKind.CHOICE, choices=("sale", "let"))
    kinds = ("sale", "let", "sale", "let", "let", "sale", "let", "sale")
    behind = {"sale": "k.k.", "let": "per maand"}
    prices = [f"€ {at + 3}90 {behind[one]}" for at, one in enumerate(kinds)]
    assert told(scopes(prices), kinds[:2], let) == [list(kinds)]
    words = {"sale": "Koop", "let": "Huur"}
    both = [
        Scope(document(f"<p class='c1'>{price}</p><p class='c2'>{words[one]}</p>"))
        for price, one in zip(prices, [*kinds[:2], *kinds[:1:-1]], strict=True)
    ]
    (said,) = told(both, kinds[:2], let)
    assert said == [*kinds[:2], *kinds[:1:-1]]


CHAMBER = FieldSpec(
    name="chamber", kind=FieldKind.CHOICE, choices=("civil", "social", "criminal")
)


def test_a_column_whose_words_have_the_choices_in_them_goes_first() -> None:
    order = (
        "civil",
        "social",
        "criminal",
        "civil",
        "social",
        "criminal",
        "social",
        "civil",
    )
    ends = (
        "Upheld",
        "Quashed",
        "Struck",
        "Quashed",
        "Upheld",
        "Upheld",
        "Struck",
        "Struck",
    )
    shown = [
        Scope(
            document(
                f"<p class='c1'>{end}</p><p class='c2'>Bench {at}: {one} cases</p>"
            )
        )
        for at, (one, end) in enumerate(zip(order, ends, strict=True))
    ]
    assert told(shown, order[:2], CHAMBER) == [list(order)]


TIED = FieldSpec(name="kind", kind=FieldKind.CHOICE, choices=("prepaid", "contract"))
SAID = {"prepaid": "ricaricabile", "contract": "abbonamento"}
KINDS = (
    "prepaid",
    "contract",
    "prepaid",
    "prepaid",
    "contract",
    "contract",
    "prepaid",
    "contract",
)


def sentences(second: Sequence[str]) -> list[Scope]:
    return [
        Scope(
            document(f"<p class='c1'>Offerta {SAID[one]} da {at + 7} euro {other}</p>")
        )
        for at, (one, other) in enumerate(zip(KINDS, second, strict=True))
    ]


def test_one_word_of_longer_texts_tells_a_choice() -> None:
    shown = sentences(["subito attiva"] * len(KINDS))
    assert told(shown, KINDS[:2], TIED) == [list(KINDS)]


def test_two_words_of_longer_texts_that_differ_elsewhere_tell_nothing() -> None:
    shown = sentences(
        ("ieri", "subito", "subito", "ieri", "subito", "ieri", "ieri", "subito")
    )
    assert told(shown, KINDS[:2], TIED) == []
    assert told(shown, KINDS[:3], TIED) == [list(KINDS)], "a third one tells which"


def test_a_reader_of_one_word_of_a_text_is_known_as_such() -> None:
    shown = sentences(["subito attiva"] * len(KINDS))
    known = list(zip(shown, KINDS[:2], strict=False))
    (worded,) = few_worded(TIED, known, shown[2:], PLACES)
    assert cuts_words(worded)
    assert not cuts_words(worded.model_copy(update={"pipe": worded.pipe[1:]}))
