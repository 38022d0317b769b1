"""Is what `explain` highlights what was read? On captured pages of real sites.

python -m bench.explain DATA_DIR [--families 60] [--seconds 150]

Programs are compiled from the first captures of each family, and read later ones. Of
each value that they read there the page is made that a person would look at. The
highlighted element is taken from that page, parsed anew; its text (for attributes, and
for what is stated in scripts, what is said of it) goes through the steps that are shown,
and the outcome must be the value. The page must hold nothing that runs or leads anywhere.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from pathlib import Path

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.marked import marks_of
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.crawler.read import to_value
from crawloop_assets.crawler.readable import reader_line
from crawloop_assets.crawler.trace import (
    CHOOSING,
    FieldTrace,
    ReaderTrace,
    trace_record,
)
from crawloop_assets.crawler.transforms import apply
from crawloop_assets.document.display import MarkRole, displayed
from crawloop_assets.document.document import Document
from crawloop_assets.document.flow import flow
from crawloop_assets.errors import CrawloopError
from crawloop_assets.eval.inputs import Input
from crawloop_assets.eval.layouts import Unit, layouts
from crawloop_assets.eval.pack import PackFamily, load_pack
from crawloop_assets.eval.plan import units
from crawloop_assets.eval.results import CaseResult
from crawloop_assets.eval.workbench import Workbench
from crawloop_assets.page import Page
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_LEARNED = 2
_READ = 4
_ROWS = 3
_SAID = 80
_RIGHT = "right"
_NODE_TEXTS: dict[str, Callable[[Document, int], list[str]]] = {
    "text": lambda page, number: [page.text(number)],
    "lines": Document.lines,
    "flow": flow,
}
"""What is read of an element as it is shown."""
_WRONG_TAGS = ("script", "iframe", "object", "embed", "link", "meta", "form", "base")


@dataclass(frozen=True)
class Shown:
    """One value, and what came of looking at it."""

    family: str
    field: str
    outcome: str
    how: str = ""


def values_of(folder: Path, unit: Unit) -> Iterator[Shown]:
    """Every value that a program reads on a page it has not seen."""
    bench = Workbench(folder, unit, Input.AS_IS)
    for layout in layouts(unit):
        count = min(_LEARNED, len(layout) - 1)
        for page in layout[count:][:_READ] if count else ():
            yield from _of_page(bench, layout[:count], page)


def _of_page(bench: Workbench, learned: tuple[str, ...], page: str) -> Iterator[Shown]:
    """The values of the first records of one page."""
    program = bench.learned(learned, CaseResult())
    if program is None:
        return
    document = Document(bench.page(page))
    records = bench.extract(program, page, CaseResult()).records[:_ROWS]
    for record in records:
        for field in program.fields:
            yield from _of_value(bench, program, document, record, field)


def _of_value(
    bench: Workbench,
    program: Program,
    document: Document,
    record: ExtractedRecord,
    field: FieldProgram,
) -> Iterator[Shown]:
    """One value of one record."""
    name, family = field.spec.name, bench.unit.family.family
    if name not in record.values or field.fields:
        return
    traced = trace_record(program, document, record.values, name)
    shown = displayed(document, marks_of(traced))
    how, outcome = _judged(traced.fields[0], field, shown, document.base_url)
    yield Shown(family, name, outcome, how)


def _judged(
    trace: FieldTrace, field: FieldProgram, shown: str, base: str
) -> tuple[str, str]:
    """Where a value was read, and "right" or what is wrong with what is shown."""
    winner = trace.winner
    if winner is None:
        return "nowhere", "no reader for the value"
    page = Document(_as_page(shown, base))
    where = winner.get if winner.elements else "stated"
    wrong = list(filter(_WRONG_TAGS.__contains__, page.tags))
    if wrong:
        return where, f"a page with {wrong[0]}"
    return where, _read_again(winner, field, trace.value, page)


def _read_again(
    winner: ReaderTrace, field: FieldProgram, wanted: Value, page: Document
) -> str:
    """What becomes of the highlighted text on the way that is shown."""
    marked = page.having("class")
    nodes = [number for number, role in marked.items() if role == MarkRole.READ]
    if nodes[:1] != list(page.having("id")):
        return "the first mark is another one"
    texts = _texts(winner, nodes, page)
    if not texts:
        return "the highlighted element does not hold what was read"
    shown = {reader_line(one): one.pipe for one in field.readers}[winner.line]
    value: Value = None
    for steps in (shown, [one for one in shown if one.op not in CHOOSING]):
        value = to_value(apply(steps, texts), field.spec, page.base_url)
        if same(value, wanted, field.spec):
            return _RIGHT
    return f"{texts[0][:60]!r} gives {value!r}, not {wanted!r}"[:200]


def _texts(winner: ReaderTrace, nodes: Sequence[int], page: Document) -> list[str]:
    """What stands in the highlighted elements; for what is no text of an element, what
    was found, if that is said of it."""
    read = _NODE_TEXTS.get(winner.get)
    if winner.elements and read is not None:
        return list(chain.from_iterable(read(page, number) for number in nodes))
    if winner.get == "tail" or _are_said(winner, nodes, page):
        return list(winner.texts)
    return []


def _are_said(winner: ReaderTrace, nodes: Sequence[int], page: Document) -> bool:
    """Whether all that was found stands in the highlighted elements or beside them."""
    said = [page.elements[number].get("data-says", "") for number in nodes]
    around = _letters("".join([*map(page.text, nodes), *said]))
    starts = [_letters(text)[:_SAID] for text in winner.texts]
    return all(map(around.__contains__, starts))


def _letters(text: str) -> str:
    """A text without its blanks."""
    return "".join(text.split())


def _as_page(shown: str, base: str) -> Page:
    """What is shown as a page of its own."""
    return Page(
        url=base,
        body=shown.encode(),
        headers={"content-type": "text/html; charset=utf-8"},
    )


def main() -> int:
    """Print the figures; 1 if any value is not shown right."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="a folder with index.json")
    parser.add_argument("--families", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=150)
    options = parser.parse_args()
    began, seen = time.monotonic(), list[Shown]()
    pack = load_pack(options.data)
    for family in pack[:: max(1, len(pack) // options.families)]:
        seen += _of_family(options.data, family)
        if time.monotonic() - began > options.seconds:
            break
    wrong = [one for one in seen if one.outcome != _RIGHT]
    families = len(set(map(attrgetter("family"), seen)))
    print(
        f"{len(seen) - len(wrong)} of {len(seen)} values of {families} families are shown where they were read"
    )
    how = Counter(map(attrgetter("how"), seen))
    print("by what was read:", dict(how.most_common()))
    for one in wrong:
        print(f"  {one.family} {one.field} ({one.how}): {one.outcome}")
    return int(bool(wrong) or not seen)


def _of_family(folder: Path, family: PackFamily) -> list[Shown]:
    """The values of a family, as far as programs can be made of its pages."""
    seen: list[Shown] = []
    for unit in units(family):
        with suppress(CrawloopError):
            seen += values_of(folder, unit)
    return seen


if __name__ == "__main__":
    sys.exit(main())
