"""Fields of which no known record says anything: an example need not be complete, and
without examples few are."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import filterfalse, starmap
from operator import attrgetter, itemgetter

from crawloop_assets.crawler.program import FieldProgram, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.ensemble import field_program
from crawloop_assets.induce.detail.named import NamedValue, PageNames
from crawloop_assets.induce.detail.trials import KnownValue, Tried, attempt, induce
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_MOST_TRIED = 12


def untaught_field(
    pages: Sequence[PageNames],
    records: int,
    spec: FieldSpec,
    general: Sequence[CandidateReader],
    unseen: Sequence[CandidateReader] = (),
    rows: Sequence[Mapping[str, Value]] = (),
) -> tuple[FieldProgram, Sequence[Tried]]:
    """The program of a field that no known record has, and what was tried.

    `records`: how many are known; `general`: readers made without values; `unseen`:
    readers for pages to come, of which those stay that read nothing on a known page;
    `rows`: what is known of the record of each page.

    Where general readers speak on a known page, the records are taken to leave the
    field out. Nothing has proved those readers but each other: the best stays, with
    those that say the same as it. Where none speaks, what the names on the page say is
    taken for the value: by labels and class names alike it is as good as known, by one
    of them alone it is a guess that one reader makes and nobody confirms. It is not
    even that where the page's data would have a place for the field, and of a list
    where no record is known: nothing says where it ends. Nor is what is known of
    another field: the examples say whose it is. Where many records agree that
    the field is absent, what is read there is something else. Else all general readers
    may vote on pages to come.
    """
    known = [KnownValue(names.index, None) for names in pages]
    tried = [
        attempt(candidate, known, spec)
        for candidate in best(list(general), _MOST_TRIED)
    ]
    speaks = any(map(attrgetter("phantom"), tried))
    if records < tuned("untaught.enough_records") and not speaks:
        guesses = [names.guess(spec) for names in pages]
        if _may_guess(guesses, tried, records, spec, rows):
            return _guessed(pages, guesses, spec)
    kept: list[Tried] = []
    to_come = map(partial(attempt, known=known, spec=spec), unseen)
    silent = filterfalse(attrgetter("phantom"), to_come)
    for trial in [*_trusted(tried, known, spec), *silent]:
        # As if each had been right on one page, so that they vote by their trust.
        kept.append(replace(trial, right=1, phantom=0))
    return field_program(kept, spec, known), kept


def _trusted(
    tried: Sequence[Tried], known: Sequence[KnownValue], spec: FieldSpec
) -> list[Tried]:
    """The general readers that agree with the best of those that speak on a known page;
    the silent ones if none speaks.

    What speaks on many pages whose records lack the field reads something else.
    """
    silent: list[Tried] = []
    spoken: list[Tried] = []
    for trial in tried:
        if not trial.phantom:
            silent.append(trial)
        elif trial.phantom < tuned("untaught.enough_records"):
            spoken.append(trial)
    if spoken:
        return _agreeing_with_first(spoken, known, spec)
    return silent


def _are_anothers(
    guesses: Sequence[NamedValue | None],
    rows: Sequence[Mapping[str, Value]],
    spec: FieldSpec,
) -> bool:
    """Whether all guesses are the known values of one other field, as the price in a box
    "price" is for a former price that no example has."""
    pairs = filter(itemgetter(0), zip(guesses, rows, strict=False))
    said = list(starmap(partial(_fields_saying, spec), pairs))
    return bool(said and frozenset.intersection(*said))


def _fields_saying(
    spec: FieldSpec, guess: NamedValue, row: Mapping[str, Value]
) -> frozenset[str]:
    """The fields of a known record that say what is guessed."""
    return frozenset(name for name in row if same(guess.value, row[name], spec))


def _may_guess(
    guesses: Sequence[NamedValue | None],
    tried: Sequence[Tried],
    records: int,
    spec: FieldSpec,
    rows: Sequence[Mapping[str, Value]],
) -> bool:
    """False where nothing is guessed, and for guesses that are not sure also where the
    page's data may state the field, for what is known of another field, and for lists of
    which no end is known."""
    if not any(guesses):
        return False
    if _are_sure(guesses):
        return True
    sources = set(map(attrgetter("candidate.reader.src"), tried))
    if Source.JSON in sources or _are_anothers(guesses, rows, spec):
        return False
    return spec.shape is not Shape.LIST or records > 0


def _guessed(
    pages: Sequence[PageNames], guesses: Sequence[NamedValue | None], spec: FieldSpec
) -> tuple[FieldProgram, Sequence[Tried]]:
    """The program of a field as if the guesses were known; of one reader if they are
    not sure, which stands beside their label if they have one."""
    known: list[KnownValue] = []
    for names, guess in zip(pages, guesses, strict=True):
        value = None
        if guess is not None:
            value = guess.value
        known.append(KnownValue(names.index, value))
    tried = induce(known, spec)
    if _are_sure(guesses):
        return field_program(tried, spec, known), tried
    named = list(filter(_is_named, tried))
    labels = set(map(attrgetter("label"), filter(None, guesses)))
    beside = [trial for trial in named if trial.candidate.reader.at in labels]
    field = field_program(beside or named, spec, known)
    return field.model_copy(update={"readers": field.readers[:1]}), named


def _is_named(trial: Tried) -> bool:
    """Whether a reader leads over a name of the field."""
    return trial.candidate.named >= tuned("untaught.named")


def _are_sure(guesses: Sequence[NamedValue | None]) -> bool:
    """True if labels and names of elements agree on every page that has a guess."""
    made = filter(None, guesses)
    return all(map(attrgetter("sure"), made))


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
    """What a reader reads on each page."""
    reader = trial.candidate.reader
    values: list[Value | None] = []
    for page in known:
        values.append(read(reader, Scope(page.document), spec))
    return values
