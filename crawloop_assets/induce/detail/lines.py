"""Candidates for long texts: the lines of one element, some left out by their length,
or only the first so many."""

import re
from collections.abc import Iterator, Sequence
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
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.text import skeleton
from crawloop_assets.values.value import Value

_PROSE = 100  # fewer letters than this are no text
_SHORTEST = 20  # lines as short as this are not left out for their length
_LEVELS = 4  # elements around the items that are tried
_MOST_SELECTORS = 5  # of each of them
_TRUST = 0.85  # a whole element is less telling than the elements of the items
_TRUST_LOST_PER_LEVEL = 0.05
_UNNAMED = 0.0
_NOT_UNIQUE = -1
_MARK = re.compile(r"^\W*\d+\W*\s")
_LINES = {"lines": Document.lines, "flow": flow}
_ROUND = (1000, 100, 10, 5, 1)


def line_candidates(
    index: Index, values: Sequence[Value], spec: FieldSpec, context: FieldContext
) -> Iterator[CandidateReader]:
    """Readers that give the whole list as lines of one element."""
    wanted = [skeleton(str(value)) for value in values]
    if spec.kind is not FieldKind.TEXT or sum(map(len, wanted)) < _PROSE:
        return
    document = index.document
    unmarked = [skeleton(_MARK.sub("", str(value))) for value in values]
    for distance, container in enumerate(_containers(document, unmarked)):
        for get, lines in _LINES.items():
            pipe = line_filter(lines(document, container), wanted)
            if pipe is None:
                continue
            trust = cost(pipe)
            for selector in selectors(document, container, context)[:_MOST_SELECTORS]:
                prior = _TRUST * selector.prior - _TRUST_LOST_PER_LEVEL * distance
                reader = Reader(
                    src=Source.CSS,
                    at=selector.css,
                    get=get,
                    pipe=pipe,
                    kin=selector.kin,
                )
                yield CandidateReader(reader, prior * trust, _UNNAMED, selector.alone)
            return  # one place is one witness, so no other is looked for


def _containers(document: Document, wanted: Sequence[str]) -> list[int]:
    """The innermost element around the items, and those around it: found by items that
    the page has once."""
    if not document.elements:
        return []  # JSON
    root = next(iter(document.by_tag.get("body", ())), 0)
    starts = _starts_of_lines(document, root, frozenset(wanted))
    found = [starts[form] for form in wanted if starts.get(form, _NOT_UNIQUE) >= 0]
    if not found or 2 * len(found) < len(wanted):
        return []
    innermost, last = min(found), max(found)
    while innermost > root and document.end[innermost] <= last:
        innermost = document.parent[innermost]
    around = [number for number in document.ancestors(innermost) if number >= root]
    return [innermost, *around[: _LEVELS - 1]]


def _starts_of_lines(
    document: Document, root: int, wanted: frozenset[str]
) -> dict[str, int]:
    """For each wanted line the element its text starts in; _NOT_UNIQUE for one that the
    page has more than once."""
    starts: dict[str, int] = {}
    line: list[str] = []
    owner = -1
    for position in range(document.first_piece[root], document.last_piece[root]):
        piece = document.pieces[position]
        if piece.owner >= 0:
            if owner < 0:
                owner = document.piece_parent(position)
            line.append(piece.text)
            continue
        form = skeleton("".join(line)) if owner >= 0 else ""
        if form in wanted:
            starts[form] = _NOT_UNIQUE if form in starts else owner
        line, owner = [], -1
    return starts


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
    short = _below(lengths.between, least) or _below(lengths.after, least)
    long = _above(lengths.between, most) or _above(lengths.after, most)
    if (short or long) and least < _SHORTEST:
        return None
    steps: list[Step] = []
    if short:
        limit = _limit(max(short) + 1, len(short), least, len(lengths.wanted))
        steps.append(Step(op=Op.LONGER, args=(limit,)))
    if long:
        limit = _limit(most, len(lengths.wanted), min(long) - 1, len(long))
        steps.append(Step(op=Op.SHORTER, args=(limit,)))
    if len(apply(steps, list(lines))) > len(wanted):
        steps.append(Step(op=Op.TAKE, args=(len(wanted),)))
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
    return lengths if len(lengths.wanted) == len(wanted) else None


def _below(sizes: Sequence[int], limit: int) -> list[int]:
    return [size for size in sizes if size < limit]


def _above(sizes: Sequence[int], limit: int) -> list[int]:
    return [size for size in sizes if size > limit]


def _limit(low: int, below: int, high: int, above: int) -> int:
    """A limit between two lengths: the roundest, as people choose them; of equals the
    one nearest to where it is likely, which is closer to the side with more lines.

    `below` and `above` count the lines up to `low` and from `high`.
    """
    likely = (low * below + high * above) / (below + above)

    def rank(number: int) -> tuple[int, float]:
        return -_roundness(number), abs(number - likely)

    return min(range(low, high + 1), key=rank)


def _roundness(number: int) -> int:
    return next(size for size in _ROUND if number % size == 0)
