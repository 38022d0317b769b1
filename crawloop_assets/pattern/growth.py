"""How the work of a regular expression grows with its text, at worst.

`re` tries one way after the other. A text of n characters can cost as much work as there
are ways to read a beginning of it. How their number grows is decided on the machine of
the pattern, not by trying texts: where one character can be read in two manners within a
circle, it doubles with every round (Weber and Seidl: an exponential degree of
ambiguity); where the same text leads round one circle, over to the next, and round that,
each such pair adds one to the power of n.
"""

import functools
import operator
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import permutations, product
from math import inf
from re import _parser as parser  # type: ignore[attr-defined]

from crawloop_assets.pattern.graph import components, visited
from crawloop_assets.pattern.letters import parted
from crawloop_assets.pattern.machine import Machine, State, Steps, Use
from crawloop_assets.pattern.places import Places

_LOOKED_AT = 64
"""Characters of the text for which the ways to read it are counted."""


@functools.lru_cache(maxsize=1024)
def exponent(
    pattern: str | bytes, flags: int = 0, use: Use = Use.SEARCH, longest: int = 0
) -> float:
    """The power of the length of the text with which the work of a pattern grows: 1 is
    linear, 2 quadratic, infinity exponential. Up to `longest` times the repeat of one
    character is a bound of its own: it makes the work longer, not faster growing.

    Raises re.error for what is no pattern, TooManyPlaces for one that is too large.
    """
    return 1 + _degree(_steps(pattern, flags, use, longest))


@functools.lru_cache(maxsize=1024)
def most_readings(pattern: str | bytes, flags: int = 0, use: Use = Use.SEARCH) -> int:
    """In how many ways `re` can read a text of 64 characters that is made to be read in
    many: what repeats a few times beside its like (`a?a?a?`) grows to an end, but that
    may be far away."""
    steps = _steps(pattern, flags, use)
    kinds = _kinds({letters for to in steps.values() for _, letters in to})
    readings = Counter(dict.fromkeys(steps, 1))
    for _ in range(_LOOKED_AT):
        read = [_after(readings, kind, steps) for kind in kinds]
        readings = max(read, key=Counter.total, default=readings)
    return readings.total()


def _after(readings: Counter[State], kind: int, steps: Steps) -> Counter[State]:
    """The ways to each state, one more character of a kind read."""
    after: Counter[State] = Counter()
    for state, count in readings.items():
        for target, letters in steps.get(state, ()):
            if letters & kind:
                after[target] += count
    return after


def _kinds(sets: Collection[int]) -> list[int]:
    """One character of each kind: no set holds one and not another of the same kind."""
    kinds = [functools.reduce(operator.or_, sets, 0)]
    for one in sets:
        kinds = parted(kinds, one)
    return kinds


def _steps(pattern: str | bytes, flags: int, use: Use, longest: int = 0) -> Steps:
    """The machine of a pattern."""
    return Machine(Places(parser.parse(pattern, flags), longest), use).steps()


# -- how many ways there are to read a text ------------------------------------------


def _degree(steps: Steps) -> float:
    """The power with which the number of ways to read a text grows."""
    circles = [
        frozenset(circle)
        for circle in components(steps, lambda state: _targets(steps, state))
        if _is_circle(circle, steps)
    ]
    if any(_doubles(circle, steps) for circle in circles):
        return inf
    reach = {circle: _reached(steps, circle) for circle in circles}
    pairs = [
        (one, other)
        for one, other in permutations(circles, 2)
        if not other.isdisjoint(reach[one]) and _passes_on(one, other, steps)
    ]
    return _longest_chain(pairs, reach)


def _targets(steps: Steps, state: State) -> list[State]:
    """The states that follow one."""
    return [target for target, _ in steps.get(state, ())]


def _is_circle(states: Collection[State], steps: Steps) -> bool:
    """Whether a text of any length is read within these states."""
    return any(not set(_targets(steps, state)).isdisjoint(states) for state in states)


def _doubles(circle: Collection[State], steps: Steps) -> bool:
    """Whether one text leads in two manners from a state of a circle back to it."""
    inside = {
        state: [step for step in steps.get(state, ()) if step[0] in circle]
        for state in circle
    }
    if any(map(_has_twins, inside.values())):
        return True

    def both(pair: tuple[State, State]) -> list[tuple[State, State]]:
        """Where two readers of the same text may be one character later."""
        return [
            (one, other)
            for (one, read), (other, heard) in product(*map(inside.__getitem__, pair))
            if read & heard
        ]

    together = [(state, state) for state in circle]
    return any(
        len({one == other for one, other in pairs}) > 1
        for pairs in components(together, both)
    )


def _has_twins(steps: Sequence[tuple[State, int]]) -> bool:
    """Whether two of the steps of a state lead to one state at one character."""
    read: defaultdict[State, int] = defaultdict(int)
    for target, letters in steps:
        if read[target] & letters:
            return True
        read[target] |= letters
    return False


def _passes_on(one: Collection[State], other: Collection[State], steps: Steps) -> bool:
    """Whether some text leads round one circle, from it to the other, and round the
    other."""
    inside = {state: [s for s in steps.get(state, ()) if s[0] in one] for state in one}
    beyond = {
        state: [s for s in steps.get(state, ()) if s[0] in other] for state in other
    }

    def all_three(
        three: tuple[State, State, State],
    ) -> Iterator[tuple[State, State, State]]:
        """Where three readers of the same text may be one character later."""
        first, middle, last = three
        for (a, read), (c, heard) in product(inside[first], beyond[last]):
            if common := read & heard:
                for b, seen in steps.get(middle, ()):
                    if seen & common:
                        yield a, b, c

    return any(
        (p, q, q) in visited([(p, p, q)], all_three) for p, q in product(one, other)
    )


def _reached(steps: Steps, states: Iterable[State]) -> set[State]:
    """All states that can follow some."""
    return visited(states, lambda state: _targets(steps, state))


_Circle = frozenset[State]


def _longest_chain(
    pairs: Sequence[tuple[_Circle, _Circle]], reach: dict[_Circle, set[State]]
) -> int:
    """How many pairs of circles come one after the other, at most."""

    @functools.cache
    def chain_from(pair: tuple[_Circle, _Circle]) -> int:
        """The longest that begins with a pair."""
        end = pair[1]
        nexts = (p for p in pairs if p[0] == end or not p[0].isdisjoint(reach[end]))
        return 1 + max(map(chain_from, nexts), default=0)

    return max(map(chain_from, pairs), default=0)
