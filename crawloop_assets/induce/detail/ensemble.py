"""From tried candidates to the program of a field: the best few of different kinds
vote."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from operator import attrgetter

from crawloop_assets.crawler.program import (
    MOST_READERS,
    FieldProgram,
    Fingerprint,
    Kin,
    Reader,
    Source,
)
from crawloop_assets.crawler.read import Scope, select
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.headings import is_one_sentence
from crawloop_assets.induce.detail.independence import (
    NO_ELEMENT,
    are_one_text,
    element_of,
    is_guessed_cut,
    is_whole,
    may_vote_beside,
    share_origin,
    source_text,
)
from crawloop_assets.induce.detail.sums import is_sum
from crawloop_assets.induce.detail.trials import KnownValue, Tried, pages_with_value
from crawloop_assets.induce.detail.weights import LEAST_WEIGHT, weight
from crawloop_assets.induce.locate.fingerprint import fingerprint
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec, Shape

_MOST_PER_KIN, _MOST_WATCHERS = 2, 1
_SHARES = ("ensemble.first", "ensemble.second", "ensemble.further")
_MOST_LOOKED_AT = 30  # readers that may show what a field looks like
_ROW_OF_A_TABLE = {Kin.LABEL, Kin.PATH}
"""What reads it: without its label another row stands in its place."""
_SHOWING_GETS = ("text", "own", "head", "@src", "@href")


class _Ensemble:
    """The readers chosen so far."""

    def __init__(self, spec: FieldSpec) -> None:
        """Nothing is chosen yet."""
        self.spec = spec
        self.readers: list[Reader] = []
        self._per_kin: Counter[Kin] = Counter()
        self._voters: Counter[int] = Counter()
        self._holders: defaultdict[int, list[Tried]] = defaultdict(list)
        self._texts: list[str] = []

    def has_room_for(self, reader: Reader) -> bool:
        """False if enough readers are of its kin, or one of its origin."""
        if len(self.readers) >= MOST_READERS:
            return False
        most = _MOST_PER_KIN
        if reader.kin is Kin.OTHER:
            most = _MOST_WATCHERS
        if self._per_kin[reader.kin] >= most:
            return False
        return not any(share_origin(reader, other) for other in self.readers)

    def is_independent(self, trial: Tried, element: int) -> bool:
        """False for a reader that says only what another one of its element says."""
        holders = self._holders[element]
        return not holders or may_vote_beside(trial, holders, self.spec)

    def repeats(self, text: str) -> bool:
        """True for the text of a reader that is chosen, or one that holds it."""
        return any(are_one_text(text, other) for other in self._texts)

    def share(self, reader: Reader, element: int, text: str) -> float:
        """The share of its weight that a reader has beside those chosen before it."""
        if is_sum(reader) and self._reads_json():
            return 1 / tuned("weights.typed_record")  # parts need not add up
        if reader.kin is Kin.OTHER:
            return tuned("ensemble.watcher_share")
        share = self._element_share(element)
        if self.repeats(text):
            share = min(share, tuned(_SHARES[1]))
        return share

    def _element_share(self, element: int) -> float:
        """The share of the next reader of an element, less the more read it."""
        if element < 0:
            return 1.0
        voters = min(self._voters[element], len(_SHARES) - 1)
        return tuned(_SHARES[voters])

    def _reads_json(self) -> bool:
        """True if a reader of JSON is chosen: it may state what others add up."""
        return any(reader.src is Source.JSON for reader in self.readers)

    def add(self, trial: Tried, element: int, text: str, vote: float) -> None:
        """Choose a reader."""
        reader = trial.candidate.reader
        self._texts.append(text)
        self.readers.append(reader.model_copy(update={"weight": vote}))
        self._per_kin[reader.kin] += 1
        self._voters[element] += reader.kin is not Kin.OTHER
        if element != NO_ELEMENT:
            self._holders[element].append(trial)


def ensemble(
    tried: Sequence[Tried], spec: FieldSpec, known: Sequence[KnownValue] = ()
) -> tuple[Reader, ...]:
    """At most five readers, at most two of a kin, the most trusted first.

    Weights follow trust; readers that lean on one place of the page, or on one text of
    it, share its say, so that three selectors for one element do not outvote an
    independent witness. Where the field's own name does not lead to a place, one reader
    of it is all: two would look like two witnesses; the same holds for attributes of
    one element, and for guesses at which part of one text is the value.
    """
    about: frozenset[str] = frozenset()
    main: tuple[str, ...] = ()
    if known:
        about, main = known[0].index.about, known[0].index.main
    chosen = _Ensemble(spec)
    for trial in _alone(_uncut(_of_most_pages(tried))):
        reader = trial.candidate.reader
        if not chosen.has_room_for(reader):
            continue
        element, text = element_of(reader, known), source_text(reader, known)
        if not chosen.is_independent(trial, element):
            continue
        if is_guessed_cut(reader) and chosen.repeats(text):
            continue
        if chosen.readers and not trial.right:
            break  # lists that are only nearly right do not vouch for each other
        vote = weight(trial, spec, about, main) * chosen.share(reader, element, text)
        chosen.add(trial, element, text, round(max(LEAST_WEIGHT, vote), 4))
    return tuple(chosen.readers)


def _of_most_pages(tried: Sequence[Tried]) -> Sequence[Tried]:
    """Without readers that say nothing on most of the known pages, if one reads all of
    them: where they are silent they would outvote it."""
    if max(map(attrgetter("score"), tried), default=0.0) < 1:
        return tried
    return [one for one in tried if one.silent < one.right]


def _uncut(tried: Sequence[Tried]) -> Sequence[Tried]:
    """Without readers that guess which part of a text is the value, if an element is as
    good whose whole text it is: that has the rest of a name, too."""
    best = [one.candidate.reader for one in tried if one.score >= tried[0].score]
    if not any(map(is_whole, best)):
        return tried
    return [one for one in tried if not is_guessed_cut(one.candidate.reader)]


def _alone(tried: Sequence[Tried]) -> Sequence[Tried]:
    """Without readers that find more than the value on a page, if enough others are as
    good: where the value is absent those read a neighbour's."""
    alone: list[Tried] = []
    for trial in tried:
        if trial.score < tried[0].score:
            continue
        if trial.candidate.alone:
            alone.append(trial)
    if len(alone) < tuned("ensemble.enough_alone"):
        return tried
    return alone


def field_program(
    tried: Sequence[Tried], spec: FieldSpec, known: Sequence[KnownValue] = ()
) -> FieldProgram:
    """The program of one field, with what it looks like on the first page it was found
    on."""
    readers = ensemble(tried, spec, known)
    if _are_one_sentences(pages_with_value(known), spec):
        # Nothing shows where the items of a longer list would end: never certain.
        readers = readers[:1]
    seen = look(tried, spec, known)
    is_row = set(map(attrgetter("kin"), readers)) == _ROW_OF_A_TABLE
    least = tuned("ensemble.beside_label") * is_row
    return FieldProgram(spec=spec, readers=readers, min_agree=least, fingerprint=seen)


def _are_one_sentences(pages: Sequence[KnownValue], spec: FieldSpec) -> bool:
    """True if each known list is one long text."""
    if not pages:
        return False
    return all(is_one_sentence(page.value, spec) for page in pages)


def look(
    tried: Sequence[Tried], spec: FieldSpec, known: Sequence[KnownValue]
) -> Fingerprint | None:
    """What the field looks like on the first known page where a markup reader finds
    it."""
    readers = list(map(attrgetter("candidate.reader"), tried))
    keys = _json_keys(readers)
    for page in pages_with_value(known):
        numbers = _shown_elements(readers[:_MOST_LOOKED_AT], page.document)
        if spec.shape is Shape.ONE:
            numbers = numbers[:1]
        if numbers:
            return fingerprint(page.document, numbers, keys)
    if keys:
        return Fingerprint(keys=keys)
    return None


def _json_keys(readers: Sequence[Reader]) -> tuple[str, ...]:
    """The last two keys of the first path into JSON."""
    for reader in readers:
        if reader.src is Source.JSON:
            return tuple(reader.at.split(".")[-2:])
    return ()


def _shown_elements(readers: Sequence[Reader], document: Document) -> list[int]:
    """The elements of the first markup reader that finds any on a page."""
    for reader in readers:
        if not _shows_elements(reader):
            continue
        numbers = select(Scope(document), reader.at)
        if numbers:
            return numbers
    return []


def _shows_elements(reader: Reader) -> bool:
    """True for a reader of markup whose elements look like the field."""
    return reader.src is Source.CSS and reader.get in _SHOWING_GETS
