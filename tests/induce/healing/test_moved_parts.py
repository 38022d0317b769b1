"""Lists of records of which the numbers move every day."""

from collections.abc import Callable, Sequence

import pytest

from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.induce.detail.objects import object_field
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.healing.decision import HealDecision
from crawloop_assets.induce.healing.field import heal_object
from crawloop_assets.induce.healing.moved_parts import read_moved
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.healing.fields import document

STOCK = FieldSpec(
    name="stock",
    kind=FieldKind.OBJECT,
    shape=Shape.LIST,
    volatile=True,
    required=True,
    fields=(
        FieldSpec(name="place", required=True),
        FieldSpec(name="left", kind=FieldKind.INTEGER),
    ),
)
PLACES = ("Harlow", "Bergen", "Delft")
LEFT = [[140, 2900, 655], [1720, 88, 4310], [903, 61, 7000], [350, 512, 96]]
Count = Callable[[int], int]


def pages(
    shown: Count, known: Count = lambda left: left, places: Sequence[str] = PLACES
) -> list[KnownValue]:
    """Pages that show what became of each number, and what is known of them."""
    made = []
    for numbers in LEFT:
        rows = zip(places, numbers, strict=True)
        items = "".join(
            f"<li><b>{place}</b><i>{shown(left)}</i></li>" for place, left in rows
        )
        page = document(f"<h2>Stock</h2><ul>{items}</ul>")
        value = [
            {"place": place, "left": known(left)}
            for place, left in zip(PLACES, numbers, strict=True)
        ]
        made.append(KnownValue(Index(page), value))
    return made


def as_it_is(left: int) -> int:
    return left


def sold(left: int) -> int:
    return left - left // 30 - 1


@pytest.fixture(scope="module")
def field() -> FieldProgram:
    return object_field(STOCK, pages(as_it_is))


def test_numbers_near_the_known_ones_are_what_those_have_become(
    field: FieldProgram,
) -> None:
    now = pages(sold)
    assert read_moved(field, now) == len(now)
    kept = heal_object(STOCK, field, now)
    assert kept.decision.decision is HealDecision.KEPT
    assert kept.program == field


def test_numbers_of_something_else_are_none(field: FieldProgram) -> None:
    others = pages(lambda left: 7 * left % 5003)
    assert read_moved(field, others) == 0
    healed = heal_object(STOCK, field, others)
    assert healed.decision.decision is HealDecision.ABSTAINED


def test_records_of_other_places_are_none(field: FieldProgram) -> None:
    assert read_moved(field, pages(sold, places=("Oslo", *PLACES[1:]))) == 0


def test_more_or_fewer_records_are_none(field: FieldProgram) -> None:
    now = pages(sold)
    fewer = [KnownValue(page.index, list(page.value)[:2]) for page in now]
    assert read_moved(field, fewer) == 0
    assert read_moved(field, [fewer[0], *now[1:]]) == 3, "a page has no say in others"


def test_what_does_not_change_every_day_is_known_whole(field: FieldProgram) -> None:
    steady = field.model_copy(
        update={"spec": STOCK.model_copy(update={"volatile": False})}
    )
    assert read_moved(steady, pages(sold)) == 0


def test_few_numbers_may_be_near_by_chance(field: FieldProgram) -> None:
    assert read_moved(field, pages(sold)[:1]) == 0
