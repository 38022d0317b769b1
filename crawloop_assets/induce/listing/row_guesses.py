"""Fields of rows that too few known rows tell, where a person looks at what is made: the one
place that says what they are known to say, and other things in other rows."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, islice, starmap
from operator import attrgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import scopes
from crawloop_assets.crawler.program import FieldProgram, Program, Reader
from crawloop_assets.crawler.read import Scope, read, transformed_texts
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.borrowed_words import is_borrowed
from crawloop_assets.induce.listing.judging import (
    FoundReader,
    judge_location,
    judge_reader,
)
from crawloop_assets.induce.listing.locations import KnownCell, find_locations
from crawloop_assets.induce.listing.otherwise import (
    marked_rows,
    places_of_words,
    row_places,
)
from crawloop_assets.induce.listing.phantoms import PlacedRow, rows_of_records
from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.induce.locate.few_words import guessed_words
from crawloop_assets.induce.locate.lone_column import (
    PricedReader,
    as_guess,
    lone_column,
)
from crawloop_assets.induce.locate.own_badges import own_badge
from crawloop_assets.induce.locate.scales import own_unit_pipes
from crawloop_assets.induce.locate.shared_guesses import left_out
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.equality import same

_MOST_ROWS = 60
_FEWEST_CHOICES = 2
"""Rows of both kinds: then words of a flag's own name tell it."""


def with_guesses(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    examples: Sequence[Example],
) -> Program:
    """A program of rows with the fields that no reader gives, or none as all known rows have
    them, as far as one place of the rows may be theirs, and no other one's."""
    boundary = program.record
    if boundary is None:
        return program
    of_pages = map(partial(scopes, boundary=boundary), documents)
    rows = list(islice(chain.from_iterable(of_pages), _MOST_ROWS))
    of_examples = map(partial(_known_rows, program, documents), examples)
    known = list(chain.from_iterable(of_examples))
    right = filter(partial(_reads_all, known), program.fields)
    names = set(map(attrgetter("spec.name"), right))
    missing = filterfalse(names.__contains__, map(attrgetter("name"), schema.fields))
    guessed = partial(_guessed_field, known=known, rows=rows)
    made = chain.from_iterable(map(guessed, map(schema.field, missing)))
    fields = {one.spec.name: one for one in chain(program.fields, made)}
    left = filterfalse(left_out(fields.values(), rows).__contains__, fields)
    kept = tuple(map(fields.__getitem__, left))
    return program.model_copy(update={"fields": kept})


def _reads_all(known: Sequence[PlacedRow], field: FieldProgram) -> bool:
    """Whether each known row that has a field is read right by one of its readers."""
    return all(map(partial(_is_read, field), _cells(field.spec, known)))


def _is_read(field: FieldProgram, cell: KnownCell) -> bool:
    """Whether one of the readers of a field gives what is known of a row."""
    said = map(partial(read, scope=cell.scope, spec=field.spec), field.all_readers)
    return any(map(partial(same, cell.value, spec=field.spec), said))


def _known_rows(
    program: Program, documents: Sequence[Document], example: Example
) -> Iterator[PlacedRow]:
    """The rows of an example."""
    return rows_of_records(program, documents[example.page], example.records)


def _guessed_field(
    spec: FieldSpec, known: Sequence[PlacedRow], rows: Sequence[Scope]
) -> list[FieldProgram]:
    """The field by the reader of the one place that may be its own."""
    cells = _cells(spec, known)
    most = len(rows) - tuned("few_words.fewest_again")
    if not 0 < len(cells) <= most:
        return []
    readers = _GUESSED[is_choice(spec)](spec, cells, rows)
    return [FieldProgram(spec=spec, readers=(one,), usual=1) for one in readers]


def _cells(spec: FieldSpec, known: Sequence[PlacedRow]) -> list[KnownCell]:
    """The known rows that have a field."""
    return [
        KnownCell.of(spec, row.scope, row.known[spec.name], row.known)
        for row in known
        if row.known.get(spec.name) is not None
    ]


def _words(
    spec: FieldSpec, cells: Sequence[KnownCell], rows: Sequence[Scope]
) -> list[Reader]:
    """By words of a flag's own name that stand where it is so, else by words that may stand
    for the choices."""
    named = marked_rows(spec, cells, _FEWEST_CHOICES)
    if named:
        return [as_guess(place) for place, _ in named]
    known = list(map(attrgetter("scope", "value"), cells))
    if badge := own_badge(spec, known, rows, "."):
        return badge
    places = dict(places_of_words(spec, cells[0].scope))
    borrowed = partial(is_borrowed, spec, cells)
    return guessed_words(spec, known, rows, places, borrowed)


def _column(
    spec: FieldSpec, cells: Sequence[KnownCell], rows: Sequence[Scope]
) -> list[Reader]:
    """By what stands in other rows where the known ones say the value."""
    judged = partial(judge_location, spec, samples=cells, others=rows)
    found = chain.from_iterable(map(judged, find_locations(spec, cells)))
    whole = list(filter(_is_right, found)) or _in_units(spec, cells, rows)
    sure = map(attrgetter("reader", "prior"), whole)
    readers = list(map(PricedReader._make, sure))
    reader = lone_column(readers, spec, cells[0].scope, cells[0].value, rows)
    return list(filter(None, (reader,)))


def _in_units(
    spec: FieldSpec, cells: Sequence[KnownCell], rows: Sequence[Scope]
) -> list[FoundReader]:
    """The readers of the places that say the known numbers in a unit: "1 h 25 min" for 85."""
    in_unit = partial(_of_place, spec, cells, rows)
    found = starmap(in_unit, row_places(spec, cells[0].scope))
    return list(filter(_is_right, chain.from_iterable(found)))


def _of_place(
    spec: FieldSpec,
    cells: Sequence[KnownCell],
    rows: Sequence[Scope],
    place: Reader,
    prior: float,
) -> Iterator[FoundReader]:
    """The readers of a place in each unit in which it says a known number."""
    texts = ("".join(transformed_texts(place, one.scope)[:1]) for one in cells)
    pairs = zip(texts, map(attrgetter("value"), cells), strict=True)
    for pipe in own_unit_pipes(pairs, spec):
        reader = place.model_copy(update={"pipe": (*place.pipe, *pipe)})
        yield judge_reader(spec, reader, cells, rows, prior)


def _is_right(found: FoundReader) -> bool:
    """Whether all known rows are read right."""
    return found.right == 1.0


_GUESSED = {True: _words, False: _column}
"""How a field is guessed at, by whether it is a choice."""
