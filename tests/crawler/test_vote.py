"""Votes: who agrees, who is silent, who wins."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import crawloop_assets.crawler.vote as vote_module
from crawloop_assets.crawler.evidence import Heard, Kind
from crawloop_assets.crawler.vote import SILENT, decide
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import canonical

TITLE, PRICE = FieldSpec(name="title"), FieldSpec(name="price", kind=FieldKind.NUMBER)
TAGS = FieldSpec(name="tags", shape=Shape.LIST)
TEXTS = st.text(max_size=8) | st.sampled_from(
    ["&nbsp;", "<b>", "&amp;lt;b&amp;gt;", "\u200b", "★", "a & b", " x "]
)
NUMBERS = st.decimals(-10_000, 10_000, places=2).map(str) | st.integers(0, 99).map(str)


@given(
    st.tuples(st.just(TITLE), st.lists(TEXTS, min_size=1, max_size=3))
    | st.tuples(st.just(PRICE), st.lists(NUMBERS, min_size=1, max_size=3))
    | st.tuples(
        st.just(TAGS), st.lists(st.lists(TEXTS, max_size=2), min_size=1, max_size=2)
    ),
    st.lists(st.integers(0, 3), min_size=1, max_size=5),
)
def test_what_has_one_normal_form_is_one_voice(given_values, chosen):
    spec, values = given_values
    said = [values[index] if index < len(values) else None for index in chosen]
    value, vote = decide([(f"r{n}", 1.0, text) for n, text in enumerate(said)], spec)
    forms = [canonical(text, spec) for text in said]
    speaking = [form for form in forms if form is not None]
    assert vote.readers == len(said) and vote.live_readers == len(speaking)
    assert len(vote.rivals) == max(len(set(speaking)) - 1, 0)
    if speaking:
        most = max(map(speaking.count, speaking))
        assert speaking.count(canonical(value, spec)) == most
        weight = sum(1.0 if text is not None else 0.5 for text in said)
        assert vote.agreement == round(most / weight, 4)
    else:
        assert value is None


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (FieldKind.TEXT, "Oak lamp"),
        (FieldKind.NUMBER, "12.50"),
        (FieldKind.INTEGER, 12),
        (FieldKind.MINUTES, 90),
        (FieldKind.BOOLEAN, False),
        (FieldKind.DATE, "2024-02-29"),
        (FieldKind.DATETIME, "2024-02-29T10:30:00+01:00"),
        (FieldKind.URL, "https://shop.example/lamp?a=1&b=2"),
        (FieldKind.CHOICE, "InStock"),
    ],
)
def test_of_what_all_readers_agree_on_no_form_is_made(kind, value, monkeypatch):
    spec = FieldSpec(name="x", kind=kind, choices=("InStock", "Sold"))
    several = spec.model_copy(update={"shape": Shape.LIST})
    assert canonical(value, spec) is not None
    monkeypatch.setattr(vote_module, "canonical", lambda *_: pytest.fail("dear"))
    assert decide([("a", 1.0, value), ("b", 1.0, value)], spec)[0] == value
    assert decide([("a", 1.0, [value, value])], several)[0] == [value, value]


@pytest.mark.parametrize("kind", list(FieldKind))
@given(text=st.text("<>&;#ahtps:/.1-T ", max_size=12))
def test_what_is_sure_to_have_a_form_has_one(kind, text):
    spec = FieldSpec(name="x", kind=kind, choices=("a", "1"))
    for value in (text, f"http://{text}", f"2024-01-{text}"):
        speaks = decide([("a", 1.0, value)], spec)[1].live_readers
        assert speaks == (canonical(value, spec) is not None)


def test_nobody_speaks() -> None:
    value, vote = decide([("a", 1.0, None), ("b", 2.0, None)], TITLE)
    assert value is None
    assert (vote.agreement, vote.live_readers, vote.readers) == (0.0, 0, 2)
    assert decide([], TITLE)[0] is None


def test_weight_wins_not_numbers() -> None:
    ballots = [("a", 1.0, "x"), ("b", 1.0, "x"), ("c", 2.5, "y"), ("d", 1.0, None)]
    value, vote = decide(ballots, TITLE)
    assert value == "y" and vote.reader == "c" and vote.rivals == ("x",)
    assert vote.agreement == round(2.5 / (4.5 + SILENT), 4)
    assert (vote.live_readers, vote.readers) == (3, 4)


def test_a_tie_goes_to_the_earlier_reader() -> None:
    assert decide([("a", 1.0, "x"), ("b", 1.0, "y")], TITLE)[0] == "x"
    noisy = [("a", 0.3, "x"), ("b", 0.1, "y"), ("c", 0.1, "y"), ("d", 0.1, "y")]
    assert decide(noisy, TITLE)[0] == "x"  # 0.1 + 0.1 + 0.1 is no more than 0.3


def test_the_winning_value_is_written_as_its_heaviest_reader_does() -> None:
    value, vote = decide([("a", 1.0, "LAMP"), ("b", 2.0, "Lamp")], TITLE)
    assert (value, vote.reader, vote.agreement) == ("Lamp", "b", 1.0)


def test_what_python_holds_for_equal_may_mean_different_things() -> None:
    number = FieldSpec(name="n", kind=FieldKind.INTEGER)
    _, vote = decide([("a", 1.0, 1), ("b", 1.0, "2")], number)
    assert vote.rivals == ("2",)
    _, vote = decide([("a", 1.0, 1), ("b", 1.0, "1")], number)
    assert vote.rivals == () and vote.agreement == 1.0


def test_what_means_nothing_is_no_vote() -> None:
    assert decide([("a", 1.0, ""), ("b", 1.0, "")], TITLE)[0] is None
    assert decide([("a", 1.0, []), ("b", 1.0, [])], TAGS)[0] is None
    value, vote = decide([("a", 1.0, ""), ("b", 1.0, "x")], TITLE)
    assert (value, vote.live_readers) == ("x", 1)


def test_readers_without_weight_agree_on_nothing() -> None:
    value, vote = decide([("a", 0.0, "x")], TITLE)
    assert (value, vote.agreement) == ("x", 0.0)


SHOWN, STATED = Kind.SHOWN, Kind.STATED


def test_readers_that_agree_are_not_asked_what_they_heard():
    def hear() -> list[Heard]:
        raise AssertionError("nobody contradicts")

    value, vote = decide([("a", 1.0, "Pan"), ("b", 1.0, None)], TITLE, hear)
    assert (value, vote.against) == ("Pan", {})


def test_two_readers_of_one_text_do_not_outvote_another():
    heard = [
        Heard(SHOWN, "Alder & Finch Lamp"),
        Heard(SHOWN, "Alder & Finch Lamp | Shop"),
    ]
    ballots = [
        ("name", 0.4, "Alder"),
        ("title", 0.4, "Alder"),
        ("maker", 0.5, "Alder & Finch"),
    ]
    value, vote = decide(
        ballots, TITLE, lambda: [*heard, Heard(SHOWN, "Made by: A & F")]
    )
    assert value == "Alder & Finch" and vote.rivals == ("Alder",) and vote.against == {}
    assert decide(ballots, TITLE)[0] == "Alder"


def test_a_kind_of_which_nobody_speaks_for_the_winner_is_against_it():
    ballots = [("ld", 4.2, "11.25"), ("css", 0.8, "12.50"), ("label", 0.3, "12.50")]
    heard = [Heard(STATED, "11.25"), Heard(SHOWN, "12.50"), Heard(SHOWN, "Price 12.50")]
    value, vote = decide(ballots, PRICE, lambda: heard)
    assert value == "11.25" and vote.against == {SHOWN: "12.50"}


def test_a_kind_that_speaks_on_both_sides_is_against_nobody():
    ballots = [("ld", 4.2, "11.25"), ("css", 0.8, "11.25"), ("label", 0.3, "12.50")]
    heard = [Heard(STATED, "11.25"), Heard(SHOWN, "11.25"), Heard(SHOWN, "12.50")]
    assert decide(ballots, PRICE, lambda: heard)[1].against == {}
