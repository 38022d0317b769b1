"""The records of a page none of whose values are known: from repetition, the schema's
words and kinds, and what earlier records looked like."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.boundary import candidates_for
from crawloop_assets.induce.listing.column_fit import FittingColumn, assign_columns
from crawloop_assets.induce.listing.groups import Group, groups
from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.next_link import next_reader
from crawloop_assets.induce.listing.profiles import Profile
from crawloop_assets.induce.listing.programs import program_from
from crawloop_assets.induce.listing.scoring import Scored, score_program
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value

_MOST_TRIED = 3
_MOST_BOUNDARIES = 2
_MANY_ROWS = 30
"""A group of more rows is not more likely to be the records."""


class ListingGuess(NamedTuple):
    """A program for records nobody has confirmed, how sure it is (the mean fit of its
    fields' columns, 0..1), the fit of each, and the fields that could be nowhere else in
    a row and are called so."""

    scored: Scored
    sureness: float
    fields: Mapping[str, float]
    alone: frozenset[str] = frozenset()

    @property
    def very_sure(self) -> frozenset[str]:
        """The fields that are hardly another's column."""
        fits = self.fields.items()
        return frozenset(name for name, fit in fits if fit >= tuned("guess.very_sure"))


class _Proposal(NamedTuple):
    """A group of rows that may be the records, with a column for each field."""

    group: Group
    columns: Mapping[str, FittingColumn]

    @property
    def rank(self) -> tuple[float, int]:
        """Sorts the most likely first: well fitting columns, many rows."""
        fit = sum(map(attrgetter("fit"), self.columns.values()))
        worth = fit * (
            1 + tuned("guess.rows") * min(len(self.group.nodes), _MANY_ROWS) ** 0.5
        )
        return -round(worth, 6), self.group.nodes[0]


def guess_listing(
    schema: RecordSchema, document: Document, known: Sequence[RecordValues] = ()
) -> ListingGuess | None:
    """The most likely program for a page, from the schema alone or with earlier records
    of the family.

    None if no group of elements fits at least two fields.
    """
    profiles = _profiles(schema, known)
    fewest = min(tuned("guess.fewest_fields"), len(schema.fields))
    proposals: list[_Proposal] = []
    for group in groups(document):
        columns = assign_columns(schema, group, profiles, document.base_url)
        if len(columns) >= fewest:
            proposals.append(_Proposal(group, columns))
    proposals.sort(key=lambda proposal: proposal.rank)
    tried = [_guess(schema, document, proposal) for proposal in proposals[:_MOST_TRIED]]
    return max(filter(None, tried), key=_promise, default=None)


def _profiles(
    schema: RecordSchema, known: Sequence[RecordValues]
) -> dict[str, Profile]:
    """Profiles of the fields that earlier records have, by name."""
    profiles: dict[str, Profile] = {}
    for spec in schema.fields:
        values = [record[spec.name] for record in known if spec.name in record]
        if values:
            profiles[spec.name] = Profile.of(spec, values)
    return profiles


def _promise(guess: ListingGuess) -> tuple[float, int]:
    """Sorts guesses by how sure all their fields are together, then by the records
    found."""
    worth = guess.sureness * len(guess.fields) * guess.scored.score
    return worth, guess.scored.found


def guess_on(schema: RecordSchema, documents: Sequence[Document]) -> list[Scored]:
    """The guessed program of the first page that gives a sure one with all required
    fields; empty if none does."""
    for document in documents:
        guess = guess_listing(schema, document)
        if guess is not None and _is_sure_alone(schema, guess):
            program = gated(guess.scored.program, guess.very_sure)
            return [replace(guess.scored, program=program, right=0.0)]
    return []


def _is_sure_alone(schema: RecordSchema, guess: ListingGuess) -> bool:
    """Whether a guess is worth a program that no known record backs."""
    if guess.sureness < tuned("guess.sure_alone"):
        return False
    required = filter(attrgetter("required"), schema.fields)
    return all(spec.name in guess.fields for spec in required)


def gated(program: Program, sure: frozenset[str]) -> Program:
    """The program with one reader for each unsure field, so that it never passes a gate
    that asks for two."""
    fields = []
    for field in program.fields:
        if field.spec.name not in sure:
            field = field.model_copy(update={"readers": field.readers[:1]})
        fields.append(field)
    return program.model_copy(update={"fields": tuple(fields)})


def _whole_rows(
    schema: RecordSchema, proposal: _Proposal, base_url: str
) -> tuple[dict[int, int], list[RecordValues]]:
    """The rows that have a value in all columns but one, which may be empty here and
    there, as records, and the element of each by the record's index."""
    nodes: dict[int, int] = {}
    records: list[RecordValues] = []
    for index, row in enumerate(proposal.group.rows):
        record = _record(schema, proposal.columns, index, base_url)
        if len(record) >= len(proposal.columns) - 1:
            nodes[len(records)] = row
            records.append(record)
    return nodes, records


def _guess(
    schema: RecordSchema, document: Document, proposal: _Proposal
) -> ListingGuess | None:
    """The best program for the rows of a group; None if they give none."""
    columns = proposal.columns
    nodes, records = _whole_rows(schema, proposal, document.base_url)
    if len(records) < tuned("guess.fewest_records"):
        return None
    best = _best_program(schema, document, nodes, records)
    if best is None:
        return None
    fields = {name: round(fitting.fit, 4) for name, fitting in columns.items()}
    alone = frozenset(name for name, one in columns.items() if one.alone)
    sureness = round(sum(fields.values()) / len(fields), 4)
    return ListingGuess(best, sureness, fields, alone)


def _best_program(
    schema: RecordSchema,
    document: Document,
    nodes: Mapping[int, int],
    records: Sequence[RecordValues],
) -> Scored | None:
    """The program that reads the rows best, as if their columns were known records."""
    scored: list[Scored] = []
    onward = next_reader(document)
    for candidate in candidates_for(document, nodes)[:_MOST_BOUNDARIES]:
        program = program_from(schema, document, records, candidate, onward)
        if program is not None:
            scored.append(score_program(program, candidate, records))
    return max(scored, key=lambda program: program.score, default=None)


def _record(
    schema: RecordSchema,
    columns: Mapping[str, FittingColumn],
    row: int,
    base_url: str,
) -> dict[str, Value]:
    """The values of one row by its columns."""
    record: dict[str, Value] = {}
    for name, fitting in columns.items():
        text = fitting.column.texts[row]
        value = parse_value(text, schema.field(name), base_url) if text else None
        if value is not None:
            record[name] = value
    return record
