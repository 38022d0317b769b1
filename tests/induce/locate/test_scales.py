"""Numbers in other units."""

from collections.abc import Sequence
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.scales import (
    in_other_units,
    may_change_unit,
    own_unit_pipes,
    scale_steps,
    unit_steps,
)
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
LENGTH = FieldSpec(name="length", kind=FieldKind.NUMBER)
KNOWN = (Decimal("12.90"), Decimal("4.05"), Decimal(210))


def steps(texts: Sequence[str], spec: FieldSpec = LENGTH, *known: Decimal) -> list[str]:
    said = zip([[text] for text in texts], known or KNOWN, strict=True)
    return [str(step) for step in scale_steps(said, spec)]


def test_one_power_of_ten_makes_every_number_the_known_one() -> None:
    assert steps(["1290", "405", "21000"]) == ["scale(-2)"]
    assert steps(["12900 pt", "4,050 pt", "210000 pt"]) == ["scale(-3)"]
    assert steps(["0.1290", "0.0405", "2.1"]) == ["scale(2)"]
    assert steps(["129000 m³", "40500 m³", "2100000 m³"]) == ["scale(-4)"]
    assert steps(["129000 m²", "40500 m²", "2100000 m²"]) == ["unit('ha', '')"]
    assert steps(["129", "40.5", "2100"]) == ["scale(-1)"]
    assert steps(["12.90", "4.05", "210"]) == [], "the unit is the same"
    assert steps(["1290", "4050", "21000"]) == [], "two powers"
    assert steps(["1290", "405", "none"]) == []


def test_minutes_are_made_of_seconds_and_of_hours() -> None:
    known = (Decimal(58), Decimal(42), Decimal(95))
    seconds = "template('PT{}S')"
    assert steps(["3485", "2520", "5700"], LENGTH, *known) == [
        seconds,
        "sum('minutes')",
    ]
    thousandths = ["3485120", "2520000", "5700500"]
    made = steps(thousandths, LENGTH, *known)
    assert made == ["scale(-3)", seconds, "sum('minutes')"]
    half = (Decimal(90), Decimal(45), Decimal(120))
    assert steps(["1.5", "0.75", "2"], LENGTH, *half)[0] == "template('PT{}H')"
    assert steps(["3485", "2520", "5900"], LENGTH, *known) == []
    assert steps(["3485", "2520", "none"], LENGTH, *known) == []


def test_two_different_numbers_may_be_so_by_chance() -> None:
    pair = (Decimal(3), Decimal(5), Decimal(3))
    assert steps(["300", "500", "300"], LENGTH, *pair) == []
    assert steps(["300", "500", "700"], LENGTH, *pair[:2], Decimal(7)) == ["scale(-2)"]


def test_of_what_moves_some_may_have_moved_a_little() -> None:
    known = (*KNOWN, Decimal(88))
    assert steps(["1290", "405", "21000", "9100"], PRICE, *known) == ["scale(-2)"]
    assert steps(["1290", "405", "21000", "9100"], LENGTH, *known) == []
    assert steps(["1290", "405", "21000", ""], PRICE, *known) == ["scale(-2)"]
    assert steps(["1290", "405", "21000", "18000"], PRICE, *known) == []
    assert steps(["1290", "405", "", "", ""], PRICE, *known, Decimal(5)) == []
    assert steps(["1300", "410", "21100", "9000"], PRICE, *known) == [], "too few"
    known = (*known, Decimal(31))
    assert steps(["1300", "410", "21100", "9000", "3000"], PRICE, *known) != []
    alike = (Decimal(31), Decimal(30), Decimal(29), Decimal(30), Decimal(32))
    assert steps(["3000", "3010", "2990", "3020", "3000"], PRICE, *alike) == []


@pytest.mark.parametrize(
    "kind", sorted(set(FieldKind) - {FieldKind.NUMBER, FieldKind.INTEGER})
)
def test_only_numbers_have_units(kind: FieldKind) -> None:
    assert not may_change_unit(FieldSpec.model_construct(name="x", kind=kind))
    assert may_change_unit(PRICE)
    assert not may_change_unit(PRICE.model_copy(update={"shape": Shape.LIST}))


@given(st.lists(st.integers(1, 10**9), min_size=3, max_size=9, unique=True))
def test_what_is_made_is_what_is_known(cents: list[int]) -> None:
    known = [Decimal(one) / 100 for one in cents]
    made = scale_steps(
        ([[str(one)], price] for one, price in zip(cents, known, strict=True)), LENGTH
    )
    assert made == (Step(op=Op.SCALE, args=(-2,)),)
    for one, price in zip(cents, known, strict=True):
        assert [Decimal(text) for text in apply(made, [str(one)])] == [price]


def test_one_unit_makes_every_number_the_known_one() -> None:
    far = (Decimal("0.65"), Decimal("1.2"), Decimal("3.5"))
    assert steps(["650 m", "1.2 km", "3.5 km"], LENGTH, *far) == ["unit('km', '')"]
    assert steps(["650 m", "1.2 km", "3.6 km"], LENGTH, *far) == []
    assert steps(["650", "1.2", "3.5"], LENGTH, *far) == []
    disks = (Decimal(512), Decimal(1024), Decimal(2048))
    assert steps(["512 GB", "1 TB", "2 TB"], LENGTH, *disks) == ["unit('gib', '')"]
    rent = (Decimal(900_000), Decimal(1_250_000))
    assert steps(["€900k", "€1.25m"], PRICE, *rent) == ["unit('one', '')"]
    comma = LENGTH.model_copy(update={"decimal": ","})
    said = zip([["1,250 kg"], ["80 g"]], [Decimal(1250), Decimal(80)], strict=True)
    assert scale_steps(said, comma) == (Step(op=Op.UNIT, args=("g", ",")),)


def test_one_number_beside_a_unit_may_be_so_by_chance() -> None:
    assert steps(["1 km", "1 km"], LENGTH, Decimal(1000), Decimal(1000)) == []
    assert steps(["1 km", "2 km"], LENGTH, Decimal(1000), Decimal(2000)) != []


def test_a_unit_is_what_makes_one_text_one_known_number() -> None:
    made = [str(one) for one in unit_steps([("1 TB", "1024")], LENGTH)]
    assert made == ["unit('gib', '')", "unit('gib', '.')", "unit('gib', ',')"]
    assert not list(unit_steps([("1024 GB", "1024")], LENGTH)), "it is told so"
    assert not list(unit_steps([("none", "1024")], LENGTH))


@pytest.mark.parametrize(
    ("name", "texts", "expected"),
    [
        ("discount_percent", ["0.15"], ["scale(2)"]),
        ("discount_percent", ["0.15", "0.2"], ["scale(2)"]),
        ("discount", ["0.15"], []),
        ("discount_percent", ["0.15", "0.3"], []),
        ("discount_percent", ["15"], []),
    ],
)
def test_what_is_called_percents_may_be_a_fraction(
    name: str, texts: list[str], expected: list[str]
) -> None:
    spec = FieldSpec(name=name, kind=FieldKind.INTEGER)
    known = (Decimal(15), Decimal(20))[: len(texts)]
    assert steps(texts, spec, *known) == expected


def test_a_number_of_some_digits_may_be_said_in_units_of_other_powers_of_ten() -> None:
    said = {value: str(step) for step, value in in_other_units("0.1686", LENGTH)}
    assert said["16.86"] == "scale(-2)"
    assert said["168.6"] == "scale(-3)"
    for step, value in in_other_units(365, LENGTH):
        assert Decimal(apply((step,), [str(value)])[0]) == 365
    assert list(in_other_units("50", LENGTH)) == [], "it stands anywhere"
    assert list(in_other_units("0.0250", LENGTH)) == []
    assert list(in_other_units("365", FieldSpec(name="code"))) == []


def test_a_known_number_that_stands_as_it_is_may_be_read_in_its_unit() -> None:
    area = FieldSpec(name="area", kind=FieldKind.INTEGER)
    (pipe,) = own_unit_pipes(
        [("Plot 878 m²", 878)], area.model_copy(update={"decimal": ","})
    )
    assert apply(pipe, ["2,4 ha"]) == ["24000.0"]
    assert apply(pipe, ["€ 12"]) == []
    assert list(own_unit_pipes([("878 views", 878), ("878", 878)], area)) == []
