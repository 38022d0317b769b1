"""Numbers in other units: cents for euros, metres for kilometres. One power of ten makes
what a place says what is known, on page after page or in row after row.

No other place does that by chance for three different numbers.
"""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import partial
from itertools import starmap
from operator import attrgetter, methodcaller
from typing import NamedTuple

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.present import present
from crawloop_assets.values.value import Value

_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER)
POWERS = (-2, 2, -3, 3, -6, 6)
"""Of ten, that units differ by: hundredths, thousandths and millionths."""


class _Said(NamedTuple):
    """What a place says in the unit that is known, and what is known there."""

    number: Decimal
    known: Decimal

    def scaled(self, power: int) -> "_Said":
        """With the number times a power of ten."""
        return self._replace(number=self.number.scaleb(power))

    @property
    def is_same(self) -> bool:
        """Whether it is what is known."""
        return self.number == self.known

    def is_near(self, most: float) -> bool:
        """Whether it may be what the known number has moved to, by this share of the
        smaller one at most."""
        smaller = min(abs(self.number), abs(self.known))
        return abs(self.number - self.known) <= Decimal(str(most)) * smaller


def may_change_unit(spec: FieldSpec) -> bool:
    """Whether a field is a number, of which pages may change the unit."""
    return spec.kind in _NUMBERS and spec.shape is Shape.ONE


def scale_steps(said: Iterable[tuple[Sequence[str], Value]], spec: FieldSpec) -> Pipe:
    """What makes the first of the texts of a place the number that is known with them:
    each of them, but for those of a volatile field that moved or are gone; nothing where
    no power of ten does."""
    pairs = list(starmap(_said, said))
    there = present(pairs)
    least = len(pairs) / 2 if spec.volatile else len(pairs)
    if len(there) < least:
        return ()
    power = next(filter(partial(_is_proved, there, spec), POWERS), None)
    return () if power is None else (Step(op=Op.SCALE, args=(power,)),)


def _said(texts: Sequence[str], known: Value) -> _Said | None:
    """The number of the first text, and the known one; None where that has none."""
    number = next(map(parse_number, texts), None)
    return None if number is None else _Said(number, Decimal(str(known)))


def _is_proved(there: Sequence[_Said], spec: FieldSpec, power: int) -> bool:
    """Whether a power of ten makes the numbers of a place the known ones: all of them, of
    what moves most of them, or of very different ones each nearly."""
    scaled = list(map(methodcaller("scaled", power), there))
    same = list(filter(attrgetter("is_same"), scaled))
    if len(same) < len(scaled) and not spec.volatile:
        return False
    different = set(map(attrgetter("known"), same))
    is_most = 2 * len(same) >= len(scaled)
    if is_most and len(different) >= tuned("scales.fewest_different"):
        return _are_near(scaled, "moved_on.most")
    return _are_far_apart(scaled) and _are_near(scaled, "nearby.most")


def _are_near(there: Sequence[_Said], most: str) -> bool:
    """Whether each number is near the known one."""
    return all(map(methodcaller("is_near", tuned(most)), there))


def _are_far_apart(there: Sequence[_Said]) -> bool:
    """Whether so many numbers differ so much that none is near another by chance."""
    known = sorted(map(abs, map(attrgetter("known"), there)))
    spread = Decimal(str(tuned("nearby.spread")))
    is_many = len(known) >= tuned("nearby.fewest_pages")
    return is_many and known[-1] >= spread * max(known[0], Decimal(1))
