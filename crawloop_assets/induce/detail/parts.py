"""Readers of one text, or one moment, that a page writes in several elements."""

from collections.abc import Iterator
from functools import partial
from itertools import islice, starmap
from operator import attrgetter
from statistics import fmean

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import next_piece
from crawloop_assets.document.parted import clocked_days, parted_texts
from crawloop_assets.induce.detail.labelling import label_in_piece, share_in_piece
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.parted_keys import BOTH_KEYS
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.selectors import Selector, selectors
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.dates import dates
from crawloop_assets.values.present import present
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_SHORTEST = 8  # characters
_LONGEST_MOMENT = 40
_MOST_SELECTORS = 6
_MOMENTS = (FieldKind.DATE, FieldKind.DATETIME)
_FIRST_TWO = (
    Step(op=Op.JOIN, args=("\n",)),
    Step(op=Op.REGEX, args=(r"^([^\n]*\n\d{1,2}[:.h]\d\d[^\n]*)",)),
)
"""Makes one text of the first two of several, of which the second is a time."""
_JOINED = (Step(op=Op.JOIN, args=(" ",)),)


def part_candidates(
    index: Index, value: Value, spec: FieldSpec, context: FieldContext
) -> Iterator[CandidateReader]:
    """Readers of all elements of a text, in the order of the page: of each by the
    selector that finds it and nothing else. Two short words stand side by side by
    chance, and are no text. Of a moment those of what its parts are all of."""
    text = str(value)
    if spec.kind in _MOMENTS:
        yield from _moments(index.document, context)
    if spec.kind is FieldKind.DATETIME:
        yield from _in_cells(index.document, context)
    if spec.kind is not FieldKind.TEXT or len(text) < _SHORTEST:
        return
    leading = partial(_leading_to, index.document, context)
    for numbers in index.parts(text):
        yield from starmap(_joined, zip(*map(leading, numbers), strict=False))


def _moments(document: Document, context: FieldContext) -> Iterator[CandidateReader]:
    """Readers of elements that hold a few short texts in elements and nothing else, as one
    text, by what finds them: a day, its month and the year. (That it is the value is
    proved of all candidates.)"""
    elements = range(len(document.elements))
    for number, text in parted_texts(document, elements):
        if len(text) <= _LONGEST_MOMENT and _is_moment(text):
            found = islice(selectors(document, number, context), _MOST_SELECTORS)
            yield from map(_parted, found)
            yield from _parts_behind_label(document, number, context)


def _parts_behind_label(
    document: Document, number: int, context: FieldContext
) -> Iterator[CandidateReader]:
    """The reader of all parts of an element behind the label before it."""
    piece = next_piece(document, document.first_piece[number], -1)
    for label in present([label_in_piece(document, piece)]):
        reader = Reader(
            src=Source.LABEL, at=label, get="parts", pipe=_JOINED, kin=Kin.LABEL
        )
        share = share_in_piece(document, piece, context.words)
        alone = len(document.labels.get(label, ())) == 1
        yield CandidateReader(reader, tuned("parts.joined"), share, alone)


def _in_cells(document: Document, context: FieldContext) -> Iterator[CandidateReader]:
    """Readers of a day and a time in elements beside each other, among others."""
    leading = partial(_leading_to, document, context)
    for pair in clocked_days(document):
        yield from starmap(_clocked, zip(*map(leading, pair), strict=False))
        yield from _behind_label(document, pair[0])


def _clocked(day: Selector, clock: Selector) -> CandidateReader:
    """The reader of a day and the time beside it, of nothing where one is missing."""
    joined = _joined(day, clock)
    reader = joined.reader.model_copy(update={"pipe": BOTH_KEYS})
    return joined._replace(reader=reader)


def _behind_label(document: Document, day: int) -> Iterator[CandidateReader]:
    """The reader of a day and a time right behind the only label of its name."""
    before = present([next_piece(document, document.first_piece[day], -1)])
    for label in map(letters, map(document.columns.texts.__getitem__, before)):
        if len(document.labels.get(label, ())) == 1:
            reader = Reader(
                src=Source.LABEL, at=label, get="row", pipe=_FIRST_TWO, kin=Kin.LABEL
            )
            yield CandidateReader(reader, tuned("parts.joined"), 0.0)


def _is_moment(text: str) -> bool:
    """Whether a text is a day and no words beside it."""
    beside = (text[: one.start] + text[one.end :] for one in dates(text))
    return not all(any(map(str.isalpha, rest)) for rest in beside)


def _parted(selector: Selector) -> CandidateReader:
    """The reader of all that an element holds as one text."""
    at = f"{selector.css} > *"
    reader = Reader(src=Source.CSS, at=at, get="text", pipe=_JOINED, kin=selector.kin)
    prior = tuned("parts.joined") * selector.prior
    return CandidateReader(reader, prior, selector.named, selector.alone)


def _leading_to(
    document: Document, context: FieldContext, number: int
) -> Iterator[Selector]:
    """The selectors that find an element and nothing else."""
    return filter(attrgetter("alone"), selectors(document, number, context))


def _joined(*parts: Selector) -> CandidateReader:
    """The reader of several elements as one text: none of them is the field, so that it
    is trusted and named as they are together, and less."""
    at = ", ".join(map(attrgetter("css"), parts))
    reader = Reader(src=Source.CSS, at=at, get="text", pipe=_JOINED, kin=Kin.PATH)
    prior = tuned("parts.joined") * min(map(attrgetter("prior"), parts))
    return CandidateReader(reader, prior, fmean(map(attrgetter("named"), parts)))
