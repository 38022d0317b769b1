"""What scout shows: the records of a proposed family, and how sure each cell is."""

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING

from crawloop_assets.cli.scouting import ScoutedFamily
from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.values.value import Value

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_MOST_ROWS = 10
_CELL = 44
_UNSURE = "?"


def printable(text: str) -> str:
    """A text without anything that a terminal would obey."""
    return "".join(char if char.isprintable() else "�" for char in text)


def cell_text(value: Value | None) -> str:
    """A value in one short line; "" for none."""
    if value is None:
        return ""
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    text = printable(" ".join(text.split()))
    return text if len(text) <= _CELL else f"{text[: _CELL - 1]}…"


def is_sure(family: ScoutedFamily, record: ExtractedRecord, name: str) -> bool:
    """Whether a cell would pass the publish gate by its readers alone, and more than
    markup speaks for its field; data of an API has one place for each value."""
    vote = record.votes.get(name)
    if vote is None or family.files.proposal.kind is not FamilyKind.JSON:
        is_backed = family.files.proposal.backs(name)
        return vote is not None and vote.is_certain and is_backed
    return not vote.rivals


def rows_of(family: ScoutedFamily) -> list[ExtractedRecord]:
    """All records that were read, page by page."""
    return [record for one in family.read for record in one.records]


def shown_names(family: ScoutedFamily) -> list[str]:
    """The fields of the table, in the order of the model."""
    return [one.spec.name for one in family.files.proposal.fields]


def table_of(family: ScoutedFamily, first: int = 1) -> "Table":
    """The first records, numbered from `first` on; a cell of which scout is not sure has
    a question mark."""
    from rich.markup import escape
    from rich.table import Table

    table = Table("row", *map(escape, shown_names(family)))
    for number, (_, record) in enumerate(shown_rows(family), first):
        table.add_row(str(number), *_cells(family, record))
    return table


def shown_rows(family: ScoutedFamily) -> list[tuple[int, ExtractedRecord]]:
    """The first records of every page, with its position, ten in all."""
    filled = sum(bool(one.records) for one in family.read)
    each = max(1, _MOST_ROWS // max(1, filled))
    rows: list[tuple[int, ExtractedRecord]] = []
    for page, one in enumerate(family.read):
        rows += zip(repeat(page), one.records[:each])
    return rows[:_MOST_ROWS]


def _cells(family: ScoutedFamily, record: ExtractedRecord) -> "Iterator[Text]":
    """The cells of a row."""
    from rich.text import Text

    for name in shown_names(family):
        text = cell_text(record.values.get(name))
        if not text or name not in record.votes or is_sure(family, record, name):
            yield Text(text)
        else:
            yield Text(f"{text} {_UNSURE}", style="yellow")


def summary_lines(family: ScoutedFamily) -> Iterator[str]:
    """How much was read, how sure it is, and over which fields readers disagree."""
    rows = rows_of(family)
    cells = [(row, name) for row in rows for name in row.values]
    sure = sum(is_sure(family, row, name) for row, name in cells)
    pages = len(family.pages)
    yield (
        f"{len(rows)} records on {pages} {'page' if pages == 1 else 'pages'}; "
        f"{sure} of {len(cells)} cells are read alike by two readers or more, the others have a ?"
    )
    split = _split(rows, shown_names(family))
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
