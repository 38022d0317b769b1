"""Known values that stand in one place of several pages are a witness of their own:
nothing has to name the place.

A small number may be anywhere by chance, but not three different ones in one place of
the pages they are known of.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, islice
from operator import attrgetter

from crawloop_assets.crawler.program import (
    MOST_PLACE_CHARS,
    Kin,
    Reader,
    Source,
)
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.blocks import places_in_one_text
from crawloop_assets.induce.detail.candidates import possible_candidates
from crawloop_assets.induce.detail.trials import (
    KnownValue,
    Tried,
    attempt,
    induce,
    pages_with_value,
    readers_met,
    stricter,
)
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.css_names import child_path
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.label_lines import (
    behind_label,
    is_behind_own_name,
    lines_saying,
)
from crawloop_assets.induce.locate.name_sentences import is_of_sentence
from crawloop_assets.induce.locate.nearness import count_near, may_move
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.induce.locate.place import Place
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import as_list

_MOST_PLACES = 12
_SEVERAL = 2  # different values of which a reader was made
_FRAMES = ("main", "body")
_UNNAMED = (Kin.PATH, Kin.TAG)


def recurring(known: Sequence[KnownValue], spec: FieldSpec) -> list[CandidateReader]:
    """Readers that give known values on three pages or more, and on none another value
    where the known one still stands."""
    pages = pages_with_value(known)
    is_telling = spec.shape is Shape.ONE or spec.kind is FieldKind.TEXT
    if not is_telling or len(pages) < tuned("recurrence.fewest_pages"):
        return []
    return _met(pages, spec, placed_candidates)


def _met(
    pages: Sequence[KnownValue],
    spec: FieldSpec,
    made: Callable[..., Iterable[CandidateReader]],
) -> list[CandidateReader]:
    """What is made of enough pages, and contradicts none."""
    return [
        reader
        for reader, forms in readers_met(pages, partial(made, spec=spec))
        if _is_proved(reader, forms, pages, spec)
        and _contradicts_none(reader, pages, spec)
    ]


def in_sentences(
    tried: Sequence[Tried], known: Sequence[KnownValue], spec: FieldSpec
) -> list[Tried]:
    """What is tried; where that goes by position, and the words of a sentence tell all that
    is known, readers by those instead: where a page lacks the sentence, another one has its
    place."""
    pages = pages_with_value(known)
    is_placed = any(map(_is_unnamed, tried[:1])) and spec.shape is Shape.ONE
    if not is_placed or len(pages) < tuned("recurrence.fewest_pages"):
        return list(tried)
    worded = placed_readers(known, spec, _met(pages, spec, _sentence_candidates))
    whole = [one for one in worded if one.right == len(pages)]
    named = list(filterfalse(_is_unnamed, tried))
    return [*whole, *named] if whole else list(tried)


def _is_unnamed(tried: Tried) -> bool:
    """Whether a reader goes by position alone."""
    return tried.candidate.reader.kin in _UNNAMED


def _sentence_candidates(
    page: KnownValue, spec: FieldSpec
) -> Iterator[CandidateReader]:
    """The readers of a value by the words of a sentence that says the page's name."""
    for reader in behind_label(page.document, page.value, spec):
        if is_of_sentence(reader.pipe):
            yield CandidateReader(reader, tuned("scales.prior"), 0.0)


def _is_proved(
    reader: CandidateReader,
    forms: Sequence[str],
    pages: Sequence[KnownValue],
    spec: FieldSpec,
) -> bool:
    """Whether a reader was made of enough pages, or of several and reads enough text:
    "Floor" before some values is cut off where it stands, and the others are read as they
    are. Any number may be the last one of a long text."""
    is_made = _is_no_chance(forms, spec, reader.reader)
    if is_made or len(set(forms)) < _SEVERAL or spec.kind is not FieldKind.TEXT:
        return is_made
    right = [page for page in pages if attempt(reader, [page], spec).right]
    forms = [letters(str(page.value)) for page in right]
    return _is_no_chance(forms, spec, reader.reader)


def taught(
    known: Sequence[KnownValue],
    spec: FieldSpec,
    general: Sequence[CandidateReader] = (),
) -> list[Tried]:
    """What `induce` finds, behind readers of one place that read more of what is
    known."""
    tried = induce(known, spec, general)
    most = max(map(attrgetter("right"), tried), default=0)
    if most == len(pages_with_value(known)):
        return tried
    placed = placed_readers(known, spec, recurring(known, spec))
    return [one for one in placed if one.right > most] + tried


def placed_readers(
    known: Sequence[KnownValue],
    spec: FieldSpec,
    places: Sequence[CandidateReader],
) -> list[Tried]:
    """Readers of places that nothing names, tried on all known pages, best first."""
    if not places:
        return []
    both = filter(None, chain(places, map(stricter, places)))
    keys = set(map(attrgetter("key"), both))
    tried = induce(known, spec, places)
    return [one for one in tried if one.candidate.key in keys]


def _is_no_chance(forms: Sequence[str], spec: FieldSpec, reader: Reader) -> bool:
    """Whether enough different values were met on enough pages: two behind a label with the
    words of the field, or of much text."""
    different = set(forms)
    least = tuned("recurrence.fewest_different")
    is_long = spec.kind is FieldKind.TEXT and sum(map(len, different)) >= tuned(
        "recurrence.no_chance"
    )
    is_telling = is_long or is_behind_own_name(reader, spec)
    if is_telling or spec.kind is FieldKind.CHOICE:
        least = tuned("recurrence.fewest_choices")
    return len(forms) >= tuned("recurrence.fewest_pages") and len(different) >= least


def _contradicts_none(
    candidate: CandidateReader, pages: Sequence[KnownValue], spec: FieldSpec
) -> bool:
    """False if another value is read on a page that still shows the known one: a value
    that moved contradicts nothing, nor does a number near the known one, which stands
    there as another thing's."""
    return not any(
        attempt(candidate, [page], spec).wrong
        and occurs_on(page.index, page.value, spec)
        and not _has_moved_on(candidate.reader, page, spec)
        for page in pages
    )


def _has_moved_on(reader: Reader, page: KnownValue, spec: FieldSpec) -> bool:
    """Whether what is read may be what the known number of a page has become."""
    now = read(reader, Scope(page.document), spec) if may_move(spec) else None
    return count_near(spec, [page.value], [now]) > 0


def placed_candidates(page: KnownValue, spec: FieldSpec) -> Iterator[CandidateReader]:
    """All readers of a value on its page, those by the words of its line and by position
    alone among them."""
    yield from possible_candidates(page.index, page.value, spec)
    for reader in lines_saying(page.document, page.value, spec):
        yield CandidateReader(reader, tuned("scales.prior"), 0.0)
    for place, pipe in islice(_places(page, spec), _MOST_PLACES):
        for at in positions(page.document, place.number):
            reader = Reader(
                src=Source.CSS,
                at=at,
                get=place.get,
                pipe=pipe,
                kin=Kin.PATH,
            )
            candidate = CandidateReader(reader, tuned("recurrence.place_prior"), 0.0)
            if attempt(candidate, [page], spec).right:
                yield candidate


def _places(page: KnownValue, spec: FieldSpec) -> Iterator[tuple[Place, Pipe]]:
    """Where a value stands on its page, and how it is read there; of a list where it is
    one text."""
    if spec.shape is not Shape.ONE:
        return places_in_one_text(page.index, as_list(page.value), spec)
    places = page.index.places(page.value, spec)
    return zip(places, map(attrgetter("pipe"), places), strict=True)


def positions(document: Document, number: int) -> Iterator[str]:
    """Ways down to an element from the frame of the page: siblings counted from the
    front, and from the back; none that is longer than a reader says."""
    around = (number, *document.ancestors(number))
    frame = next((at for at in around if document.tags[at] in _FRAMES), None)
    if frame is None:
        return
    for kind in ("nth-of-type", "nth-last-of-type"):
        steps = child_path(document, number, frame, kind)
        path = " > ".join((document.tags[frame], *steps))
        if len(path) <= MOST_PLACE_CHARS:
            yield path
