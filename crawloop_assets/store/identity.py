"""What a record is called in its family: its key, or what stands in for one, and the
fingerprint of its values."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from pydantic import BaseModel

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.family import Family
from crawloop_assets.record import RecordState
from crawloop_assets.store.encoding import encode_record
from crawloop_assets.store.models import ServedPage
from crawloop_assets.store.tables import Table


@dataclass
class KeyedRow:
    """A record of a page with its staged values, and what became of it in a commit.

    `kept` are the fields that have their known value, and when that was last found on
    the page. `is_news` if the history is told of it. `marks` are what a row of an old page says of its age.
    """

    page: ServedPage
    record: BaseModel
    values: dict[str, Any]
    digest: str
    state: RecordState = RecordState.NEW
    changed_at: datetime | None = None
    kept: Mapping[str, datetime | None] = field(default_factory=dict)
    is_news: bool = False
    marks: dict[str, Any] = field(default_factory=dict)


def keyed_rows(
    family: Family, table: Table, pages: Sequence[ServedPage]
) -> tuple[dict[str, KeyedRow], int]:
    """Key -> row of all records of the pages, and how many were dropped because a later
    one has their key."""
    volatile = {spec.name for spec in table.schema.fields if spec.volatile}
    rows: dict[str, KeyedRow] = {}
    duplicates = 0
    for page in pages:
        turns: Counter[str] = Counter()
        for position, record in enumerate(page.records):
            values = encode_record(record, table.types)
            key = stored_key(family, page.url, values)
            if key is None:
                content = _digest(values, volatile)[:16]
                turns[content] += 1
                key = _content_key(page.url, content, turns[content])
            duplicates += key in rows
            rows.pop(key, None)  # the later one also takes the later place
            kept = dict.fromkeys(page.kept.get(position, ()))
            rows[key] = KeyedRow(page, record, values, _digest(values), kept=kept)
    return rows, duplicates


def stored_key(family: Family, url: str, values: Mapping[str, Any]) -> str | None:
    """The identity of a record, or None where the family's key does not give it one.

    `url` means the page's url on a detail page and the record's own `url`, if it has
    one, elsewhere.
    """
    parts = [_key_part(family, name, url, values) for name in family.key]
    if None in parts:
        return None
    texts = list(map(_plain, parts))
    return texts[0] if len(texts) == 1 else json.dumps(texts, ensure_ascii=False)


def _key_part(family: Family, name: str, url: str, values: Mapping[str, Any]) -> Any:
    if name != "url":
        return values.get(name)
    if family.kind is FamilyKind.DETAIL:
        return url
    own = values.get(name)
    only_part = len(family.key) == 1
    return url if own is None and not only_part else own


def _content_key(url: str, content: str, turn: int) -> str:
    """The identity of a record that nothing names: its content, and its turn among
    equals of its page."""
    return f"{url}#{content}" if turn == 1 else f"{url}#{content}-{turn}"


def _digest(values: Mapping[str, Any], without: Iterable[str] = ()) -> str:
    """A fingerprint of the stored values; absent fields do not count, so that a new
    optional field changes nothing."""
    counted = {
        name: _plain(value)
        for name, value in values.items()
        if value is not None and name not in without
    }
    return hashlib.sha256(
        json.dumps(counted, sort_keys=True, ensure_ascii=False).encode()
    ).hexdigest()


def _plain(value: Any) -> str:
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return value if isinstance(value, str) else repr(value)
