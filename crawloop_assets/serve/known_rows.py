"""What is known of each record that is read of a page: that of its page, and of a list
that of its row, on whichever page of the batch it was."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, repeat

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.drift.matching import Record, by_key, key_of, record_key
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldSpec
from crawloop_assets.store.known import vouched_values


@dataclass(frozen=True)
class KnownRows:
    """The known records of a batch, by url."""

    family: Family
    known: Mapping[str, Sequence[Record]]

    def of(
        self, previous: Sequence[Record], extraction: Extraction
    ) -> list[Record | None]:
        """What is known of each record, None for nothing, given what is of its page."""
        read = extraction.records
        if self.family.kind is FamilyKind.LISTING:
            return [self._rows.get(key_of(one.values, self._key)) for one in read]
        is_one = len(previous) == len(read) == 1
        return list(previous) if is_one else list(repeat(None, len(read)))

    @cached_property
    def _key(self) -> Sequence[FieldSpec]:
        """The fields that tell rows apart."""
        return record_key(self.family.schema_spec(), self.family)

    @cached_property
    def _rows(self) -> Mapping[Hashable, Record]:
        """The known rows by key, without what a model alone said."""
        rows = chain.from_iterable(self.known.values())
        return by_key(map(vouched_values, rows), self._key)
