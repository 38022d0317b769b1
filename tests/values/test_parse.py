"""Text of a page -> the value of a field, or nothing."""

import json
import time

import pytest
from hypothesis import given, settings

from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.equality import canonical, same
from crawloop_assets.values.parse import choice_of, parse_value
from crawloop_assets.values.text import sound
from tests.values.page_texts import page_texts

BASE = "https://x.example/b/c"


def spec(kind: FieldKind = FieldKind.TEXT, **more: object) -> FieldSpec:
    return FieldSpec(name="f", kind=kind, **more)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Price: 12.50 USD", FieldKind.NUMBER, "12.50"),
        ("none", FieldKind.NUMBER, None),
        ("4.5", FieldKind.INTEGER, None),
        ("none", FieldKind.INTEGER, None),
        ("A4 paper, 500 sheets", FieldKind.INTEGER, 500),
        # A day says several numbers, and is about none of them.
        ("08 March 2025", FieldKind.INTEGER, None),
        ("March 8, 2025", FieldKind.NUMBER, None),
        ("8 items, 2025", FieldKind.INTEGER, 8),
        ("8 March", FieldKind.INTEGER, 8),
        ("May 2025", FieldKind.INTEGER, 2025),
        ("18 Stück 2025", FieldKind.INTEGER, 18),
        ("1 Std. 20 Min.", FieldKind.MINUTES, 80),
        ("30-40 minutes", FieldKind.MINUTES, 40),
        ("12. März 2019", FieldKind.DATE, "2019-03-12"),
        ("yesterday", FieldKind.DATE, None),
        ("Tue 12th Mar 2019 at 4:30 pm", FieldKind.DATETIME, "2019-03-12T16:30:00"),
        ("at 4:30 pm", FieldKind.DATETIME, None),
        ("../a?x=1", FieldKind.URL, "https://x.example/a?x=1"),
        ("  a\n b&nbsp;c ", FieldKind.TEXT, "a b c"),
        ("<p> </p>", FieldKind.TEXT, None),
        ("a", FieldKind.OBJECT, None),
    ],
)
def test_texts_are_read_as_their_kind(
    text: str, kind: FieldKind, value: object
) -> None:
    parsed = parse_value(text, spec(kind), BASE)
    assert parsed == value and type(parsed) is type(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Yes", True),
        ("https://schema.org/InStock", True),
        ("in stock", True),
        ("Sold-out!", False),
        ("https://schema.org/OutOfStock", False),
        ("0", False),
        ("perhaps", None),
        ("", None),
    ],
)
def test_booleans_are_words_of_a_closed_list(text: str, value: bool | None) -> None:
    assert parse_value(text, spec(FieldKind.BOOLEAN)) is value


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("d", "https://x.example/b/d"),
        (" //y.example/d ", "https://y.example/d"),
        ("/a file.pdf", "https://x.example/a%20file.pdf"),
        ("a file.pdf", "https://x.example/b/a%20file.pdf"),
        ("https://y.example/a b", "https://y.example/a%20b"),
        ("two words", None),
        ("#", None),
        ("", None),
        ("#top", "https://x.example/b/c#top"),
        ("javascript:alert(1)", None),
        ("mailto:a@x.example", None),
        ("http://[oops", None),
        ("http:///path", None),
        ("a" * 4096, "https://x.example/b/" + "a" * 4096),
        ("a" * 4097, None),
    ],
)
def test_urls_become_absolute_web_addresses(text: str, url: str | None) -> None:
    assert parse_value(text, spec(FieldKind.URL), BASE) == url


def test_a_choice_is_read_from_vocabulary_urls() -> None:
    field = spec(FieldKind.CHOICE, choices=("InStock", "OutOfStock"))
    assert parse_value("https://schema.org/InStock", field) == "InStock"
    assert parse_value("https://schema.org/OutOfStock/", field) == "OutOfStock"
    assert parse_value("out-of-stock", field) == "OutOfStock"
    assert parse_value("maybe", field) is None


def test_availability_is_read_in_the_words_of_sites() -> None:
    field = spec(FieldKind.CHOICE, choices=("OutOfStock", "InStock"))
    assert parse_value("Sofort lieferbar", field) == "InStock"
    assert parse_value("https://schema.org/SoldOut", field) == "OutOfStock"
    finer = spec(FieldKind.CHOICE, choices=("InStock", "OutOfStock", "SoldOut"))
    assert parse_value("sold out", finer) == "SoldOut", "what is declared goes first"
    other = spec(FieldKind.CHOICE, choices=("InStock", "PreOrder"))
    assert parse_value("Auf Lager", other) is None, "nothing says what else it may be"


def test_of_choices_written_alike_the_first_counts() -> None:
    field = spec(FieldKind.CHOICE, choices=("", "On/Off", "on off", "Off"))
    assert choice_of("ON OFF", field) == "On/Off"
    assert choice_of("on/off", field) == "On/Off"
    assert choice_of("x/off", field) == "Off"
    assert choice_of("!", field) is None


def test_ambiguous_dates_follow_the_declared_order() -> None:
    assert parse_value("03/04/2021", spec(FieldKind.DATE)) == "2021-03-04"
    day_first = spec(FieldKind.DATE, date_order="DMY")
    assert parse_value("03/04/2021", day_first) == "2021-04-03"
    moment = spec(FieldKind.DATETIME, date_order="DMY")
    assert parse_value("03/04/2021 10:00", moment) == "2021-04-03T10:00:00"


@settings(deadline=None, max_examples=400)
@given(page_texts)
def test_parsing_is_total_and_gives_what_means_itself(text: str) -> None:
    """No text makes any parser raise, and what it gives can be stored as it is."""
    for kind in FieldKind:
        value = parse_value(text, spec(kind), "https://x.example/")
        assert value is None or same(value, value, spec(kind))
        assert canonical(value, spec(kind)) == canonical(value, spec(kind))
        written = json.dumps(value, ensure_ascii=False)
        assert json.loads(written.encode()) == value
        assert not isinstance(value, str) or value == sound(value)


@pytest.mark.parametrize("kind", FieldKind)
@pytest.mark.parametrize(
    "text",
    [
        "9" * 100_000,
        "1" * 5_000 + ":30",
        "1 " * 50_000,
        "a9" * 50_000,
        "1.000" * 20_000,
    ],
    ids=["nines", "clock", "ones", "letters", "grouped"],
)
def test_a_hundred_thousand_digits_cost_their_value_only(
    kind: FieldKind, text: str
) -> None:
    began = time.process_time()
    value = parse_value(text, spec(kind))
    assert time.process_time() - began < 2
    assert value is None or same(value, value, spec(kind))
    assert not isinstance(value, int) or abs(value) < 2**63


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("a\0b", FieldKind.TEXT, "ab"),
        ("half \ud83d", FieldKind.TEXT, "half"),
        ("\u202egnp.exe\u202c", FieldKind.TEXT, "gnp.exe"),
        ("Tea &#x202e;x", FieldKind.TEXT, "Tea x"),
        ("1\u200e2.5\ud8000", FieldKind.NUMBER, "12.50"),
        ("\u200f-5", FieldKind.NUMBER, "-5"),
        ("/a\ud800b", FieldKind.URL, "https://x.example/ab"),
        ("9223372036854775807", FieldKind.INTEGER, 2**63 - 1),
        ("9223372036854775808", FieldKind.INTEGER, None),
        ("2021-03-04 10:00:75", FieldKind.DATETIME, "2021-03-04T00:00:00"),
        ("2021-03-04 10:00+99:99", FieldKind.DATETIME, "2021-03-04T00:00:00"),
        ("PT1.2.3H", FieldKind.MINUTES, None),
        ("1/٠ hour", FieldKind.MINUTES, None),
        (f"PT{'9' * 5000}H", FieldKind.MINUTES, None),
    ],
)
def test_what_no_table_may_hold_costs_itself_or_the_value(
    text: str, kind: FieldKind, value: object
) -> None:
    assert parse_value(text, spec(kind), BASE) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (": French", "French"),
        (":-) French", ":-) French"),
        ("French: old", "French: old"),
        ("Search calls¶", "Search calls"),
        ("Search calls ¶", "Search calls"),
        ("¶ 3 of 5", "¶ 3 of 5"),
    ],
)
def test_a_text_is_read_without_the_colon_of_its_label_and_a_link_to_it(
    text: str, value: str
) -> None:
    assert parse_value(text, FieldSpec(name="language")) == value
