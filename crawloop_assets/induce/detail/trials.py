"""Candidates tried on every page of which something is known, best first."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import filterfalse
from operator import attrgetter

from crawloop_assets.crawler.program import Kin, Reader
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.candidates import (
    beside_labels,
    candidates,
    its_label,
    possible_candidates,
)
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.label_lines import number_among_words
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.said_none import without_none
from crawloop_assets.induce.locate.similarity import value_likeness
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_COUNTS = (FieldKind.NUMBER, FieldKind.INTEGER)
_MOST_TRIED = 60
_MOST_SHAKEN = 8  # those behind them are hardly ever chosen
# What a page counts for in the score of a candidate.


@dataclass(frozen=True)
class KnownValue:
    """A page and what a field is known to be on it.

    None is known to be absent, or not known at all of a page without a known record (`has_record`).
    """

    index: Index
    value: Value | None
    has_record: bool = True

    @property
    def document(self) -> Document:
        """The page."""
        return self.index.document


def pages_with_value(known: Sequence[KnownValue]) -> list[KnownValue]:
    """The pages on which the field is known to have a value."""
    return [page for page in known if page.value is not None]


@dataclass(frozen=True)
class Tried:
    """A candidate and how it did on the pages with known values.

    Each count is of pages: `phantom` where it reads a value and a record says that
    there is none, `near` where it reads a list that is nearly the known one, `heard`
    and `unheard` where nothing is known and it reads something or not.
    """

    candidate: CandidateReader
    right: int
    wrong: int
    silent: int
    phantom: int = 0
    near: int = 0
    heard: int = 0
    unheard: int = 0

    @property
    def trust(self) -> float:
        """The trust in the candidate, up to a half less where it reads nothing on pages
        of which nothing is known: what it leans on is there on the known ones only."""
        silence = self.unheard / max(1, self.heard + self.unheard)
        return self.candidate.prior * (1 - tuned("trials.of_known_only") * silence)

    @property
    def score(self) -> float:
        """Share of known values it reads (lists that are nearly right count for less),
        less half a point for each it gets wrong and a quarter for each it finds where a
        record says there is none."""
        pages = self.right + self.near + self.wrong + self.silent
        if not pages:
            return 0.0
        points = self.right + tuned("trials.near") * self.near
        points -= tuned("trials.wrong") * self.wrong
        points -= tuned("trials.phantom") * self.phantom
        return points / pages


def most_right(tried: Sequence[Tried]) -> int:
    """How many known values the best of them reads."""
    return max(map(attrgetter("right"), tried), default=0)


def reads_all(tried: Sequence[Tried], known: Sequence[KnownValue]) -> bool:
    """Whether one of them reads all values that are known."""
    return most_right(tried) == len(pages_with_value(known))


def induce(
    known: Sequence[KnownValue],
    spec: FieldSpec,
    general: Sequence[CandidateReader] = (),
) -> list[Tried]:
    """Candidates from every known page and `general` ones made without values, tried on
    all of them, best first."""
    pool: list[CandidateReader] = list(general)
    for page in pages_with_value(known):
        pool.extend(candidates(page.index, page.value, spec))
    tried = _tried(pool, known, spec)
    most = max(map(attrgetter("right"), tried), default=0)
    if spec.shape is Shape.ONE and most < len(pages_with_value(known)):
        tried += _tried(_recurring(known, spec), known, spec)
    # A volatile value comes and goes, but then all that read it say so.
    tried = _without_phantoms(tried, least=1.0 if spec.volatile else 0.5)
    tried = _without_neighbours(tried, known)
    tried.sort(key=lambda trial: (*_rank(trial), trial.candidate.key))
    return _sturdier_first(tried, known, spec)


def _tried(
    pool: Sequence[CandidateReader], known: Sequence[KnownValue], spec: FieldSpec
) -> list[Tried]:
    """The best candidates that read what is known, and stricter ones of those that read
    something where there is nothing."""
    tried: list[Tried] = []
    for candidate in best(pool, _MOST_TRIED):
        trial = attempt(candidate, known, spec)
        if trial.score > 0:
            tried.append(trial)
        for strict in _stricter(candidate, known) if trial.phantom else ():
            tried.append(attempt(strict, known, spec))
    return tried


def _stricter(
    candidate: CandidateReader, known: Sequence[KnownValue]
) -> Iterator[CandidateReader]:
    """The candidate in what reads less: where there is nothing to be cut, where the pages say
    that there is no value."""
    yield from filter(None, (stricter(candidate),))
    empty = (page for page in known if page.has_record and page.value is None)
    scopes = (Scope(page.document) for page in empty)
    filled = [Scope(page.document) for page in pages_with_value(known)]
    yield from map(
        partial(_with_reader, candidate), without_none(candidate.reader, scopes, filled)
    )


def _with_reader(candidate: CandidateReader, reader: Reader) -> CandidateReader:
    """The candidate with another reader."""
    return candidate._replace(reader=reader)


_STRICTER = {Op.STRIP_PREFIX: Op.AFTER, Op.STRIP_SUFFIX: Op.BEFORE}
_CUT_AT = {0: Op.BEFORE, -1: Op.AFTER}
"""What reads the first or the last part of a text, and nothing of one without parts."""
_SECOND = {Op.NUMBER: 1, Op.DATE: 1}
"""What the last of two may be as well: "18 to 65" has a second one, "18 or older" none."""


def stricter(candidate: CandidateReader) -> CandidateReader | None:
    """The candidate that reads nothing where what it takes off is not there, or the last
    of several is the first; None if it takes nothing off."""
    pipe = candidate.reader.pipe
    steps = tuple(map(_stricter_step, pipe))
    if steps == pipe:
        return None
    return _with_reader(candidate, candidate.reader.model_copy(update={"pipe": steps}))


def _stricter_step(step: Step) -> Step:
    """The step that leaves nothing where there is nothing to be cut."""
    op = _STRICTER.get(step.op, step.op)
    if step.op is Op.PART and step.args[1] in _CUT_AT:
        return Step(op=_CUT_AT[step.args[1]], args=step.args[:1])
    if step.args[:1] == (-1,) and op in _SECOND:
        return Step(op=op, args=(_SECOND[op], *step.args[1:]))
    return Step(op=op, args=step.args)


def _without_phantoms(tried: list[Tried], least: float) -> list[Tried]:
    """Those that read nothing where a record says that there is nothing, if one of them
    reads at `least` this share of the known values that any does: others read a
    neighbour there."""
    clean = list(filterfalse(attrgetter("phantom"), tried))
    most = max(map(attrgetter("right"), tried), default=0)
    is_enough = any(0 < least * most <= trial.right for trial in clean)
    return clean if is_enough else tried


def _without_neighbours(tried: list[Tried], known: Sequence[KnownValue]) -> list[Tried]:
    """Those that find no text at all where a record says that there is nothing, if one of
    them reads as much as any: what goes by position or by the label behind finds another
    field's there, which may be a value on the next page."""
    empty = [
        Scope(page.document) for page in known if page.has_record and page.value is None
    ]
    most = most_right(tried)
    own = [one for one in tried if not _finds_a_neighbour(one.candidate.reader, empty)]
    return own if 0 < most == most_right(own) else tried


def _finds_a_neighbour(reader: Reader, empty: Sequence[Scope]) -> bool:
    """Whether a reader that goes by what stands around finds a text where there is nothing."""
    is_placed = reader.kin is Kin.PATH or reader.get == "before"
    return is_placed and any(read_texts(reader, scope) for scope in empty)


def attempt(
    candidate: CandidateReader, known: Sequence[KnownValue], spec: FieldSpec
) -> Tried:
    """A candidate on every known page."""
    counts: Counter[str] = Counter()
    for page in known:
        value = read(candidate.reader, Scope(page.document), spec)
        if page.value is None:
            counts[_without_value(page, value)] += 1
        else:
            counts[_beside_value(page.value, value, spec)] += 1
    del counts[""]
    return Tried(candidate, **{"right": 0, "wrong": 0, "silent": 0, **counts})


def _without_value(page: KnownValue, read: Value | None) -> str:
    """What a reading counts as on a page of which no value is known."""
    if page.has_record:
        return "" if read is None else "phantom"
    return "unheard" if read is None else "heard"


def _beside_value(known: Value, read: Value | None, spec: FieldSpec) -> str:
    """What a reading counts as beside a known value."""
    if read is None:
        return "silent"
    if same(read, known, spec):
        return "right"
    return (
        "near"
        if value_likeness(read, known, spec) >= tuned("similarity.nearly")
        else "wrong"
    )


def readers_met(
    pages: Sequence[KnownValue],
    made: Callable[[KnownValue], Iterable[CandidateReader]],
) -> list[tuple[CandidateReader, list[str]]]:
    """The readers that are made of pages with known values, and of each the letters of
    the values it was made of, one a page."""
    found: dict[tuple[str, ...], CandidateReader] = {}
    values: dict[tuple[str, ...], list[str]] = {}
    for page in pages:
        on_page = {candidate.key: candidate for candidate in made(page)}
        for key, candidate in on_page.items():
            found.setdefault(key, candidate)
            values.setdefault(key, []).append(_form(page.value))
    return [(found[key], forms) for key, forms in values.items()]


def _form(value: Value | None) -> str:
    """The letters of a value; of a flag one, as its word says no more."""
    return str(int(value)) if isinstance(value, bool) else letters(str(value))


def _recurring(known: Sequence[KnownValue], spec: FieldSpec) -> list[CandidateReader]:
    """Readers that nothing names, but that give what is known on several pages: a short
    value may be anywhere by chance, but several that differ are not in one place by
    chance."""

    def made(page: KnownValue) -> list[CandidateReader]:
        """What may read a page, by chance or not."""
        return possible_candidates(page.index, page.value, spec)

    pages = pages_with_value(known)
    met = readers_met(pages, made)
    recurring = [reader for reader, forms in met if _are_no_chance(set(forms))]
    return recurring or _of_one_label(met, len(pages)) or _of_one_line(pages, spec)


def _of_one_line(pages: Sequence[KnownValue], spec: FieldSpec) -> list[CandidateReader]:
    """The reader of a number by the words of its line, if all pages have the line, with
    numbers that differ, and no other line of them says the known ones."""
    if spec.kind not in _COUNTS:
        return []

    def made(page: KnownValue) -> list[CandidateReader]:
        """By all words around the number."""
        lines = number_among_words(page.document, page.value, spec)
        return [CandidateReader(line, tuned("scales.prior"), 0.0) for line in lines]

    on_all = [
        (reader, set(forms))
        for reader, forms in readers_met(pages, made)
        if len(forms) == len(pages) > 1
    ]
    known_so = [
        reader
        for reader, forms in on_all
        if len(forms) > 1 and sum(map(len, forms)) >= tuned("trials.few_digits")
    ]
    return known_so if len(on_all) == 1 else []


def _of_one_label(
    met: Sequence[tuple[CandidateReader, list[str]]], pages: int
) -> list[CandidateReader]:
    """The readers that give values which differ on all pages, and stand behind one label
    each time; none where two labels would do."""
    on_all = [
        reader for reader, forms in met if len(forms) == pages and len(set(forms)) > 1
    ]
    behind = beside_labels(on_all)
    return behind if len(set(map(its_label, behind))) == 1 else []


def _are_no_chance(forms: set[str]) -> bool:
    """True for several values that are not all short."""
    return len(forms) > 1 and sum(map(len, forms)) >= tuned("trials.no_chance")


def _rank(trial: Tried) -> tuple[float, float]:
    """Sorts the best first, by score and then by trust; rounded, as what differs by
    float noise is equal."""
    return -round(trial.score, 6), -round(trial.trust, 6)


def _sturdier_first(
    tried: list[Tried], known: Sequence[KnownValue], spec: FieldSpec
) -> list[Tried]:
    """Of the best, those equal in all else by whether they read the first known page
    under other markup, too."""
    ranks = Counter(map(_rank, tried[:_MOST_SHAKEN]))
    pages = pages_with_value(known)
    if not pages or len(ranks) == ranks.total():
        return tried
    shaken, value = pages[0].index.shaken, pages[0].value
    if shaken is None:
        return tried
    scope = Scope(shaken)

    def rank(trial: Tried) -> tuple[float, float, bool]:
        """As `_rank`, and of equals those first that read right under other markup."""
        score, prior = _rank(trial)
        if ranks[score, prior] == 1:
            return score, prior, False  # nothing to decide
        found = read(trial.candidate.reader, scope, spec)
        return score, prior, not same(found, value, spec)

    return sorted(tried[:_MOST_SHAKEN], key=rank) + tried[_MOST_SHAKEN:]
