"""The states of a pattern between which `re` can go to and fro, for one use of it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import chain, product
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.pattern.letters import parted
from crawloop_assets.pattern.places import Lane, Places


class Use(StrEnum):
    """What a pattern is asked for."""

    SEARCH = "search"  # anywhere in the text: also findall, sub, split
    MATCH = "match"  # where the text begins
    FULLMATCH = "fullmatch"  # the text as a whole


class State(NamedTuple):
    """A place, and which of its characters was read there."""

    place: int
    letters: int


Steps = Mapping[State, list[tuple[State, int]]]
"""From each state: where to, reading one of which characters."""


def _steps_at(steps: Steps, letters: int) -> Iterator[tuple[State, int]]:
    """The steps from the states that have read one of some letters."""
    for state, onward in steps.items():
        if state.letters & letters:
            yield from onward


class Machine:
    """The states of a pattern between which `re` can go to and fro.

    A place from which the pattern surely holds is left once and for all: what is tried
    behind it is tried once for each character of the text. So all such places are one,
    the walker, which also begins the search at each character.
    """

    def __init__(self, places: Places, use: Use):
        """The machine of the places of a pattern for one use."""
        self._places, self._use = places, use
        letters = places.letters
        (walker,) = places.read(letters.any).first
        (start,) = places.read(letters.start).first
        self._walker, self._start = walker.place, start.place
        lanes = [
            *places.lanes,
            Lane(walker.place, walker.place, letters.all, letters.all),
        ]
        lanes += self._beginnings()
        self._states = self._split(lanes)
        self._lanes = _by_start(lanes)

    def _beginnings(self) -> Iterator[Lane]:
        """The ways into the pattern: from before the text, in a search from each
        character."""
        starts = [self._start]
        if self._use is Use.SEARCH:
            starts.append(self._walker)
        for start, door in product(starts, self._places.whole.first):
            yield Lane(start, door.place, door.before, door.after)

    def _split(self, lanes: Iterable[Lane]) -> dict[int, list[State]]:
        """The states of each place: characters that some way out of it tells apart are
        different states."""
        blocks = {place: [read] for place, read in enumerate(self._places.reads)}
        asked = {(lane.start, lane.before) for lane in lanes}
        asked.update((door.place, door.before) for door in self._places.whole.last)
        for place, before in asked:
            blocks[place] = parted(blocks[place], before)
        return {
            place: [State(place, block) for block in own]
            for place, own in blocks.items()
        }

    def _next(self, state: State) -> Iterator[tuple[State, int, bool]]:
        """Where a state leads, reading what, and whether nothing else is asked."""
        certain = self._places.letters.certain
        for lane in self._lanes[state.place]:
            if state.letters & ~lane.before:
                continue
            is_certain = bool(lane.after & lane.before & certain)
            for target in self._states[lane.stop]:
                if letters := target.letters & lane.after:
                    yield target, letters, is_certain

    def steps(self) -> Steps:
        """The steps that can be taken back, from each state."""
        sure = self._sure()
        back: dict[State, list[tuple[State, int]]] = {}
        for state in self._all_states():
            found = [step[:2] for step in self._next(state) if step[0] not in sure]
            back[state] = found
        walked = {state: back.pop(state) for state in sure}
        walkers = {state: back.pop(state) for state in self._states[self._walker]}
        back.update(self._walk(walkers, walked))
        return back

    def _walk(
        self,
        walkers: Mapping[State, list[tuple[State, int]]],
        walked: Mapping[State, list[tuple[State, int]]],
    ) -> Steps:
        """The steps of the walker: its own, and at the same characters those of the
        sure states it stands for."""
        blocks = list(map(attrgetter("letters"), walkers))
        for state, steps in walked.items():
            blocks = parted(blocks, state.letters) if steps else blocks
        on = [(State(self._walker, block), block) for block in blocks]
        found: dict[State, list[tuple[State, int]]] = {}
        for start, block in on:
            own = chain(_steps_at(walkers, block), _steps_at(walked, block))
            left = [step for step in own if step[0] not in walkers]
            found[start] = [*on, *dict.fromkeys(left)]
        return found

    def _all_states(self) -> Iterator[State]:
        """Every state of every place."""
        yield from chain.from_iterable(self._states.values())

    def _sure(self) -> set[State]:
        """The states from which the pattern holds whatever follows."""
        if self._use is Use.FULLMATCH:
            return set()
        own = (self._walker, self._start)
        sure = {state for state in self._all_states() if state.place not in own}
        while doubtful := {state for state in sure if not self._holds(state, sure)}:
            sure -= doubtful
        return sure

    def _holds(self, state: State, sure: Collection[State]) -> bool:
        """Whether the pattern ends in a state, or goes on to a sure one, at whatever
        follows."""
        letters = self._places.letters
        followed = 0
        for asked in self._ends(state):
            followed |= asked
        for target, read, is_certain in self._next(state):
            is_whole = read == target.letters
            if is_certain and is_whole and target in sure:
                followed |= read
        return not (letters.any | letters.end) & ~followed

    def _ends(self, state: State) -> Iterator[int]:
        """What may follow where the pattern ends in a state, as far as it is known."""
        certain = self._places.letters.certain
        for door in self._places.whole.last:
            is_here = door.place == state.place and not state.letters & ~door.before
            if is_here and door.before & door.after & certain:
                yield door.after


def _by_start(lanes: Iterable[Lane]) -> dict[int, list[Lane]]:
    """The ways out of each place."""
    found: defaultdict[int, list[Lane]] = defaultdict(list)
    for lane in lanes:
        found[lane.start].append(lane)
    return found
