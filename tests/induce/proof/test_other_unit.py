"""Numbers that are read in another unit than they were known in."""

import pytest

from crawloop_assets.induce.proof.other_unit import are_in_other_unit
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

DELAY = FieldSpec(name="delay", kind=FieldKind.INTEGER, volatile=True)
KNOWN = (0, 0, 0, 5, 10, 3, 8, 12)


def told(*now: int | None, spec: FieldSpec = DELAY) -> bool:
    return are_in_other_unit(spec, list(zip(KNOWN, now, strict=True)))


def test_minutes_that_are_read_as_seconds_are_no_news() -> None:
    assert told(0, 0, 0, 300, 600, 180, 240, 60)
    assert told(0, 120, 0, 300, 600, 180, None, 0)
    assert told(0, 0, 0, 300, 1200, 780, 60, 900), "most have moved as well"


@pytest.mark.parametrize(
    "now",
    [
        (0, 0, 0, 300, 600, 3, 480, 720),  # one of them is read as it was known
        (0, 0, 0, 300, 600, 7, 2, 1),  # two alone may be so by chance
        (0, 0, 0, 10, 20, 6, 16, 24),  # twice as much may be news
        (0, 0, 0, 300, 600, 180, 9, 20),  # too many are not
        (0, 0, 0, 0, 0, 0, 0, 0),
        (900, 900, 900, 0, 1, 0, 1, 1),  # what was none, and what began anew
    ],
)
def test_what_is_another_number_is_no_other_unit(now: tuple[int, ...]) -> None:
    assert not told(*now)


def test_texts_and_lists_have_no_units() -> None:
    now = [one * 60 for one in KNOWN]
    assert not told(*now, spec=DELAY.model_copy(update={"kind": FieldKind.TEXT}))
    assert not told(*now, spec=DELAY.model_copy(update={"shape": Shape.LIST}))
