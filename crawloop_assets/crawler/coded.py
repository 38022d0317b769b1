"""What the code of a crawler returned, as if a program had read it.

Code gives rows of plain JSON. They become typed values by the same rules as an
operator's examples, each with the vote of its one reader.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.record import to_values
from crawloop_assets.schema import RecordSchema


def typed_rows(
    rows: Sequence[Mapping[str, Any]], schema: RecordSchema, held_by: str
) -> Extraction:
    """Rows as an extraction; the votes say that code read them, and what held it."""
    return Extraction(records=tuple(_records(rows, schema, held_by)))


def _records(
    rows: Sequence[Mapping[str, Any]], schema: RecordSchema, held_by: str
) -> Iterator[ExtractedRecord]:
    """The rows that say anything of the schema."""
    vote = FieldVote(
        agreement=1.0, live_readers=1, readers=1, reader=f"code held by {held_by}"
    )
    for at, row in enumerate(rows):
        values = to_values(row, schema)
        if values:
            yield ExtractedRecord(
                values=values, votes=dict.fromkeys(values, vote), row=at
            )
