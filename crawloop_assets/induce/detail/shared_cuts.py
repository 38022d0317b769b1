"""A value in a sentence that pages write alike around it: "3rd Chamber of the District of Santos",
"It was first registered in 1950. Expect …".

Several pages tell what is the sentence's and what the value's; one alone does not.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, product, takewhile
from operator import attrgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.induce.detail.labelling import label_in_piece
from crawloop_assets.induce.detail.recurrence import placed_readers
from crawloop_assets.induce.detail.trials import (
    KnownValue,
    Tried,
    pages_with_value,
    reads_all,
)
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.context import field_context
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.lone_column import as_guess
from crawloop_assets.induce.locate.selectors import selectors
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import NUMERAL_MARKS
from crawloop_assets.values.value import Value

_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER)
_KINDS = (FieldKind.TEXT, *_NUMBERS)
_NUMBER = re.compile(rf"\d++(?:[{NUMERAL_MARKS}]++\d++)*+")
_LAST_WORD, _FIRST_WORD = re.compile(r"\s\S+\s*$"), re.compile(r"^\s*\S+\s")
_FEWEST, _MOST_PLACES, _MOST_READERS = 2, 6, 24
_LONGEST = 2_000
_MOST_BESIDE = 30
"""Characters on each side that may tell a value."""
_SHORTEST = 2
"""Letters on both sides together, from which they are no chance."""
_Said = tuple[str, str]  # what stands before and behind a value in its text


def in_shared_words(
    tried: Sequence[Tried],
    known: Sequence[KnownValue],
    spec: FieldSpec,
    documents: Sequence[Document],
    *,
    may_guess: bool,
) -> Sequence[Tried]:
    """What is tried; where that does not read all that is known, or goes by the order of the
    numbers of a text that nothing names, readers by the words of the sentence that do. What
    is required stands on all pages: where it is read by its order, other words are beside it.
    What few pages alone share is a guess."""
    is_few = len(pages_with_value(known)) < tuned("recurrence.fewest_pages")
    is_sure = spec.required or not any(map(_is_counted, tried[:1]))
    if is_few > may_guess or (reads_all(tried, known) and is_sure):
        return tried
    cut = placed_readers(known, spec, shared_cuts(known, spec, documents))
    return cut if cut and reads_all(cut, known) else tried


def guessed_counts(
    tried: Sequence[Tried], known: Sequence[KnownValue], spec: FieldSpec
) -> Sequence[Tried]:
    """What is tried; where known pages say none in words, as guesses what goes by the order of
    the numbers of a text: "Two reports, no injuries" has another one there, and one less."""
    said = {str(page.value) for page in pages_with_value(known)}
    is_worded = spec.kind in _NUMBERS and "0" in said and not reads_all(tried, known)
    return list(map(_guessed, tried)) if is_worded else tried


def _guessed(tried: Tried) -> Tried:
    """A reader, as a guess if it counts."""
    candidate = tried.candidate
    if not _has_order(tried):
        return tried
    reader = as_guess(candidate.reader)
    return replace(tried, candidate=candidate._replace(reader=reader))


def _is_counted(tried: Tried) -> bool:
    """Whether a reader that nothing names goes by the order of the numbers of a text."""
    return _has_order(tried) and not tried.candidate.named


def _has_order(tried: Tried) -> bool:
    """Whether a reader goes by the order of the numbers of a text."""
    return Op.NUMBER in map(attrgetter("op"), tried.candidate.reader.pipe)


def shared_cuts(
    known: Sequence[KnownValue], spec: FieldSpec, documents: Sequence[Document]
) -> list[CandidateReader]:
    """Readers of places whose texts have the known values among the same words on all pages
    that have one: two pages, or more, and not the same value on all. Of the words beside it
    so many as most of all pages have."""
    pages = pages_with_value(known)
    different = len({str(page.value) for page in pages})
    is_telling = spec.shape is Shape.ONE and spec.kind in _KINDS
    if not is_telling or min(len(pages), different) < _FEWEST:
        return []
    scopes = list(map(Scope, documents))
    places = best(_places(pages[0], spec), _MOST_READERS)
    return list(chain.from_iterable(_cuts(one, pages, spec, scopes) for one in places))


def _cuts(
    place: CandidateReader,
    pages: Sequence[KnownValue],
    spec: FieldSpec,
    scopes: Sequence[Scope],
) -> list[CandidateReader]:
    """The reader of a place with the cut that most of all pages have, as a list."""
    said = [_said(place.reader, page, spec) for page in pages]
    pipes = _between(list(chain.from_iterable(said))) if all(said) else []
    readers = [place.reader.model_copy(update={"pipe": one}) for one in pipes]
    filled = [sum(read(one, at, spec) is not None for at in scopes) for one in readers]
    most = [filled.index(max(filled))] if filled else []
    chosen = list(map(readers.__getitem__, most))
    if len(pages) < tuned("recurrence.fewest_pages"):  # they may share a word by chance
        chosen = list(map(as_guess, chosen))
    return [place._replace(reader=one) for one in chosen]


def _places(page: KnownValue, spec: FieldSpec) -> Iterator[CandidateReader]:
    """Readers of the texts of a page that have its value among other words."""
    document, left = page.document, _MOST_PLACES
    context = field_context(page.index, page.value, spec)
    for piece, text in enumerate(document.columns.texts):
        if left and _cut(text[:_LONGEST], page.value, spec):
            left -= 1
            label = label_in_piece(document, next_piece(document, piece, -1))
            is_tail = document.pieces[piece].is_tail
            if label is not None and is_tail:
                reader = Reader(src=Source.LABEL, at=label, get="next", kin=Kin.LABEL)
                yield CandidateReader(reader, tuned("labels.unnamed"), 0.0)
            number = document.piece_parent(piece)
            for one in selectors(document, number, context):
                reader = Reader(src=Source.CSS, at=one.css, kin=one.kin)
                yield CandidateReader(reader, one.prior, one.named, one.alone)


def _said(reader: Reader, page: KnownValue, spec: FieldSpec) -> list[_Said]:
    """What stands before and behind the known value in the first text of a place."""
    texts = read_texts(reader, Scope(page.document))[:1]
    return [cut for text in texts for cut in _cut(text[:_LONGEST], page.value, spec)]


def _cut(text: str, value: Value, spec: FieldSpec) -> list[_Said]:
    """What stands before and behind a value that a text has once, beside other words; of a
    number however it is written."""
    wanted = re.finditer(re.escape(str(value)), text)
    found = wanted if spec.kind is FieldKind.TEXT else _NUMBER.finditer(text)
    cuts = [
        (text[: one.start()], text[one.end() :])
        for one in found
        if same(one[0], value, spec)
    ]
    return cuts if len(cuts) == 1 and any(map(str.strip, cuts[0])) else []


def _between(said: Sequence[_Said]) -> list[Pipe]:
    """The cuts at what all pages have right before and right behind the value, up to the next
    number, all of it first, then one word of it; none where that is too little, or some pages
    have more there and it is no sign."""
    before, behind = zip(*said, strict=True)
    start = _shared_start([one[::-1] for one in before])[:_MOST_BESIDE][::-1]
    stop = _shared_start(behind)[:_MOST_BESIDE]
    start, stop = re.split(r"\d", start)[-1], re.split(r"\d", stop)[0]
    starts = [start, *_LAST_WORD.findall(start)]
    stops = [stop, *_FIRST_WORD.findall(stop)]
    is_whole = (
        bool(start.strip()) or not any(before),
        bool(stop.strip()) or not any(behind),
    )
    marks = product(starts, stops) if all(is_whole) else ()
    return [(Step(op=Op.BETWEEN, args=pair),) for pair in marks if _is_enough(pair)]


def _shared_start(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    signs: Iterator[frozenset[str]] = map(frozenset, zip(*texts, strict=False))
    shared: Iterator[frozenset[str]] = takewhile(_is_one, signs)
    return "".join(chain.from_iterable(shared))


def _is_one(signs: frozenset[str]) -> bool:
    """Whether some texts have one sign at a place."""
    return len(signs) == 1


def _is_enough(marks: tuple[str, str]) -> bool:
    """Whether the words beside a value are no chance."""
    return sum(map(str.isalpha, "".join(marks))) >= _SHORTEST
