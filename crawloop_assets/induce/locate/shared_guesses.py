"""Flags that are guessed at in one place of pages or rows: "Smokes" beside "Smoker" is one of
them at most, and no example tells which."""

from collections import defaultdict
from collections.abc import Iterable
from operator import attrgetter

from crawloop_assets.crawler.program import FieldProgram, Kin, Reader
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.schema import FieldKind


def shared_guesses(fields: Iterable[FieldProgram]) -> dict[str, list[str]]:
    """The names of the flags that are only guessed at, in a place where another one is, too, each
    with all that are there."""
    by_place: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for one in filter(_is_guessed, fields):
        by_place[_place(one.readers)].append(one.spec.name)
    several = (names for names in by_place.values() if len(names) > 1)
    return {name: names for names in several for name in names}


def left_out(fields: Iterable[FieldProgram]) -> dict[str, list[str]]:
    """Those of them that a record may lack: they are not read. Without the others there would be
    no version that a person could look at."""
    every = list(fields)
    shared = shared_guesses(every)
    names = (one.spec.name for one in every if not one.spec.required)
    return {name: shared[name] for name in names if name in shared}


def _is_guessed(field: FieldProgram) -> bool:
    """Whether a field is a flag by one reader that nothing names."""
    kinds = set(map(attrgetter("kin"), field.readers))
    return field.spec.kind is FieldKind.BOOLEAN and kinds == {Kin.OTHER}


def _place(readers: tuple[Reader, ...]) -> tuple[str, ...]:
    """Where a field is read first, and what is cut out there, whatever it stands for."""
    first = readers[0]
    cuts = (str(step) for step in first.pipe if step.op is not Op.MAP)
    return first.src.value, first.at, first.get, *cuts
