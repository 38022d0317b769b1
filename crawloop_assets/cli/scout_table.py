"""What scout shows: the records of a proposed family, and how sure each cell is."""

from collections.abc import Iterator, Sequence
from itertools import repeat
from operator import attrgetter
from typing import TYPE_CHECKING

from crawloop_assets.cli.scout_crawler import ScoutedFamily
from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.foreign import printable
from crawloop_assets.report.scouted_page import ScoutedCell, ScoutedTable
from crawloop_assets.sandbox import ExplainJob, WorkerPool
from crawloop_assets.values.value import Value

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_MOST_ROWS = 10
_CELL = 44
_UNSURE = "?"


def cell_text(value: Value | None) -> str:
    """A value in one short line; "" for none."""
    if value is None:
        return ""
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    text = printable(" ".join(text.split()))
    return text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"


def is_sure(
    family: ScoutedFamily, page: int, record: ExtractedRecord, name: str
) -> bool:
    """Whether a cell is shown without a mark: two kinds of places on its page say it
    and nobody otherwise; of a row, its readers alone pass the publish gate.

    Data of an API has one place for each value.
    """
    kind = family.files.proposal.kind
    if kind is FamilyKind.DETAIL:
        return name in family.sure[page]
    vote = record.votes.get(name)
    if vote is None or kind is not FamilyKind.JSON:
        return vote is not None and vote.is_certain
    return not vote.rivals


def rows_of(family: ScoutedFamily) -> list[tuple[int, ExtractedRecord]]:
    """All records that were read, with the position of their page."""
    pages = enumerate(family.read)
    return [(page, record) for page, one in pages for record in one.records]


def shown_names(family: ScoutedFamily) -> list[str]:
    """The fields of the table, in the order of the model."""
    return list(map(attrgetter("spec.name"), family.files.proposal.fields))


def table_of(family: ScoutedFamily, first: int = 1) -> "Table":
    """The first records, numbered from `first` on; a cell of which scout is not sure has
    a question mark."""
    from rich.markup import escape
    from rich.table import Table

    table = Table("row", *map(escape, shown_names(family)))
    for number, row in enumerate(shown_rows(family), first):
        table.add_row(str(number), *_cells(family, *row))
    return table


def shown_rows(family: ScoutedFamily) -> list[tuple[int, ExtractedRecord]]:
    """The first records of every page, with its position, ten in all."""
    filled = sum(bool(one.records) for one in family.read)
    each = max(1, _MOST_ROWS // max(1, filled))
    rows: list[tuple[int, ExtractedRecord]] = []
    for page, one in enumerate(family.read):
        rows += zip(repeat(page), one.records[:each])
    return rows[:_MOST_ROWS]


def _cells(
    family: ScoutedFamily, page: int, record: ExtractedRecord
) -> "Iterator[Text]":
    """The cells of a row."""
    from rich.text import Text

    for name in shown_names(family):
        text = cell_text(_held(family, page, record, name))
        is_ours = name not in record.votes or name not in record.values
        if not text or is_ours or is_sure(family, page, record, name):
            yield Text(text)
        else:
            yield Text(f"{text} {_UNSURE}", style="yellow")


def page_table(family: ScoutedFamily, pool: WorkerPool, first: int) -> ScoutedTable:
    """The same as a page has it, with the stored pages of its rows, on which the first
    row of each is marked."""
    names = shown_names(family)
    rows: list[tuple[int, str, tuple[ScoutedCell, ...]]] = []
    pages: dict[str, str] = {}
    for number, (page, record) in enumerate(shown_rows(family), first):
        url = family.pages[page].url
        cells = (_page_cell(family, page, record, name) for name in names)
        rows.append((number, url, tuple(cells)))
        if url not in pages:
            pages[url] = _page_shown(family, page, record, pool)
    return ScoutedTable(
        family=family.files.family,
        notes=tuple(summary_lines(family)),
        names=tuple(names),
        rows=tuple(rows),
        pages=pages,
    )


def _held(
    family: ScoutedFamily, page: int, record: ExtractedRecord, name: str
) -> Value | None:
    """What a field will hold: an address that nobody reads is the page's own."""
    own = {"url": family.pages[page].url}
    return record.values.get(name, own.get(name))


def _page_cell(
    family: ScoutedFamily, page: int, record: ExtractedRecord, name: str
) -> ScoutedCell:
    """One cell of the page's table."""
    is_ours = name not in record.votes or name not in record.values
    return ScoutedCell(
        text=cell_text(_held(family, page, record, name)),
        is_sure=is_ours or is_sure(family, page, record, name),
    )


def _page_shown(
    family: ScoutedFamily, page: int, record: ExtractedRecord, pool: WorkerPool
) -> str:
    """A stored page, made harmless, with the places that a record was read from."""
    job = ExplainJob(
        page=family.pages[page], program=family.program.to_json(), known=record.values
    )
    return pool.run(job).shown


def summary_lines(family: ScoutedFamily) -> Iterator[str]:
    """How much was read, how sure it is, and over which fields readers disagree."""
    rows = rows_of(family)
    cells = [(*row, name) for row in rows for name in row[1].values]
    sure = sum(is_sure(family, *cell) for cell in cells)
    pages = len(family.pages)
    yield (
        f"{len(rows)} records on {pages} {'page' if pages == 1 else 'pages'}; "
        f"{sure} of {len(cells)} cells are sure, the others have a ?"
    )
    split = _split([record for _, record in rows], shown_names(family))
    if split:
        yield f"readers disagree over: {', '.join(split)}"
    if family.proof.probation:
        yield f"on probation: {printable(family.proof.reason)}"


def _split(rows: Sequence[ExtractedRecord], names: Sequence[str]) -> list[str]:
    """The fields for which some record has more than one value, with how often."""
    counts = {
        name: sum(bool(row.votes[name].rivals) for row in rows if name in row.votes)
        for name in names
    }
    return [f"{name} ({count})" for name, count in counts.items() if count]
