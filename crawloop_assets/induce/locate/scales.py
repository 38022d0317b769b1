"""Numbers in other units: cents for euros, metres for kilometres, "€900k" for 900000.

One unit, or one power of ten, makes what a place says what is known, on page after page
or in row after row. No other place does that by chance for three different numbers; for
two if each stands with its unit.
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain, product, starmap
from operator import attrgetter, methodcaller
from typing import NamedTuple

from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.fit import SECONDS, Pipe
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.measures import ONE, in_unit, other_units
from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.present import present
from crawloop_assets.values.text import tokens, word_set
from crawloop_assets.values.value import Value

_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER)
POWERS = (-2, 2, -3, 3, -6, 6, -4, 4, -1, 1)
"""Of ten, that units differ by: hundredths, thousandths and millionths, square metres of
a hectare, millimetres of a centimetre."""
_MINUTES = Step(op=Op.SUM, args=("minutes",))
_DURATIONS: Sequence[Pipe] = (
    (*SECONDS, _MINUTES),
    (Step(op=Op.SCALE, args=(-3,)), *SECONDS, _MINUTES),
    (Step(op=Op.TEMPLATE, args=("PT{}H",)), _MINUTES),
)
"""What makes minutes of a number of seconds, of their thousandths, or of hours."""
_PERCENT = 2  # a power of ten
_PERCENTS = word_set("percent percentage pct prozent")
_FEWEST_DIGITS = 3
_MARKS = ("", ".", ",")
"""What may be before the decimals of a number: by how it looks, or one of two."""


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


def in_other_units(value: Value, spec: FieldSpec) -> Iterator[tuple[Step, Value]]:
    """A number as pages may say it in units that differ by a power of ten, each with what
    makes it the number again; nothing for one of few digits, which stands anywhere."""
    digits = str(value).strip("-0.").replace(".", "")
    if may_change_unit(spec) and len(digits) >= _FEWEST_DIGITS:
        for power in POWERS:
            said = Decimal(str(value)).scaleb(-power).normalize()
            yield Step(op=Op.SCALE, args=(power,)), format(said, "f")


def scale_steps(said: Iterable[tuple[Sequence[str], Value]], spec: FieldSpec) -> Pipe:
    """What makes the first of the texts of a place the number that is known with them:
    each of them, but for those of a volatile field that moved or are gone; nothing where
    no unit, no power of ten and no part of an hour does."""
    pairs = [(texts[0] if texts else "", known) for texts, known in said]
    fewest = tuned("scales.fewest_with_unit")
    for step in unit_steps(pairs, spec):
        if _makes((step,), pairs, spec, fewest):
            return (step,)
    there = present(starmap(_said, pairs))
    if not _is_enough(there, pairs, spec):
        return ()
    if _are_fractions(there, spec):
        return (Step(op=Op.SCALE, args=(_PERCENT,)),)
    fewest = tuned("scales.fewest_different")
    for power in POWERS:
        scaled = list(map(methodcaller("scaled", power), there))
        if _is_proved(scaled, spec, fewest):
            return (Step(op=Op.SCALE, args=(power,)),)
    lasting = (pipe for pipe in _DURATIONS if _makes(pipe, pairs, spec, fewest))
    return next(lasting, ())


def _are_fractions(there: Sequence[_Said], spec: FieldSpec) -> bool:
    """Whether a field is called percents, and its hundredth is what a place says, wherever
    it is known: one such number says so, 0.15 for 15."""
    is_called_so = not _PERCENTS.isdisjoint(tokens(spec.name))
    hundredfold = map(methodcaller("scaled", _PERCENT), there)
    return is_called_so and bool(there) and all(map(attrgetter("is_same"), hundredfold))


def _makes(
    pipe: Pipe, pairs: Sequence[tuple[str, Value]], spec: FieldSpec, fewest: float
) -> bool:
    """Whether some steps make the texts of a place the known numbers."""
    there = present(starmap(partial(_converted, pipe), pairs))
    return _is_enough(there, pairs, spec) and _is_proved(there, spec, fewest)


def unit_steps(pairs: Iterable[tuple[str, Value]], spec: FieldSpec) -> Iterable[Step]:
    """What makes the texts of a place, each with a number and its unit, the known numbers,
    each step once."""
    made = (_unit_steps(text, known, spec) for text, known in pairs)
    return dict.fromkeys(chain.from_iterable(made))


def _unit_steps(text: str, known: Value, spec: FieldSpec) -> Iterator[Step]:
    """What makes a text with a number and its unit a known number, if that is another
    one."""
    wanted = Decimal(str(known))
    for decimal in [spec.decimal] if spec.decimal else _MARKS:
        if parse_number(text, 0, decimal) not in (None, wanted):
            yield from steps_to_unit(text, known, decimal)


def steps_to_unit(text: str, known: Value, decimal: str) -> Iterator[Step]:
    """What reads a text with a number and its unit as a known number, in the unit in which
    it is that."""
    wanted = Decimal(str(known))
    for unit in other_units(text, decimal):
        if in_unit(text, unit, decimal) == wanted:
            yield Step(op=Op.UNIT, args=(unit, decimal))


def own_unit_pipes(
    pairs: Iterable[tuple[str, Value]], spec: FieldSpec
) -> Iterator[Pipe]:
    """What reads texts with a number and its unit as the known numbers, in that unit; what
    is counted has none."""
    marks = (spec.decimal,) if spec.decimal else _MARKS
    cases = ((*pair, one) for pair, one in product(pairs, marks))
    steps = dict.fromkeys(chain.from_iterable(starmap(steps_to_unit, cases)))
    yield from ((step,) for step in steps if step.args[0] != ONE)


def _converted(pipe: Pipe, text: str, known: Value) -> _Said | None:
    """What steps make of a text, and the known number; None if they make nothing."""
    made = apply(pipe, [text])
    return _Said(Decimal(made[0]), Decimal(str(known))) if made else None


def _said(text: str, known: Value) -> _Said | None:
    """The number of a text, and the known one; None where that has none."""
    number = parse_number(text)
    return None if number is None else _Said(number, Decimal(str(known)))


def _is_enough(
    there: Sequence[_Said], pairs: Sequence[object], spec: FieldSpec
) -> bool:
    """Whether a place says a number on each page; of what moves on half of them."""
    least = len(pairs) / 2 if spec.volatile else len(pairs)
    return len(there) >= least


def _is_proved(scaled: Sequence[_Said], spec: FieldSpec, fewest: float) -> bool:
    """Whether the numbers of a place are the known ones now, so many different ones: all
    of them, of what moves most of them, or of very different ones each nearly."""
    same = list(filter(attrgetter("is_same"), scaled))
    if len(same) < len(scaled) and not spec.volatile:
        return False
    different = set(map(attrgetter("known"), same))
    is_most = 2 * len(same) >= len(scaled)
    if is_most and len(different) >= fewest:
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
