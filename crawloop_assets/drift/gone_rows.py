"""Known values that rows of lists no longer have: rows that lost one by themselves, and
pages all of whose rows did.

A row that lacks a value two refreshes in a row, among others that have theirs, has it
no more. A page of which no row has one where all had is read wrongly, however often.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain

from crawloop_assets.drift.changes import RecordPair, has_rows, record_pairs
from crawloop_assets.drift.matching import Record, by_key, key_of, record_key
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sales import is_sale_over
from crawloop_assets.drift.unread_rows import is_unread, unread_in
from crawloop_assets.drift.values import EMPTY, is_filled
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec, RecordSchema

_FEWEST = 5
"""So few rows may all lose a value by themselves."""
_MOST_LOST = 0.5
"""Where more of the rows of a page lose one, none does so by itself."""


class GoneRows:
    """The known rows of the lists of a batch, and what they have lost."""

    def __init__(
        self, schema: RecordSchema, family: Family, pages: Sequence[PageOutcome]
    ):
        """Nothing is looked for yet."""
        self._schema, self._family, self._pages = schema, family, pages
        self._key = record_key(schema, family)

    def pages_with(self, spec: FieldSpec) -> list[int]:
        """The pages that have enough rows known for a value."""
        return [at for at, rows in self._known(spec).items() if len(rows) >= _FEWEST]

    def swept(self, spec: FieldSpec) -> list[int]:
        """Those of them on which no row has one any more, and no sale ended."""
        known = self._known(spec)
        return [
            at
            for at in self.pages_with(spec)
            if all(_is_lost(spec, pair) for pair in known[at])
            and spec.name not in self._pages[at].gone_since
            and not (spec.volatile and self._is_read(spec, at))
        ]

    def _is_read(self, spec: FieldSpec, at: int) -> bool:
        """Whether rows of a page have a value that comes and goes: it went from some rows, and
        came to others."""
        values = (row.get(spec.name) for row in self._pages[at].values)
        return any(map(is_filled, values))

    def gone(self, spec: FieldSpec) -> Counter[int]:
        """How many rows of each page have a known value no more, nor had it when the
        site was asked the last time."""
        found: Counter[int] = Counter()
        for at, rows in self._known(spec).items():
            lost = [pair for pair in rows if _is_lost(spec, pair)]
            if not self._is_misread(spec, len(rows), lost):
                found[at] = sum(self._was_gone(spec, pair) for pair in lost)
        return found

    def _known(self, spec: FieldSpec) -> Mapping[int, list[RecordPair]]:
        """The rows that are known to have a value, by the page they are on."""
        known: defaultdict[int, list[RecordPair]] = defaultdict(list)
        for pair in self._rows:
            if pair.old.get(spec.name) not in EMPTY:
                known[pair.page].append(pair)
        return known

    @cached_property
    def _rows(self) -> list[RecordPair]:
        """All known rows."""
        pairs = record_pairs(self._schema, self._family, self._pages)
        return [pair for pair in pairs if has_rows(self._pages[pair.page])]

    def _is_misread(
        self, spec: FieldSpec, known: int, lost: Sequence[RecordPair]
    ) -> bool:
        """Whether many rows of a page lost a value, or one says it still."""
        if len(lost) > _MOST_LOST * known:
            return True
        return any(self._says_unread(spec, pair) for pair in lost)

    def _says_unread(self, spec: FieldSpec, pair: RecordPair) -> bool:
        """Whether the known value stands in its row, and is read by nobody."""
        forms = unread_in(self._pages[pair.page], pair.new)
        return is_unread(pair.old[spec.name], spec, forms)

    def _was_gone(self, spec: FieldSpec, pair: RecordPair) -> bool:
        """Whether a row did not have a value the last time, either."""
        said = self._said.get(key_of(pair.new, self._key))
        return said is not None and said.get(spec.name) in EMPTY

    @cached_property
    def _said(self) -> Mapping[object, Record]:
        """What the refresh before said of the rows, by key."""
        said: Iterator[Record]
        said = chain.from_iterable(page.said_before for page in self._pages)
        return by_key(said, self._key)


def _is_lost(spec: FieldSpec, pair: RecordPair) -> bool:
    """Whether a row has a known value no more, and no sale ended."""
    if pair.new.get(spec.name) not in EMPTY:
        return False
    return not is_sale_over(spec, pair.old, pair.new)
