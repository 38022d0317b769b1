"""Candidates for long texts: the lines of one element, some left out by their length,
or only the first so many."""

import re
from collections.abc import Iterator, Sequence

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
_LEVELS = 4
_UNNAMED = 0.0
_MARK = re.compile(r"^\W*\d+\W*\s")
_LINES = {"lines": Document.lines, "flow": flow}


def line_candidates(
    index: Index, values: Sequence[Value], spec: FieldSpec, context: FieldContext
) -> Iterator[CandidateReader]:
    """Readers that give the whole list as lines of one element."""
    wanted = [skeleton(str(value)) for value in values]
    if spec.kind is not FieldKind.TEXT or sum(map(len, wanted)) < _PROSE:
        return
    document = index.document
    unmarked = [skeleton(_MARK.sub("", str(value))) for value in values]
    for distance, home in enumerate(_homes(document, unmarked)):
        for get, lines in _LINES.items():
            pipe = line_filter(lines(document, home), wanted)
            if pipe is not None:  # one place is one witness, so no other is looked for
                yield from _of_home(document, home, (get, pipe, distance), context)
                return


def _of_home(
    document: Document, home: int, manner: tuple[str, Pipe, int], context: FieldContext
) -> Iterator[CandidateReader]:
    get, pipe, distance = manner
    for each in selectors(document, home, context)[:5]:
        prior = (0.85 * each.prior - 0.05 * distance) * cost(pipe)
        reader = Reader(src=Source.CSS, at=each.css, get=get, pipe=pipe, kin=each.kin)
        yield CandidateReader(reader, prior, _UNNAMED, each.alone)


def _homes(document: Document, wanted: Sequence[str]) -> list[int]:
    """The innermost element around the items, and those around it: found by items that
    stand once in the page."""
    if not document.elements:
        return []  # JSON
    root = next(iter(document.by_tag.get("body", ())), 0)
    spots = _spots(document, root, frozenset(wanted))
    found = [spots[form] for form in wanted if spots.get(form, -1) >= 0]
    if 2 * len(found) < len(wanted) or not found:
        return []
    home, last = min(found), max(found)
    while home > root and document.end[home] <= last:
        home = document.parent[home]
    around = [number for number in document.ancestors(home) if number >= root]
    return [home, *around[: _LEVELS - 1]]


def _spots(document: Document, root: int, wanted: frozenset[str]) -> dict[str, int]:
    """For each wanted line the element its text starts in; -1 where it stands more than
    once."""
    spots: dict[str, int] = {}
    line: list[str] = []
    owner = -1
    for at in range(document.first_piece[root], document.last_piece[root]):
        piece = document.pieces[at]
        if piece.owner >= 0:
            owner = document.piece_parent(at) if owner < 0 else owner
            line.append(piece.text)
            continue
        form = skeleton("".join(line)) if owner >= 0 else ""
        if form in wanted:
            spots[form] = -1 if form in spots else owner
        line, owner = [], -1
    return spots


def line_filter(lines: Sequence[str], wanted: Sequence[str]) -> Pipe | None:
    """The steps that leave exactly the wanted lines (given by their skeletons), None if
    none do.

    Lines are left out for being too short or too long, and after the last wanted one
    for being too many.
    """
    kept: list[int] = []
    out: list[int] = []
    after: list[int] = []
    for line in lines:
        if len(kept) < len(wanted) and skeleton(line) == wanted[len(kept)]:
            kept.append(len(line))
        else:
            (out if len(kept) < len(wanted) else after).append(len(line))
    if len(kept) < len(wanted):
        return None
    least, most = min(kept), max(kept)
    if any(least <= size <= most for size in out):
        return None
    short = [size for size in out if size < least] or [
        size for size in after if size < least
    ]
    long = [size for size in out if size > most] or [
        size for size in after if size > most
    ]
    if (short or long) and least < _SHORTEST:
        return None
    steps = []
    if short:
        steps.append(
            Step(
                op=Op.LONGER,
                args=(_limit(max(short) + 1, len(short), least, len(kept)),),
            )
        )
    if long:
        steps.append(
            Step(
                op=Op.SHORTER, args=(_limit(most, len(kept), min(long) - 1, len(long)),)
            )
        )
    if len(apply(steps, list(lines))) > len(wanted):
        steps.append(Step(op=Op.TAKE, args=(len(wanted),)))
    return tuple(steps)


def _limit(low: int, below: int, high: int, above: int) -> int:
    """A limit between two lengths: the roundest, as people choose them; of equals the
    one nearest to where it is likely, which is closer to the side with more lines."""
    likely = (low * below + high * above) / (below + above)
    return min(
        range(low, high + 1),
        key=lambda number: (-_roundness(number), abs(number - likely)),
    )


def _roundness(number: int) -> int:
    return next(size for size in (1000, 100, 10, 5, 1) if number % size == 0)
