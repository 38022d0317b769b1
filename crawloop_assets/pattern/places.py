"""A pattern as a machine: the places where it reads a character, and the ways between.

It is the automaton of Glushkov, but a way that can be gone in two manners counts twice:
`re` tries both. What a pattern asks without reading (an edge of a word, what stands
before or behind) is asked of the characters before and after a way.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from re import _constants as codes  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from crawloop_assets.pattern.letters import Letters, Parsed, inner_parsed

_FEW = 16
"""So many copies of a part, in those around it, stand for a repeat; one that is gone
through more often is a circle, as if it had no end."""
_MOST_PLACES = 4_000


class TooManyPlaces(ValueError):
    """The pattern is too large to be judged."""


class Door(NamedTuple):
    """A place where a part of a pattern begins or ends, and what must be the character
    before, and the one after, the passage."""

    place: int
    before: int
    after: int


class Passage(NamedTuple):
    """How a part is passed without reading: what must stand before and after."""

    before: int
    after: int


class Lane(NamedTuple):
    """From a place to the next; the character of the first is one of `before`, that of
    the second one of `after`."""

    start: int
    stop: int
    before: int
    after: int


class Part(NamedTuple):
    """A part of a pattern: where it begins and ends, how it is passed unread."""

    first: list[Door]
    last: list[Door]
    empty: list[Passage]


_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)


class Places:
    """The places of one pattern: what each reads, and all ways between them."""

    def __init__(self, tree: Any, longest: int = 0):
        """Of what `re` parsed; a repeat of one character up to `longest` times is taken
        as a bound on the text, not as a circle. TooManyPlaces for what nobody can
        judge."""
        self._longest = longest
        self.letters = Letters(tree)
        self.reads: list[int] = []
        self.lanes: list[Lane] = []
        self._flags = tree.state.flags
        self._groups: dict[int, Any] = {}
        self.whole = self._sequence(tree, self._flags)

    def _sequence(self, items: Parsed, flags: int) -> Part:
        """Parts one after the other."""
        part = self._nothing()
        for code, argument in items:
            part = self._then(part, self._part(code, argument, flags))
        return part

    def _part(self, code: Any, argument: Any, flags: int) -> Part:
        """One operation."""
        if code in _REPEATS:
            return self._repeated(code, argument, flags)
        return _PARTS[code](self, argument, flags)

    def _nothing(self) -> Part:
        """What is passed without a condition."""
        return Part([], [], [Passage(self.letters.all, self.letters.all)])

    def read(self, letters: int) -> Part:
        """A new place that reads one of these characters."""
        if len(self.reads) >= _MOST_PLACES:
            raise TooManyPlaces(f"more than {_MOST_PLACES:,} places")
        self.reads.append(letters)
        everything = self.letters.all
        door = Door(len(self.reads) - 1, everything, everything)
        return Part([door], [door], [])

    def _then(self, one: Part, other: Part) -> Part:
        """A part and the next one."""
        self._join(one.last, other.first)
        first = one.first + _through(one.empty, other.first)
        last = other.last + _through(other.empty, one.last)
        empty = [
            Passage(a.before & b.before, a.after & b.after)
            for a, b in product(one.empty, other.empty)
        ]
        return Part(first, last, empty)

    def _join(self, last: Iterable[Door], first: Iterable[Door]) -> None:
        """Ways from each end to each beginning."""
        for a, b in product(last, first):
            lane = Lane(a.place, b.place, a.before & b.before, a.after & b.after)
            self.lanes.append(lane)

    def _branches(self, parts: Sequence[Part]) -> Part:
        """One of several parts."""
        one_of = self.never()
        for first, last, empty in parts:
            one_of.first.extend(first)
            one_of.last.extend(last)
            one_of.empty.extend(empty)
        return one_of

    def _repeated(self, code: Any, argument: Any, flags: int) -> Part:
        """A part so many times: as copies if they are few, else as a circle."""
        least, most, items = argument
        if not is_circle(argument):
            return self._copies(items, flags, least, most)
        if most <= self._longest and self._one_character(items, flags) is not None:
            return self._copies(items, flags, min(least, 1), 1)
        required = self._copies(items, flags, min(least, 2) - 1, min(least, 2) - 1)
        circle = self._circle(items, flags, is_optional=not least)
        if code is codes.POSSESSIVE_REPEAT and most is codes.MAXREPEAT:
            circle = self._left_unwillingly(circle, items, flags)
        return self._then(required, circle)

    def _copies(self, items: Parsed, flags: int, least: int, most: int) -> Part:
        """A part `least` times, and up to `most` times."""
        part = self._nothing()
        for _ in range(max(most - least, 0)):
            inner = self._then(self._sequence(items, flags), part)
            part = self._branches([inner, self._nothing()])
        for _ in range(max(least, 0)):
            part = self._then(self._sequence(items, flags), part)
        return part

    def _circle(self, items: Parsed, flags: int, *, is_optional: bool) -> Part:
        """A part any number of times."""
        part = self._sequence(items, flags)
        self._join(part.last, part.first)
        return self._branches([part, self._nothing()]) if is_optional else part

    def _left_unwillingly(self, part: Part, items: Parsed, flags: int) -> Part:
        """A repeat of one character that gives none back ends before another one."""
        read = self._one_character(items, flags)
        if read is None:
            return part
        end = [door._replace(after=door.after & ~read) for door in part.last]
        empty = [lane._replace(after=lane.after & ~read) for lane in part.empty]
        return Part(part.first, end, empty)

    def _one_character(self, items: Parsed, flags: int) -> int | None:
        """What a part reads that is one character; None for any other."""
        ((code, argument), *more) = items or [(None, None)]
        if more or code not in _READING:
            return None
        return _READING[code](self.letters, argument, flags)

    # -- what each operation is ------------------------------------------------------

    def group(self, argument: Any, flags: int) -> Part:
        """A group in brackets, with flags of its own."""
        number, added, taken, items = argument
        self._groups[number] = items
        return self._sequence(items, (flags | added) & ~taken)

    def branch(self, argument: Any, flags: int) -> Part:
        """Alternatives."""
        return self._branches([self._sequence(one, flags) for one in argument[1]])

    def again(self, number: int, flags: int) -> Part:
        """What a group has read, once more: at most what the group could read."""
        return self._uncertain(self._sequence(self._groups[number], flags))

    def condition(self, argument: Any, flags: int) -> Part:
        """One part or another, whether a group has read or not."""
        _, yes, no = argument
        return self._branches([self._sequence(one or [], flags) for one in (yes, no)])

    def _uncertain(self, part: Part) -> Part:
        """A part of which nobody knows whether it is passed."""
        unknown = ~self.letters.certain
        first, last = (
            [door._replace(after=door.after & unknown) for door in doors]
            for doors in part[:2]
        )
        empty = [lane._replace(after=lane.after & unknown) for lane in part.empty]
        return Part(first, last, empty)

    def edge(self, code: Any, flags: int) -> Part:
        """A place that is asked for: the beginning, the end, the edge of a word."""
        return Part(
            [], [], [Passage(*pair) for pair in _edges(self.letters, code, flags)]
        )

    def look(self, argument: Any, flags: int, *, is_there: bool) -> Part:
        """What must stand, or must not stand, before or after."""
        direction, items = argument
        read = self._one_character(items, flags)
        everything = self.letters.all
        if read is None:
            ahead = self._sequence(items, flags).first if direction > 0 else []
            return self._uncertain(Part(ahead, [], self._nothing().empty))
        asked = read | self.letters.certain if is_there else everything & ~read
        if direction > 0:
            return Part([], [], [Passage(everything, asked)])
        return Part([], [], [Passage(asked, everything)])

    def never(self, *_: Any) -> Part:
        """What nothing passes."""
        return Part([], [], [])


def _through(empty: Iterable[Passage], doors: Sequence[Door]) -> list[Door]:
    """Gates beyond what is passed unread."""
    return [
        Door(door.place, door.before & lane.before, door.after & lane.after)
        for lane, door in product(empty, doors)
    ]


def copies(items: Parsed) -> int:
    """How often the innermost part of a pattern is copied; a circle is one copy."""
    most = 1
    for code, argument in items:
        times = max(map(copies, inner_parsed(argument)), default=1)
        if code in _REPEATS and not is_circle(argument):
            times *= max(argument[1], 1)
        most = max(most, times)
    return most


def is_circle(argument: Any) -> bool:
    """Whether a repeat goes on too long for copies of what it repeats."""
    _, top, inner = argument
    return top is codes.MAXREPEAT or top * copies(inner) > _FEW


def _edges(letters: Letters, code: Any, flags: int) -> list[tuple[int, int]]:
    """What may stand before and after an edge."""
    everything, certain = letters.all, letters.certain
    word = letters.of_class(codes.CATEGORY_WORD, flags) | certain
    other = everything & ~word | certain
    lines = letters.newline if flags & re.MULTILINE else 0
    end = letters.end | letters.newline | certain
    return {
        codes.AT_BEGINNING: [(letters.start | lines | certain, everything)],
        codes.AT_BEGINNING_STRING: [(letters.start | certain, everything)],
        codes.AT_END: [(everything, end)],
        codes.AT_END_STRING: [(everything, letters.end | certain)],
        codes.AT_BOUNDARY: [(word, other), (other, word)],
        codes.AT_NON_BOUNDARY: [(word, word), (other, other)],
    }[code]


_READING: dict[Any, Callable[[Letters, Any, int], int]] = {
    codes.LITERAL: Letters.literal,
    codes.NOT_LITERAL: lambda letters, code, flags: (
        letters.any & ~letters.literal(code, flags)
    ),
    codes.IN: Letters.of_set,
    codes.ANY: lambda letters, _, flags: (
        letters.any if flags & re.DOTALL else letters.any & ~letters.newline
    ),
}
"""Operations that read one character, and which."""


def _reader(code: Any) -> Callable[[Places, Any, int], Part]:
    """The part of an operation that reads one character."""
    return lambda places, argument, flags: places.read(
        _READING[code](places.letters, argument, flags)
    )


_PARTS: dict[Any, Callable[[Places, Any, int], Part]] = {
    **{code: _reader(code) for code in _READING},
    codes.SUBPATTERN: Places.group,
    codes.BRANCH: Places.branch,
    codes.AT: Places.edge,
    codes.ASSERT: lambda places, argument, flags: places.look(
        argument, flags, is_there=True
    ),
    codes.ASSERT_NOT: lambda places, argument, flags: places.look(
        argument, flags, is_there=False
    ),
    codes.GROUPREF: Places.again,
    codes.GROUPREF_EXISTS: Places.condition,
    codes.ATOMIC_GROUP: lambda places, items, flags: places._sequence(items, flags),
    codes.FAILURE: Places.never,
}
