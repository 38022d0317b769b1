"""Readers of one text that a page writes in several elements, beside other things."""

from collections.abc import Iterator
from functools import partial
from itertools import starmap
from operator import attrgetter
from statistics import fmean

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.selectors import Selector, selectors
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value

_SHORTEST = 8  # characters
_JOINED = (Step(op=Op.JOIN, args=(" ",)),)


def part_candidates(
    index: Index, value: Value, spec: FieldSpec, context: FieldContext
) -> Iterator[CandidateReader]:
    """Readers of all elements of a text, in the order of the page: of each by the
    selector that finds it and nothing else. Two short words stand side by side by
    chance, and are no text."""
    text = str(value)
    if spec.kind is not FieldKind.TEXT or len(text) < _SHORTEST:
        return
    leading = partial(_leading_to, index.document, context)
    for numbers in index.parts(text):
        yield from starmap(_joined, zip(*map(leading, numbers), strict=False))


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
