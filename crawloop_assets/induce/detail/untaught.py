"""Fields of which no known record says anything: an example need not be complete, and
without examples few are."""

from collections.abc import Sequence
from dataclasses import replace

from crawloop_assets.crawler.program import FieldProgram, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.ensemble import field_program
from crawloop_assets.induce.detail.named import NamedValue, PageNames
from crawloop_assets.induce.detail.trials import KnownValue, Tried, attempt, induce
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_ENOUGH_RECORDS = 3  # so many that agree that a field is absent do so by no chance
_NAMED = 0.5  # of the field's words; what a guess is read by has as many
_MOST_TRIED = 12


def untaught_field(
    pages: Sequence[PageNames],
    records: int,
    spec: FieldSpec,
    general: Sequence[CandidateReader],
) -> tuple[FieldProgram, Sequence[Tried]]:
    """The program of a field that no known record has, and what was tried.

    `records`: how many are known; `general`: readers made without values.

    Where general readers speak on a known page, the records are taken to leave the
    field out. Nothing has proved those readers but each other: the best stays, with
    those that say the same as it. Where none speaks, what the names on the page say is
    taken for the value: by labels and class names alike it is as good as known, by one
    of them alone it is a guess that one reader makes and nobody confirms. It is not
    even that where the page's data would have a place for the field, and of a list
    where no record is known: nothing says where it ends. Where many records agree that
    the field is absent, what is read there is something else. Else all general readers
    may vote on pages to come.
    """
    known = [KnownValue(names.index, None) for names in pages]
    tried = [
        attempt(candidate, known, spec)
        for candidate in best(list(general), _MOST_TRIED)
    ]
    silent = [trial for trial in tried if not trial.phantom]
    if len(silent) == len(tried) and records < _ENOUGH_RECORDS:
        guesses = [names.guess(spec) for names in pages]
        if _may_guess(guesses, tried, records, spec):
            return _guessed(pages, guesses, spec)
    spoken = [trial for trial in tried if 0 < trial.phantom < _ENOUGH_RECORDS]
    kept = _agreeing_with_first(spoken, known, spec) if spoken else silent
    kept = [replace(trial, right=1, phantom=0) for trial in kept]
    return field_program(kept, spec, known), kept


def _may_guess(
    guesses: Sequence[NamedValue | None],
    tried: Sequence[Tried],
    records: int,
    spec: FieldSpec,
) -> bool:
    if not any(guesses):
        return False
    if _are_sure(guesses):
        return True
    if any(trial.candidate.reader.src is Source.JSON for trial in tried):
        return False
    return records > 0 or spec.shape is not Shape.LIST


def _guessed(
    pages: Sequence[PageNames], guesses: Sequence[NamedValue | None], spec: FieldSpec
) -> tuple[FieldProgram, Sequence[Tried]]:
    """The program of a field as if the guesses were known; of one reader if they are
    not sure."""
    known = [
        KnownValue(names.index, guess.value if guess else None)
        for names, guess in zip(pages, guesses, strict=True)
    ]
    tried = induce(known, spec)
    if _are_sure(guesses):
        return field_program(tried, spec, known), tried
    named = [trial for trial in tried if trial.candidate.named >= _NAMED]
    field = field_program(named, spec, known)
    return field.model_copy(update={"readers": field.readers[:1]}), named


def _are_sure(guesses: Sequence[NamedValue | None]) -> bool:
    return all(guess.sure for guess in guesses if guess)


def _agreeing_with_first(
    tried: Sequence[Tried], known: Sequence[KnownValue], spec: FieldSpec
) -> list[Tried]:
    """The trials that read on every page what the first of them reads."""
    wanted = _values(tried[0], known, spec)
    agreeing: list[Tried] = []
    for trial in tried:
        pairs = zip(_values(trial, known, spec), wanted, strict=True)
        if all(same(value, first, spec) for value, first in pairs):
            agreeing.append(trial)
    return agreeing


def _values(
    trial: Tried, known: Sequence[KnownValue], spec: FieldSpec
) -> list[Value | None]:
    reader = trial.candidate.reader
    return [read(reader, Scope(page.document), spec) for page in known]
