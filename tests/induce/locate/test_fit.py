from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.fit import (
    cost,
    fit,
    has_digit,
    item_spec,
    low_entropy,
)
from crawloop_assets.induce.locate.joined import SPLIT
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

BASE = "https://shop.example/"


def pipe(text: str, value: object, **spec: object) -> list[str] | None:
    found = fit(text, value, FieldSpec(name="f", **spec), BASE)
    return None if found is None else [str(step) for step in found]


@pytest.mark.parametrize(
    ("text", "value", "steps"),
    [
        ("Ada", "Ada", []),
        ("By Ada", "Ada", ["strip_prefix('By ')"]),
        ("Ada, writer", "Ada", ["strip_suffix(', writer')"]),
        ("By Ada (writer)", "Ada", ["strip_prefix('By ')", "strip_suffix(' (writer)')"]),
        (", Ada", "Ada", ["strip_prefix(', ')"]),
        ("By: Ada (writer)", "Ada", ["after('By:')", "strip_suffix(' (writer)')"]),
        ("作者：Ada", "Ada", ["after('作者：')"]),
        ("Ada!", "Ada!", []),
        ("12 km · 03/2019 · Ada", "Ada", ["part('·', -1)"]),
        ("Ada — No. 7", "Ada", ["part(' — ', 0)"]),
        ("1 | Ada | 2 | 3 | 4", "Ada", ["part('|', 1)"]),
        ("Kiel, 3 rooms, 70 m²", "Kiel", ["part(', ', 0)"]),
        (
            "Let by Ada Byron · No. 7",
            "Ada Byron",
            ["part('·', 0)", "strip_prefix('Let by ')"],
        ),
        ("Ink (2nd) (May 2019)", "May 2019", [r"regex('\\(([^()]+)\\)$')"]),
        ("By Ada (writer)", "writer", ["strip_prefix('By Ada (')", "strip_suffix(')')"]),
        ("Ada · writer", "Ada", ["strip_suffix(' · writer')"]),
        ("Adamant", "Ada", None),
        ("Canada", "ada", None),
        ("No. 5 Ada", "Ada", None),
        ("x" * 44 + " Ada", "Ada", ["strip_prefix('" + "x" * 44 + " ')"]),
        ("x" * 45 + " Ada", "Ada", None),
        ("By Bob", "Ada", None),
        ("129 zł", "zł", [r"regex('[^\\d\\s.,][^\\d\\s]*')"]),
        ("zł 129 zuzu", "zuzuzu", None),
        ("€ 5", "EUR", ["currency"]),
        ("€ 5", "eur", None),
        ("Serves 4 people", "4 servings", ["without('moments')", "number(0, '')", "template('{} servings')"]),
        ("1 of 2 of 3 of 4", "4 pots", ["without('moments')", "number(-1, '')", "template('{} pots')"]),
        ("0 of 1 of 2 of 3 of 4 of 5 of 6 of 7", "6 pots", None),
        ("Home/Lamps 2/Oak 3", "Oak 3", ["part('/', -1)"]),
    ],
)  # fmt: skip
def test_texts(text: str, value: str, steps: list[str] | None) -> None:
    assert pipe(text, value) == steps


@pytest.mark.parametrize(
    ("text", "value", "steps"),
    [
        ("€1.299,00", "1299", []),
        ("2 of 12.5 (9)", "12.5", ["without('moments')", "number(1, '')"]),
        ("20 – 29", "20", ["without('moments')", "number(0, '')"]),
        ("29 – 20", "29", ["without('moments')", "number(0, '')"]),
        ("3 to 4", "4", ["without('moments')", "number(-1, '')"]),
        ("1.299 l", "1.299", ["without('moments')", "number(0, '.')"]),
        ("1,299 l", "1.299", ["without('moments')", "number(0, ',')"]),
        ("a 0 1 2 3 4 5 x 6", "5", ["without('moments')", "number(5, '')"]),
        ("a 0 1 2 3 4 5 6 x 7", "6", None),
        ("3.33333", "3.33", ["round(2)"]),
        ("3.335", "3.34", None),
        ("2.00003", "2", None),
        ("12.3456", "12.35", ["round(2)"]),
        ("12.346", "12.35", None),
        ("four", "4", None),
        ("4", "four", None),
    ],
)
def test_numbers(text: str, value: str, steps: list[str] | None) -> None:
    assert pipe(text, value, kind=FieldKind.NUMBER) == steps


@given(
    st.integers(0, 9_999), st.integers(0, 9_999), st.sampled_from(["a", "of", "items"])
)
def test_a_number_that_a_text_has_can_be_read_from_it(
    first: int, second: int, word: str
) -> None:
    spec = FieldSpec(name="f", kind=FieldKind.NUMBER)
    text = f"{first} {word} {second}"
    for value in (first, second):
        steps = fit(text, str(value), spec, BASE)
        assert steps is not None
        texts = apply(steps, [text])
        assert not steps or Decimal(texts[0]) == value


def test_minutes_and_dates() -> None:
    minutes, date = FieldKind.MINUTES, FieldKind.DATE
    assert pipe("1 h 5 min", 65, kind=minutes) == []
    assert pipe("no 7 of 65", 65, kind=minutes) == [
        "without('moments')",
        "number(-1, '')",
    ]
    assert pipe("0, 1, 2, 3, 4, 5, 6, 7", 6, kind=minutes) is None
    days = "1 May 2024, 2 May 2024, 3 May 2024, 4 May 2024, 5 May 2024"
    assert pipe(days, "2024-05-01", kind=date) == []
    assert pipe(days, "2024-05-02", kind=date) == ["date(1)"]
    assert pipe(days, "2024-05-04", kind=date) == ["date(3)"]
    assert pipe(days, "2024-05-05", kind=date) == ["date(-1)"]
    assert pipe(f"{days}, 6 May 2024", "2024-05-05", kind=date) is None


def test_a_number_of_seconds_is_minutes_where_known_ones_say_so() -> None:
    minutes = FieldKind.MINUTES
    assert pipe("3485", 58, kind=minutes) == ["template('PT{}S')"]
    assert pipe("3600", 58, kind=minutes) is None
    assert pipe("about 3485", 58, kind=minutes) is None


@pytest.mark.parametrize("kind", [FieldKind.DATE, FieldKind.DATETIME])
def test_a_number_is_a_moment_where_known_ones_say_so(kind: FieldKind) -> None:
    known = "2026-03-01" if kind is FieldKind.DATE else "2026-03-01T06:22:27"
    assert pipe("1772346147", known, kind=kind) == ["epoch"]
    assert pipe("1772346147250", known, kind=kind) == ["epoch"]
    assert pipe("1772446147", known, kind=kind) is None
    assert pipe("No. 1772346147", known, kind=kind) is None
    assert pipe("1772346147", 1772346147, kind=FieldKind.INTEGER) == []


def test_addresses() -> None:
    url = FieldKind.URL
    assert pipe("/a.jpg", "https://shop.example/a.jpg", kind=url) == []
    assert pipe("/a.jpg 1x, /b.jpg 2x", "https://shop.example/b.jpg", kind=url) == [
        "srcset"
    ]
    style = "background:url('/a.jpg')"
    steps = pipe(style, "https://shop.example/a.jpg", kind=url)
    assert steps is not None and steps[0].startswith("regex(")
    script = "location='/a.jpg'; return"
    assert pipe(script, "https://shop.example/a.jpg", kind=url) == [
        """between("'", "'")"""
    ]
    several = '["/s.jpg", "/a.jpg"]'
    assert pipe(several, "https://shop.example/a.jpg", kind=url) == [
        """part('"', -2)"""
    ]


CHOICES = {"kind": FieldKind.CHOICE, "choices": ("InStock", "OutOfStock")}


@pytest.mark.parametrize(
    ("text", "value", "steps"),
    [
        ("InStock", "InStock", []),
        ("Status: InStock", "InStock", ["after('Status:')"]),
        ("only few in stock", "InStock", ["map('only few in stock', 'InStock')"]),
        ("available", "InStock", []),
        ("nearly available", "InStock", ["map('nearly available', 'InStock')"]),
        ("true", "InStock", ["map('true', 'InStock')"]),
        ("false", "OutOfStock", ["map('false', 'OutOfStock')"]),
        ("false", "InStock", None),
        ("yes", "OutOfStock", None),
        ("order by phone", "InStock", None),
        ("5 in stock", "InStock", []),
        ("lamp_stock", "InStock", None),
        ("stock " * 7, "InStock", None),
        ("", "InStock", None),
    ],
)
def test_choices(text: str, value: str, steps: list[str] | None) -> None:
    assert pipe(text, value, **CHOICES) == steps


def test_a_choice_is_found_among_the_numbers_of_its_text() -> None:
    sorts = {"kind": FieldKind.CHOICE, "choices": ("Oil on canvas", "Oil", "Ink")}
    found = [r"regex('\\b(?:[oO]il\\ on\\ canvas|[oO]il|[iI]nk)\\b')"]
    assert pipe("No. 7, Ink 20 x 30", "Ink", **sorts) == found
    assert pipe("No. 7, Oil on canvas 20", "Oil", **sorts) is None, "names two"
    assert pipe("No. 7, Inky 20 x 30", "Ink", **sorts) is None
    terms = {"kind": FieldKind.CHOICE, "choices": ("autumn", "spring", "1st")}
    assert pipe("Autumn 2025", "autumn", **terms) == [
        r"regex('\\b(?:[aA]utumn|[sS]pring|1st)\\b')"
    ]


def test_a_choice_is_found_before_the_words_that_follow_it() -> None:
    kinds = {"kind": FieldKind.CHOICE, "choices": ("ferry", "catamaran")}
    found = [r"regex('\\b(?:[fF]erry|[cC]atamaran)\\b')"]
    assert pipe("Ferry m/b Ember", "ferry", **kinds) == found
    assert pipe("Ferry", "ferry", **kinds) == []
    assert pipe("Ferry or catamaran", "ferry", **kinds) != found, "names two"
    assert pipe("By ferry", "ferry", **kinds) == ["strip_prefix('By ')"]


def test_every_transform_costs_trust_and_a_position_costs_more() -> None:
    assert cost(()) == 1.0
    assert cost((Step(op=Op.STRIP_PREFIX, args=("a",)),)) == 0.85
    assert cost((Step(op=Op.MAP, args=("a", "b")),)) == 0.8, "what no row prices"
    first, last, third = (
        cost((Step(op=Op.NUMBER, args=(index, "")),)) for index in (0, -1, 2)
    )
    assert first == last == 0.85
    assert third == pytest.approx(0.85 * 0.7)
    assert cost((*SPLIT, *SPLIT)) == pytest.approx(0.98**2)


def test_a_list_field_has_items_of_its_kind() -> None:
    dates = FieldSpec(name="f", kind=FieldKind.DATE, shape=Shape.LIST)
    assert item_spec(dates) == FieldSpec(name="f", kind=FieldKind.DATE)
    single = FieldSpec(name="f")
    assert item_spec(single) is single


def test_digits_of_any_script_are_digits() -> None:
    assert has_digit("a5") and has_digit("٣")
    assert not has_digit("five") and not has_digit("")


@pytest.mark.parametrize(
    ("value", "spec", "low"),
    [
        ("1234567", {"kind": FieldKind.NUMBER}, True),
        (True, {"kind": FieldKind.BOOLEAN}, True),
        ("InStock", CHOICES, True),
        ("oak", {}, True),
        ("o-a-k", {}, True),
        ("pine", {}, False),
        ("/a", {"kind": FieldKind.URL}, False),
        ("2024-05-06", {"kind": FieldKind.DATE}, False),
        (["oak"], {"shape": Shape.LIST}, True),
        (["pine"], {"shape": Shape.LIST}, False),
        (["oak", "ash"], {"shape": Shape.LIST}, False),
        ("oak", {"shape": Shape.LIST}, False),
    ],
)
def test_values_that_occur_by_chance(
    value: object, spec: dict[str, object], low: bool
) -> None:
    assert low_entropy(value, FieldSpec(name="f", **spec)) is low


def test_an_address_is_read_without_what_is_asked_of_it() -> None:
    link = FieldSpec(name="link", kind=FieldKind.URL)
    base = "https://jobs.example/"
    pipe = fit("/job/5605?ref=list", "https://jobs.example/job/5605", link, base)
    assert pipe is not None
    assert [str(step) for step in pipe] == ["part('?', 0)"]
    assert fit("/job/5605", "https://jobs.example/job/5605", link, base) == ()
