from decimal import Decimal

import pytest

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.locate.number_order import by_order, says_two
from crawloop_assets.schema import FieldKind, FieldSpec


def steps(text: str, wanted: int) -> list[str]:
    """The steps that read a number of a text, as they are shown."""
    return [", ".join(map(str, one)) for one in by_order(text, Decimal(wanted))]


def test_a_number_is_counted_from_the_end_too_where_it_is_the_last() -> None:
    plain = "without('moments'), number"
    assert steps("2 – 1", 2) == [f"{plain}(0, '')"]
    assert steps("2 – 1", 1) == [f"{plain}(-1, '')", f"{plain}(1, '')"]
    assert steps("4 people", 4) == [f"{plain}(0, '')"]
    assert steps("4 people", 5) == []


def test_a_number_of_many_is_not_read() -> None:
    text = "0 1 2 3 4 5 x 6 7".replace(" ", ", ")
    assert steps(text, 5) and steps(text, 7) and not steps(text, 6)


def test_what_is_known_to_be_part_of_a_moment_is_read_out_of_it() -> None:
    assert steps("at 18:30", 30) == ["number(-1, '')", "number(1, '')"]
    assert steps("Hall 2 at 18:30", 2) == ["number(0, '')"]


@pytest.mark.parametrize(
    "other",
    [
        "18:00",
        "kl. 18.00",
        "20h30",
        "2 – 1, 18:00",
        "12.06.2025 at 20:30",
        "12 June 2025",
        "2025-06-12",
    ],
)
@pytest.mark.parametrize("wanted", [2, 1])
def test_no_number_is_read_of_a_moment_where_known_ones_are_none(
    wanted: int, other: str
) -> None:
    for pipe in by_order("2 – 1", Decimal(wanted)):
        assert apply(pipe, ["2 – 1"]) == [str(wanted)]
        assert apply(pipe, [other]) == []


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ("29 – 20", FieldKind.INTEGER, True),
        ("2 - 2", FieldKind.NUMBER, True),
        ("20 – 29", FieldKind.INTEGER, False),
        ("29 of 20", FieldKind.INTEGER, False),
        ("29", FieldKind.INTEGER, False),
        ("29 – 20", FieldKind.TEXT, False),
    ],
)
def test_a_falling_pair_says_two_numbers(
    text: str, kind: FieldKind, says: bool
) -> None:
    assert says_two(text, FieldSpec(name="goals", kind=kind)) is says
