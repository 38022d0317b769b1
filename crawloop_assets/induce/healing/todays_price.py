"""The price of today beside the original one: where a page begins to state both, most known
prices are the original ones on that day, and what was healed from them reads those. Where
the names of the places say which is which, the field is healed once more, from what the
page says to be today's."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Program, Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.document.price_names import OF_BEFORE, kinds_of, words_of_name
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.proof.numbers_beside import (
    KnownInPlace,
    NumbersBeside,
    known_in_place,
    numbers_beside,
)
from crawloop_assets.induce.proof.todays import todays_numbers
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_FEWEST_HIGHER = 2
HealAgain = Callable[[Sequence[Example]], HealedProgram]
"""Heals once more, from other known records."""


@dataclass(frozen=True)
class _Todays:
    """A field, the known records beside which numbers stand, and those of today (None of a
    record without one)."""

    beside: NumbersBeside
    numbers: tuple[Value | None, ...]

    @property
    def spec(self) -> FieldSpec:
        """The field."""
        return self.beside.spec

    def are_read(self, field: FieldProgram) -> bool:
        """Whether a field reads all of them."""
        return all(
            same(vote_on(field, scope)[0], number, self.spec)
            for scope, number in self._stated()
        )

    def without_former(self, field: FieldProgram) -> FieldProgram:
        """A field without readers of the former numbers, which say those of today where
        both are one."""
        readers = tuple(filterfalse(self._is_of_former, field.readers))
        return field.model_copy(update={"readers": readers})

    def _is_of_former(self, reader: Reader) -> bool:
        """Whether a reader says more than a number of today twice or oftener, and never
        less."""
        signs = Counter(self._signs(reader))
        return signs[1] >= _FEWEST_HIGHER and not signs[-1]

    def _signs(self, reader: Reader) -> Iterator[int]:
        """1 where a reader says more than a number of today, -1 where it says less."""
        for scope, number in self._stated():
            said = read(reader, scope, self.spec)
            if said is not None:
                difference = float(str(said)) - float(str(number))
                yield (difference > 0) - (difference < 0)

    def _stated(self) -> Iterator[tuple[Scope, Value]]:
        """Where each record with a number of today is, and that."""
        scopes = map(attrgetter("scope"), self.beside.rows)
        for scope, number in zip(scopes, self.numbers, strict=True):
            if number is not None:
                yield scope, number

    def healed(self, known: Sequence[Example], heal: HealAgain) -> FieldProgram | None:
        """The field as it is healed from them."""
        made = heal(list(map(self._restated, known))).program
        return made.field(self.spec.name) if made else None

    def _restated(self, example: Example) -> Example:
        """What is known of a page, with the numbers of today, and no others."""
        rows = map(id, map(attrgetter("known"), self.beside.rows))
        numbers = dict(zip(rows, self.numbers, strict=True))
        records = []
        for record in example.records:
            values = {**record, self.spec.name: numbers.get(id(record))}
            records.append(
                {name: values[name] for name in values if values[name] is not None}
            )
        return example.model_copy(update={"records": tuple(records)})


def with_todays_prices(
    schema: RecordSchema,
    program: Program,
    healed: HealedProgram,
    documents: Sequence[Document],
    known: Sequence[Example],
    heal: HealAgain,
) -> HealedProgram:
    """What was healed from a `program` and the known records, with fields that are read in
    the place of today's price where names say which one that is, and without readers of the
    former one beside it."""
    made = healed.program
    if made is None:
        return healed
    rows = list(known_in_place(schema, made, documents, known))
    asked = filter(partial(_is_asked, program), made.fields)
    fields = tuple(map(partial(_of_today, rows, known, heal), asked))
    made = made.as_in(made.model_copy(update={"fields": fields}))
    return healed.model_copy(update={"program": made})


def _is_asked(program: Program, field: FieldProgram) -> bool:
    """Whether neither a field, nor what it was read by before, is called a former price."""
    old = program.field(field.spec.name)
    names = [field.spec.name, *field.spec.aliases]
    names += map(attrgetter("at"), old.all_readers if old else ())
    return not any(
        map(OF_BEFORE.intersection, map(kinds_of, map(words_of_name, names)))
    )


def _of_today(
    rows: Sequence[KnownInPlace],
    known: Sequence[Example],
    heal: HealAgain,
    field: FieldProgram,
) -> FieldProgram:
    """A field as it reads the numbers of today."""
    beside = numbers_beside(field.spec, field, rows)
    if beside is None:
        return field
    numbers = todays_numbers(beside)
    todays = _Todays(beside, numbers or beside.read())
    again = todays.healed(known, heal) if numbers else field
    left = todays.without_former(again or field)
    return left if todays.are_read(left) else field
