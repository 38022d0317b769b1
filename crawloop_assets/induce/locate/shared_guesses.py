"""Flags that are guessed at in one place of pages or rows: "Smokes" beside "Smoker" is one of
them at most, and no example tells which. And those at a place that says what another field
is: "Manual" is the gearbox of a car, whatever agrees with it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.crawler.program import FieldProgram, Kin, Reader
from crawloop_assets.crawler.read import Scope, read, transformed_texts
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.schema import FieldKind
from crawloop_assets.values.text import letters


def shared_guesses(fields: Iterable[FieldProgram]) -> dict[str, list[str]]:
    """The names of the flags that are only guessed at, in a place where another one is, too, each
    with all that are there."""
    by_place: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for one in filter(_is_guessed, fields):
        by_place[_place(one.readers)].append(one.spec.name)
    several = (names for names in by_place.values() if len(names) > 1)
    return {name: names for names in several for name in names}


def left_out(
    fields: Iterable[FieldProgram], scopes: Sequence[Scope]
) -> dict[str, list[str]]:
    """Those of them that a record may lack, and those that say what another field is in all
    pages or rows: they are not read. Without the others there would be no version that a
    person could look at."""
    every = list(fields)
    shared = shared_guesses(every) | dict(_of_others(every, scopes))
    names = (one.spec.name for one in every if not one.spec.required)
    return {name: shared[name] for name in names if name in shared}


def _of_others(
    fields: Sequence[FieldProgram], scopes: Sequence[Scope]
) -> Iterator[tuple[str, list[str]]]:
    """The flags that are guessed at where another field says the same, each with that."""
    known = {
        tuple(map(partial(_value, other), scopes)): other.spec.name
        for other in filterfalse(_is_guessed, fields)
    }
    for one in filter(_is_guessed, fields):
        said = tuple(map(partial(_said, one.readers[0]), scopes))
        if said in known:
            yield one.spec.name, [one.spec.name, known[said]]


def _said(reader: Reader, scope: Scope) -> str:
    """The letters of what a place says, before it stands for anything."""
    pipe = tuple(step for step in reader.pipe if step.op is not Op.MAP)
    place = reader.model_copy(update={"pipe": pipe})
    return letters("".join(transformed_texts(place, scope)[:1]))


def _value(field: FieldProgram, scope: Scope) -> str:
    """The letters of what the first reader of a field reads."""
    values = (read(reader, scope, field.spec) for reader in field.readers[:1])
    return letters("".join(map(str, values)))


def _is_guessed(field: FieldProgram) -> bool:
    """Whether a field is a flag by one reader that nothing names."""
    kinds = set(map(attrgetter("kin"), field.readers))
    return field.spec.kind is FieldKind.BOOLEAN and kinds == {Kin.OTHER}


def _place(readers: tuple[Reader, ...]) -> tuple[str, ...]:
    """Where a field is read first, and what is cut out there, whatever it stands for."""
    first = readers[0]
    cuts = (str(step) for step in first.pipe if step.op is not Op.MAP)
    return first.src.value, first.at, first.get, *cuts
