"""Fields of which no known record says anything: an example need not be complete, and
without examples few are."""

from collections.abc import Sequence
from dataclasses import replace

from crawloop_assets.crawler.program import FieldProgram, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.ensemble import (
    KnownValue,
    Tried,
    attempt,
    field_program,
    induce,
)
from crawloop_assets.induce.detail.named import NamedValue, PageNames
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.equality import same

_MANY_SAY = 3
_NAMED = 0.5


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
    tried = [attempt(candidate, known, spec) for candidate in best(list(general), 12)]
    silent = [each for each in tried if not each.phantom]
    if len(silent) == len(tried) and records < _MANY_SAY:
        guesses = [names.guess(spec) for names in pages]
        stated = any(each.candidate.reader.src is Source.JSON for each in tried)
        if any(guesses) and (
            _are_sure(guesses)
            or not (stated or (not records and spec.shape is Shape.LIST))
        ):
            return _guessed(pages, guesses, spec)
    spoken = [each for each in tried if 0 < each.phantom < _MANY_SAY]
    kept = _like_the_first(spoken, known, spec) if spoken else silent
    kept = [replace(each, right=1, phantom=0) for each in kept]
    return field_program(kept, spec, known), kept


def _guessed(
    pages: Sequence[PageNames], guesses: Sequence[NamedValue | None], spec: FieldSpec
) -> tuple[FieldProgram, Sequence[Tried]]:
    known = [
        KnownValue(names.index, guess.value if guess else None)
        for names, guess in zip(pages, guesses, strict=True)
    ]
    tried = induce(known, spec)
    if _are_sure(guesses):
        return field_program(tried, spec, known), tried
    named = [each for each in tried if each.candidate.named >= _NAMED]
    field = field_program(named, spec, known)
    return field.model_copy(update={"readers": field.readers[:1]}), named


def _are_sure(guesses: Sequence[NamedValue | None]) -> bool:
    return all(guess.sure for guess in guesses if guess)


def _like_the_first(
    tried: Sequence[Tried], known: Sequence[KnownValue], spec: FieldSpec
) -> list[Tried]:
    said = [
        [read(each.candidate.reader, Scope(one.document), spec) for one in known]
        for each in tried
    ]
    return [
        each
        for each, values in zip(tried, said, strict=True)
        if all(
            same(value, first, spec)
            for value, first in zip(values, said[0], strict=True)
        )
    ]
