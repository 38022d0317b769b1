"""Healing a listing: the old program where it still works, the last known records where they are still on the page,
and else what those records looked like."""

from collections.abc import Sequence
from typing import NamedTuple

from crawloop_assets.crawler.document import Document
from crawloop_assets.crawler.extraction import Example, Value
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.induce.boundary import Record
from crawloop_assets.induce.listing import Scored, induce_on
from crawloop_assets.induce.listing_guess import SURE, VERY_SURE, Profile, gated, guess_listing
from crawloop_assets.record import canonical
from crawloop_assets.schema import Kind, RecordSchema, Shape

_FILLED = 0.9
_ALIKE = 0.7
_FOUND_AGAIN = 2
_MOST_KNOWN = 48


class HealedListing(NamedTuple):
    """The program for the changed pages (None: nothing has to change, or nothing better can be vouched for), why, the
    fields that are vouched for, and those of them that the old program still reads."""

    program: Program | None
    reason: str
    fields: frozenset[str]
    kept: frozenset[str] = frozenset()


def heal_listing(
    schema: RecordSchema, program: Program, documents: Sequence[Document], known: Sequence[Example]
) -> HealedListing:
    """Heal a listing program on pages it drifted on. `known` are last known records by page; few may be left."""
    known = [Example(page=example.page, records=_sample(example.records)) for example in known]
    records = [record for example in known for record in example.records]
    if not records or not documents:
        return HealedListing(None, "no record of these pages is known", frozenset())
    alive = _alive(program, documents, records)
    if alive == _names(program):
        return HealedListing(None, "its records are still found", alive, alive)
    again = _found_again(schema, documents, known)
    if again is not None:
        sure = _alive(again.program, documents, records)
        return HealedListing(gated(again.program, sure), "last known records found again", sure)
    if 2 * len(alive) >= len(program.fields):
        return HealedListing(None, "the records are found, some fields are not", alive, alive)
    return _guessed(schema, documents, records)


def _sample(records: tuple[dict[str, Value], ...]) -> tuple[dict[str, Value], ...]:
    """Records spread evenly over a long list."""
    return records[:: max(1, len(records) // _MOST_KNOWN)]


def _names(program: Program) -> frozenset[str]:
    return frozenset(field.spec.name for field in program.fields)


def _alive(program: Program, documents: Sequence[Document], records: Sequence[Record]) -> frozenset[str]:
    """Fields that every page fills as often as known records do, with values like the known ones."""
    alive = _names(program)
    for document in documents:
        rows = [record.values for record in run(program, document).records]
        alive &= {field.spec.name for field in program.fields if rows and _reads(field, rows, records)}
    return alive


def _reads(field: FieldProgram, rows: Sequence[Record], records: Sequence[Record]) -> bool:
    name = field.spec.name
    before = [record[name] for record in records if name in record]
    usual = len(before) / len(records)
    values = [row[name] for row in rows if name in row]
    if len(values) < _FILLED * usual * len(rows):
        return False
    texts = [value for value in values if isinstance(value, str)]
    if field.spec.kind not in (Kind.TEXT, Kind.URL) or field.spec.shape is not Shape.ONE or not texts or not before:
        return bool(values)
    profile = Profile.of(field.spec, before)
    return profile.share(field.spec, texts) >= _ALIKE * profile.share(field.spec, list(map(str, before)))


def _found_again(schema: RecordSchema, documents: Sequence[Document], known: Sequence[Example]) -> Scored | None:
    """A program made from known records still on the page, if it reads at least two of them nearly whole."""
    for one in induce_on(schema, documents, known)[:1]:
        proved = 0
        for example in known:
            rows = [record.values for record in run(one.program, documents[example.page]).records]
            forms = [{_form(one.program, name, value) for name, value in row.items()} for row in rows]
            for record in example.records:
                wanted = {_form(one.program, name, value) for name, value in record.items()}
                proved += any(len(wanted & form) >= max(2, 0.7 * len(wanted)) for form in forms)
        if proved >= _FOUND_AGAIN:
            return one
    return None


def _form(program: Program, name: str, value: object) -> tuple[str, str]:
    field = program.field(name)
    return name, repr(canonical(value, field.spec)) if field else repr(value)


def _guessed(schema: RecordSchema, documents: Sequence[Document], records: Sequence[Record]) -> HealedListing:
    guess = guess_listing(schema, documents[0], records)
    if guess is None or guess.sureness < SURE:
        return HealedListing(None, "no repetition looks like the known records", frozenset())
    missing = [spec.name for spec in schema.fields if spec.required and spec.name not in guess.fields]
    if missing:
        return HealedListing(None, f"nothing looks like {', '.join(missing)}", frozenset())
    sure = frozenset(name for name, score in guess.fields.items() if score >= VERY_SURE)
    return HealedListing(gated(guess.scored.program, sure), "rows like the known records", sure)
