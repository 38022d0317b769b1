"""Candidates for long texts: the lines of one element, some left out by their length,
or only the first so many."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.document.document import Document
from crawloop_assets.document.flow import flow
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import FieldContext
from crawloop_assets.induce.locate.fit import Pipe, cost
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.selectors import selectors
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.text import skeleton
from crawloop_assets.values.value import Value

_PROSE = 100  # fewer letters than this are no text
_SHORTEST = 20  # lines as short as this are not left out for their length
_LEVELS = 4  # elements around the items that are tried
_MOST_SELECTORS = 5  # of each of them
_UNNAMED = 0.0
_NOT_UNIQUE = -1
_MARK = re.compile(r"^\W*\d+\W*\s")
_LINES = {"lines": Document.lines, "flow": flow}
_ROUND = (1000, 100, 10, 5, 1)


def line_candidates(
    index: Index, values: Sequence[Value], spec: FieldSpec, context: FieldContext
) -> Iterator[CandidateReader]:
    """Readers that give the whole list as lines of one element."""
    wanted = list(map(skeleton, map(str, values)))
    size = sum(map(len, wanted))
    if spec.kind is not FieldKind.TEXT or size < _PROSE:
        return
    block = _first_block(index.document, values, wanted)
    if block is None:
        return
    less = tuned("lines.trust_lost_per_level") * block.distance
    found = selectors(index.document, block.number, context)
    for selector in found[:_MOST_SELECTORS]:
        reader = Reader(
            src=Source.CSS,
            at=selector.css,
            get=block.get,
            pipe=block.pipe,
            kin=selector.kin,
        )
        prior = (tuned("lines.trust") * selector.prior - less) * cost(block.pipe)
        yield CandidateReader(reader, prior, _UNNAMED, selector.alone)


class _Block(NamedTuple):
    """An element whose lines are the list: how they are read, which are left out, and
    how far it is from the innermost element around the items."""

    number: int
    get: str
    pipe: Pipe
    distance: int


def _first_block(
    document: Document, values: Sequence[Value], wanted: Sequence[str]
) -> _Block | None:
    """The innermost block that gives the list: one place is one witness, so no other is
    looked for."""
    unmarked = [skeleton(_MARK.sub("", str(value))) for value in values]
    for distance, number in enumerate(_containers(document, unmarked)):
        for get, lines in _LINES.items():
            pipe = line_filter(lines(document, number), wanted)
            if pipe is not None:
                return _Block(number, get, pipe, distance)
    return None


def _containers(document: Document, wanted: Sequence[str]) -> list[int]:
    """The innermost element around the items, and those around it: found by items that
    the page has once."""
    if not document.elements:
        return []  # JSON
    root = min(document.by_tag.get("body", [0]))
    starts = _starts_of_lines(document, root, frozenset(wanted))
    found = _unique_starts(wanted, starts)
    if len(found) < max(1, tuned("lines.least_found") * len(wanted)):
        return []
    container, last = min(found), max(found)
    while container > root and document.end[container] <= last:
        container = document.parent[container]
    containers = [container]
    for ancestor in islice(document.ancestors(container), _LEVELS - 1):
        if ancestor >= root:
            containers.append(ancestor)
    return containers


def _unique_starts(wanted: Sequence[str], starts: Mapping[str, int]) -> list[int]:
    """The elements of the wanted lines that the page has once."""
    numbers: list[int] = []
    for form in wanted:
        number = starts.get(form, _NOT_UNIQUE)
        if number != _NOT_UNIQUE:
            numbers.append(number)
    return numbers


def _starts_of_lines(
    document: Document, root: int, wanted: frozenset[str]
) -> dict[str, int]:
    """For each wanted line the element its text starts in; _NOT_UNIQUE for one that the
    page has more than once."""
    starts: dict[str, int] = {}
    for positions in _lines_of(document, root):
        texts = [document.pieces[position].text for position in positions]
        form = skeleton("".join(texts))
        if form not in wanted:
            continue
        if positions and form not in starts:
            starts[form] = document.piece_parent(positions[0])
        else:
            starts[form] = _NOT_UNIQUE
    return starts


def _lines_of(document: Document, root: int) -> Iterator[list[int]]:
    """The pieces of each line of an element that a gap ends."""
    positions: list[int] = []
    for position in range(document.first_piece[root], document.last_piece[root]):
        if document.pieces[position].owner >= 0:
            positions.append(position)
            continue
        yield positions
        positions = []


class _Lengths(NamedTuple):
    """The lengths of an element's lines: the wanted ones, the others before the last of
    those, and the others after it."""

    wanted: list[int]
    between: list[int]
    after: list[int]


def line_filter(lines: Sequence[str], wanted: Sequence[str]) -> Pipe | None:
    """The steps that leave exactly the wanted lines (given by their skeletons), None if
    none do.

    Lines are left out for being too short or too long, and after the last wanted one
    for being too many.
    """
    lengths = _lengths(lines, wanted)
    if lengths is None:
        return None
    least, most = min(lengths.wanted), max(lengths.wanted)
    if any(least <= size <= most for size in lengths.between):
        return None
    count = len(wanted)
    steps: list[Step] = []
    short = _below(lengths.between, least) or _below(lengths.after, least)
    if short:
        limit = _limit(max(short) + 1, len(short), least, count)
        steps.append(Step(op=Op.LONGER, args=(limit,)))
    long = _above(lengths.between, most) or _above(lengths.after, most)
    if long:
        limit = _limit(most, count, min(long) - 1, len(long))
        steps.append(Step(op=Op.SHORTER, args=(limit,)))
    if steps and least < _SHORTEST:
        return None
    if len(apply(steps, list(lines))) > count:
        steps.append(Step(op=Op.TAKE, args=(count,)))
    return tuple(steps)


def _lengths(lines: Sequence[str], wanted: Sequence[str]) -> _Lengths | None:
    """The lengths of the lines; None if the wanted ones are not among them in order."""
    lengths = _Lengths([], [], [])
    for line in lines:
        if len(lengths.wanted) == len(wanted):
            lengths.after.append(len(line))
        elif skeleton(line) == wanted[len(lengths.wanted)]:
            lengths.wanted.append(len(line))
        else:
            lengths.between.append(len(line))
    if len(lengths.wanted) < len(wanted):
        return None
    return lengths


def _below(sizes: Sequence[int], limit: int) -> list[int]:
    """The sizes under a limit."""
    return [size for size in sizes if size < limit]


def _above(sizes: Sequence[int], limit: int) -> list[int]:
    """The sizes over a limit."""
    return [size for size in sizes if size > limit]


def _limit(low: int, below: int, high: int, above: int) -> int:
    """A limit between two lengths: the roundest, as people choose them; of equals the
    one nearest to where it is likely, which is closer to the side with more lines.

    `below` and `above` count the lines up to `low` and from `high`.
    """
    likely = (low * below + high * above) / (below + above)

    def rank(number: int) -> tuple[int, float]:
        """Sorts the roundest first, then the likeliest."""
        return -_roundness(number), abs(number - likely)

    return min(range(low, high + 1), key=rank)


def _roundness(number: int) -> int:
    """The greatest round number that divides it."""
    return next(size for size in _ROUND if number % size == 0)
