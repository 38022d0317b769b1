"""Headings among the items of a list: they belong to a text (steps, paragraphs), they
are no items of a list of things.

One known page without any heading says nothing of the next one. What the items are
does: where only some pages of a recipe site group them, headings are nearly never among
the ingredients and nearly always among the steps.
"""

from collections.abc import Callable, Sequence
from statistics import median

from crawloop_assets.crawler.group_headings import is_heading
from crawloop_assets.crawler.program import Kin, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.counts import uncounted
from crawloop_assets.values.value import Value

UNHEADED: Pipe = (Step(op=Op.WITHOUT, args=("headings",)),)
UNCOUNTED: Pipe = (Step(op=Op.WITHOUT, args=("counts",)),)
_LONGEST_THING = 50  # characters; longer items are sentences
_LEVELS = range(2, 7)
_LINE_GETS = ("lines", "flow")


def are_sentences(values: Sequence[Value]) -> bool:
    """True for items that are longer than the name of a thing."""
    if not values:
        return False
    lengths = map(len, map(str, values))
    return median(lengths) > _LONGEST_THING


def is_one_sentence(value: Value, spec: FieldSpec) -> bool:
    """True for a list whose only item is a text: it may as well be the whole of a text
    that has several parts."""
    if spec.shape is not Shape.LIST or not isinstance(value, list):
        return False
    if len(value) > 1:
        return False
    return are_sentences(value)


def _is_list_of_texts(spec: FieldSpec) -> bool:
    """True for the only fields whose items may be headed or counted."""
    return (spec.kind, spec.shape) == (FieldKind.TEXT, Shape.LIST)


def heading_pipe(values: Sequence[Value], spec: FieldSpec) -> Pipe:
    """The step that leaves headings out of a list of things, if the known items have
    none."""
    if not values or not _is_list_of_texts(spec):
        return ()
    if are_sentences(values):
        return ()
    has_heading = any(map(is_heading, map(str, values)))
    if has_heading:
        return ()
    return UNHEADED


def lasting_pipe(values: Sequence[Value], spec: FieldSpec) -> Pipe:
    """What other pages may add to the items of a list and this one does not show:
    headings among things, numbers before sentences."""
    if not _is_list_of_texts(spec):
        return ()
    if not are_sentences(values):
        return heading_pipe(values, spec)
    texts = list(map(str, values))
    if uncounted(texts) == texts:
        return UNCOUNTED
    return ()


def with_headings(outer: str, items: str) -> str:
    """The selector of items in a container and of the headings among them."""
    headings = [f"{outer} h{level}" for level in _LEVELS]
    return ", ".join((f"{outer} {items}", *headings))


def prefer_headings(found: list[CandidateReader]) -> list[CandidateReader]:
    """Where some readers of a text's items take headings along, the others only watch.

    On a page that has headings the two differ, and the field is not taken for certain.
    """
    if not any(map(_takes_headings, found)):
        return found
    return _with_watchers(found, _misses_headings)


def prefer_items(found: list[CandidateReader]) -> list[CandidateReader]:
    """Where some readers of a list of things read each item, those that read a block
    line by line only watch: they take along whatever else is written there."""
    if all(map(_reads_lines, found)):
        return found
    return _with_watchers(found, _reads_lines)


def _reads_lines(candidate: CandidateReader) -> bool:
    """True for a reader of a whole block."""
    return candidate.reader.get in _LINE_GETS


def _takes_headings(candidate: CandidateReader) -> bool:
    """True for a reader by a selector of `with_headings`."""
    reader = candidate.reader
    return reader.src is Source.CSS and reader.at.endswith(f" h{_LEVELS[-1]}")


def _misses_headings(candidate: CandidateReader) -> bool:
    """True for a reader of the texts of elements that leaves the headings among them
    out."""
    reader = candidate.reader
    is_text = (reader.src, reader.get) == (Source.CSS, "text")
    return is_text and not _takes_headings(candidate)


def _with_watchers(
    found: list[CandidateReader], is_watcher: Callable[[CandidateReader], bool]
) -> list[CandidateReader]:
    """The readers in their order, some of them as watchers."""
    readers: list[CandidateReader] = []
    for candidate in found:
        if is_watcher(candidate):
            candidate = _as_watcher(candidate)
        readers.append(candidate)
    return readers


def _as_watcher(candidate: CandidateReader) -> CandidateReader:
    """A reader that votes with little weight and vouches for nothing."""
    reader = candidate.reader.model_copy(update={"kin": Kin.OTHER})
    prior = min(candidate.prior, tuned("headings.less_trusted"))
    return candidate._replace(reader=reader, prior=prior)
