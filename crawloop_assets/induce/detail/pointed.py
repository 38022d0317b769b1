"""A field of which a person says one value: readers of the place where it stands.

A value that a page shows by chance is no evidence, but a person who names the field is.
So every place of the value counts, whatever names it. Where several places give it on
that page and something else on others, nothing tells them apart but the person: then
the places are named, and one has to be pointed at.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import filterfalse
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.candidates import possible_candidates
from crawloop_assets.induce.detail.ensemble import field_program
from crawloop_assets.induce.detail.nowhere import NOWHERE, nowhere
from crawloop_assets.induce.detail.objects import object_as_said
from crawloop_assets.induce.detail.pointed_places import (
    Gives,
    chosen_readers,
    gives,
    reader_at,
)
from crawloop_assets.induce.detail.pointed_texts import readers_of_texts, unworded
from crawloop_assets.induce.detail.still_there import as_seen, still_there
from crawloop_assets.induce.detail.structured import main_roots
from crawloop_assets.induce.detail.trials import (
    KnownValue,
    Tried,
    attempt,
    pages_with_value,
)
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.label_lines import lines_saying
from crawloop_assets.induce.locate.lasting import mark_passing
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.scales import in_other_units
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.induce.trust import tuned
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import Value

_SAY_OF_ONE = "say of one of those what it has, or that it has none"
_FEWEST_SAME = 2
"""Pages on which another field is read, too: on one it may be so by chance."""
_AS_NUMBERS = {FieldKind.INTEGER: FieldKind.NUMBER}
_FEWEST_LACKING = 3
"""Fewer pages that had none may all have one by now."""
_MOST_TRIED = 60
_POINTED = CandidateReader(Reader(src=Source.CSS, at="."), prior=1.0, named=1.0)


class PointedField(NamedTuple):
    """A field that was taught; without readers, `reason` says what to point at, and
    `is_lost` whether no row is found that it was said of."""

    program: FieldProgram
    reason: str
    is_lost: bool = False

    @property
    def is_nowhere(self) -> bool:
        """Whether nothing of what was said is where it was looked for."""
        return self.reason.startswith(NOWHERE)


class PointedAt(NamedTuple):
    """Where a field may be: the place that was pointed at, "" for none, the readers of
    before, and what is read of `others`, which is none of this one."""

    at: str = ""
    old: Sequence[Reader] = ()
    others: Sequence[Gives] = ()


ANYWHERE = PointedAt()


def pointed_fields(
    schema: RecordSchema,
    pages: Sequence[Page],
    known: Sequence[Example],
    lessons: Sequence[Lesson],
    before: Sequence[FieldProgram] = (),
    captures: Sequence[Page] = (),
) -> dict[str, PointedField]:
    """Each taught field, read at the place of what was said, and of what is known of
    other pages where that still stands. Where nothing is just that, a text of the place
    that the version `before` reads may say it in other words; what that reads of another
    field is no place of this one. By a class that earlier `captures` of the pages lack no
    place is known again."""
    documents = list(map(Document, pages))
    mark_passing(documents, captures)
    main = main_roots(documents, schema)
    indexes = [Index(document, schema.name, main) for document in documents]
    found = {}
    readers = dict(map(attrgetter("spec.name", "readers"), before))
    taught = frozenset(map(attrgetter("field"), lessons))
    others = [field for field in before if field.spec.name not in taught]
    for spec in schema.fields:
        of_field = [lesson for lesson in lessons if lesson.field == spec.name]
        if of_field:
            said = {lesson.page: lesson.value for lesson in of_field}
            both = dict(still_there(spec, indexes, known, said)) | said
            there = PointedAt(
                of_field[-1].at,
                readers.get(spec.name, ()),
                _read_of_others(spec, others, documents),
            )
            one = pointed_field(spec, _on_pages(indexes, both), there)
            if one.reason or _are_there_by_chance(spec, len(both) - len(said)):
                one = pointed_field(spec, _on_pages(indexes, said), there)
            found[spec.name] = one
    return found


def _read_of_others(
    spec: FieldSpec, fields: Sequence[FieldProgram], documents: Sequence[Document]
) -> list[Gives]:
    """What is read of each of other fields of the same kind, page by page."""
    kind = _AS_NUMBERS.get(spec.kind, spec.kind)
    scopes = list(map(Scope, documents))
    return [
        tuple(canonical(vote_on(field, scope)[0], spec) for scope in scopes)
        for field in fields
        if _AS_NUMBERS.get(field.spec.kind, field.spec.kind) is kind
        and field.spec.shape is spec.shape
    ]


def _are_there_by_chance(spec: FieldSpec, count: int) -> bool:
    """Whether so few known values still stand on their pages, of a field that may be another
    one every day: yesterday's number of bids may be the day of an auction."""
    return spec.volatile and count < tuned("recurrence.fewest_pages")


def _on_pages(
    indexes: Sequence[Index], values: Mapping[int, Value]
) -> list[KnownValue]:
    """All pages, with the values of some, or that they have none."""
    return [
        KnownValue(one, values.get(at), has_record=at in values)
        for at, one in enumerate(indexes)
    ]


def pointed_field(
    spec: FieldSpec, pages: Sequence[KnownValue], there: PointedAt = ANYWHERE
) -> PointedField:
    """The field, from the pages of which its value was said, and others (None): of those
    that were known to have none as little as can be is read."""
    if spec.kind is FieldKind.OBJECT:
        made = object_as_said(spec, pages)
        return PointedField(made, "" if made.all_readers else nowhere(spec, "", ()))
    return _at_its_place(spec, pages, there)


def _at_its_place(
    spec: FieldSpec, pages: Sequence[KnownValue], there: PointedAt
) -> PointedField:
    taught = pages_with_value(pages)
    scopes = [Scope(page.document) for page in pages]
    tried, at = _as_said(spec, taught, scopes, there), there.at
    if not tried:
        tried = _of_texts(spec, pages, there) or _in_another_unit(spec, taught, at)
        at = "" if tried else at  # each of them is there
    lacking = [page for page in pages if page.value is None and page.has_record]
    quiet, phantoms = _quietest(spec, tried, lacking)
    chosen, reason = chosen_readers(spec, quiet, scopes, at)
    if not quiet:
        reason = nowhere(spec, there.at, map(attrgetter("value"), taught))
    if not reason and len(taught) == 1:
        reason = _read_without(phantoms, len(lacking))
    if reason:
        return PointedField(FieldProgram(spec=spec), reason)
    return PointedField(field_program(chosen, spec, taught), "")


def _quietest(
    spec: FieldSpec, tried: Sequence[Tried], lacking: Sequence[KnownValue]
) -> tuple[list[Tried], int]:
    """The readers that read something on the fewest pages that were known to have none,
    and on how many: that a record has none may be over by now."""
    counts = [attempt(one.candidate, lacking, spec).phantom for one in tried]
    fewest = min(counts, default=0)
    counted = zip(tried, counts, strict=True)
    return [one for one, count in counted if count == fewest], fewest


def _read_without(phantoms: int, lacking: int) -> str:
    """What speaks against the only place of one value that was said: something stands
    there on most pages that had none; "" if nothing does."""
    if lacking < _FEWEST_LACKING or 2 * phantoms <= lacking:
        return ""
    return f"where it stands {phantoms} of {lacking} pages that had none have something, too: {_SAY_OF_ONE}"


def _candidates(
    spec: FieldSpec, taught: Sequence[KnownValue], at: str
) -> Iterator[CandidateReader]:
    """The place that was pointed at, and all where just what was said stands, behind the
    label or among the words of a line as well: rows that a page lacks move none."""
    if at:
        yield _POINTED._replace(reader=reader_at(at))
    for page in taught:
        yield from unworded(possible_candidates(page.index, page.value, spec))
        for reader in lines_saying(page.document, page.value, spec):
            yield CandidateReader(reader, tuned("scales.prior"), 0.0)


def _tried(
    spec: FieldSpec,
    taught: Sequence[KnownValue],
    candidates: Iterable[CandidateReader],
) -> Iterator[Tried]:
    """Every reader that gives what was said on each page of which it was."""
    for candidate in best(candidates, _MOST_TRIED):
        trial = attempt(candidate, taught, spec)
        if trial.right == len(taught):
            yield trial


def _as_said(
    spec: FieldSpec,
    taught: Sequence[KnownValue],
    scopes: Sequence[Scope],
    there: PointedAt,
) -> list[Tried]:
    """The readers of just what was said: none where a place that was pointed at says
    something else, nor, if there are any others, those of other fields."""
    tried = list(_tried(spec, taught, _candidates(spec, taught, there.at)))
    if there.at:
        return tried if any(map(partial(_is_at, there.at), tried)) else []
    is_another = partial(_is_of_another, spec, scopes, there.others)
    own = list(filterfalse(is_another, tried)) or tried
    given = [gives(one.candidate.reader, spec, scopes) for one in own]
    return as_seen(spec, own, given)


def _is_at(at: str, trial: Tried) -> bool:
    """Whether a reader is just that of the place that was pointed at."""
    return trial.candidate.reader == reader_at(at)


def _is_of_another(
    spec: FieldSpec, scopes: Sequence[Scope], others: Sequence[Gives], trial: Tried
) -> bool:
    """Whether a reader gives what is read of another field, on several pages."""
    given = gives(trial.candidate.reader, spec, scopes)
    return given in others and len(given) - given.count(None) >= _FEWEST_SAME


def _of_texts(
    spec: FieldSpec, pages: Sequence[KnownValue], there: PointedAt
) -> list[Tried]:
    """The readers that make what was said of a longer text, where one is pointed at there:
    those that leave it to the letter, if any do."""
    taught = pages_with_value(pages)
    at = list(map(reader_at, filter(None, [there.at])))
    tried = list(_tried(spec, taught, readers_of_texts(pages, spec, at, there.old)))
    is_as_said = partial(_is_as_said, taught=taught, spec=spec)
    return list(filter(is_as_said, tried)) or tried


def _in_another_unit(
    spec: FieldSpec, taught: Sequence[KnownValue], at: str
) -> list[Tried]:
    """The readers of what was said in a unit that differs by a power of ten, if nothing
    was pointed at: a page may say metres where the field has centimetres."""
    found = list[CandidateReader]()
    as_said = spec.model_copy(update={"kind": FieldKind.NUMBER})
    for page in taught[: not at]:
        for step, said in in_other_units(page.value, spec):
            there = possible_candidates(page.index, said, as_said)
            found += map(partial(_then, step), there)
    return list(_tried(spec, taught, found))


def _then(step: Step, candidate: CandidateReader) -> CandidateReader:
    """A candidate that does one thing more."""
    reader = candidate.reader
    pipe = {"pipe": (*reader.pipe, step)}
    return candidate._replace(reader=reader.model_copy(update=pipe))


def _is_as_said(trial: Tried, taught: Sequence[KnownValue], spec: FieldSpec) -> bool:
    """Whether a reader gives what was said to the letter, with no full stop behind it."""
    reader = trial.candidate.reader
    read_on = [read(reader, Scope(page.document), spec) for page in taught]
    return read_on == list(map(attrgetter("value"), taught))
