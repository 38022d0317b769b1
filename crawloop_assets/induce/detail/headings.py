"""Headings among the items of a list: they belong to a text (steps, paragraphs), they
are no items of a list of things.

One known page without any heading says nothing of the next one. What the items are
does: where only some pages of a recipe site group them, headings are nearly never among
the ingredients and nearly always among the steps.
"""

from collections.abc import Sequence
from statistics import median

from crawloop_assets.crawler.program import Kin, Source
from crawloop_assets.crawler.transforms import Op, Step, is_heading
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.counts import uncounted
from crawloop_assets.values.value import Value

UNHEADED: Pipe = (Step(op=Op.UNHEADED),)
UNCOUNTED: Pipe = (Step(op=Op.UNCOUNTED),)
_THING = 50  # characters; longer items are sentences
_WATCHED = 0.8
_LEVELS = range(2, 7)


def are_sentences(values: Sequence[Value]) -> bool:
    """True for items that are longer than the name of a thing."""
    return median(len(str(value)) for value in values) > _THING if values else False


def is_one_sentence(value: Value, spec: FieldSpec) -> bool:
    """True for a list whose only item is a text: it may as well be the whole of a text
    that has several parts."""
    return (
        spec.shape is Shape.LIST
        and isinstance(value, list)
        and len(value) == 1
        and are_sentences(value)
    )


def heading_pipe(values: Sequence[Value], spec: FieldSpec) -> Pipe:
    """The step that leaves headings out of a list of things, if the known items have
    none."""
    if spec.kind is not FieldKind.TEXT or spec.shape is not Shape.LIST or not values:
        return ()
    return (
        ()
        if are_sentences(values) or any(is_heading(str(value)) for value in values)
        else UNHEADED
    )


def lasting_pipe(values: Sequence[Value], spec: FieldSpec) -> Pipe:
    """What other pages may add to the items of a list and this one does not show:
    headings among things, numbers before sentences."""
    if (
        spec.kind is not FieldKind.TEXT
        or spec.shape is not Shape.LIST
        or not are_sentences(values)
    ):
        return heading_pipe(values, spec)
    texts = [str(value) for value in values]
    return UNCOUNTED if uncounted(texts) == texts else ()


def with_headings(outer: str, items: str) -> str:
    """The selector of items in a container and of the headings among them."""
    return ", ".join((f"{outer} {items}", *(f"{outer} h{level}" for level in _LEVELS)))


def prefer_headings(found: list[CandidateReader]) -> list[CandidateReader]:
    """Where some readers of a text's items take headings along, the others only watch.

    On a page that has headings the two differ, and the field is not taken for certain.
    """
    if not any(_takes_headings(each) for each in found):
        return found
    return [
        each if _takes_headings(each) or not _is_plain(each) else _watching(each)
        for each in found
    ]


def prefer_items(found: list[CandidateReader]) -> list[CandidateReader]:
    """Where some readers of a list of things read each item, those that read a block
    line by line only watch: they take along whatever else is written there."""
    if all(_is_block(each) for each in found):
        return found
    return [_watching(each) if _is_block(each) else each for each in found]


def _is_block(candidate: CandidateReader) -> bool:
    return candidate.reader.get in ("lines", "flow")


def _takes_headings(candidate: CandidateReader) -> bool:
    return candidate.reader.src is Source.CSS and candidate.reader.at.endswith(
        f" h{_LEVELS[-1]}"
    )


def _is_plain(candidate: CandidateReader) -> bool:
    return candidate.reader.src is Source.CSS and candidate.reader.get == "text"


def _watching(candidate: CandidateReader) -> CandidateReader:
    reader = candidate.reader.model_copy(update={"kin": Kin.OTHER})
    return candidate._replace(reader=reader, prior=min(candidate.prior, _WATCHED))
