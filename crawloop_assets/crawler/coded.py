"""What the code of a crawler returned, as if a program had read it.

Code gives rows of plain JSON. They become typed values by the same rules as an
operator's examples, each with the vote of its one reader; links lead to where they lead
from their page.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.record import to_values
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.parse import parse_value


def typed_rows(
    rows: Sequence[Mapping[str, Any]],
    schema: RecordSchema,
    held_by: str,
    base_url: str = "",
) -> Extraction:
    """Rows as an extraction; the votes say that code read them, and what held it.
    `base_url` is where links of their page start from."""
    linked = map(partial(_linked, fields=schema.fields, base_url=base_url), rows)
    return Extraction(records=tuple(_records(linked, schema, held_by)))


def _linked(
    row: Mapping[str, Any], fields: Sequence[FieldSpec], base_url: str
) -> dict[str, Any]:
    """A row with whole addresses."""
    whole = {spec.name: _whole(row.get(spec.name), spec, base_url) for spec in fields}
    return {**row, **whole}


def _whole(value: Any, spec: FieldSpec, base_url: str) -> Any:
    """A value, whose addresses are whole; what is no address stays as it is."""
    if isinstance(value, list):
        return list(map(partial(_whole, spec=spec, base_url=base_url), value))
    if isinstance(value, Mapping):
        return _linked(value, spec.fields, base_url)
    if spec.kind is not FieldKind.URL or not isinstance(value, str):
        return value
    return parse_value(value, spec, base_url) or value


def _records(
    rows: Iterable[Mapping[str, Any]], schema: RecordSchema, held_by: str
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
