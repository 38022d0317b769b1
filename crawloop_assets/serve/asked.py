"""What a worker is asked of a page beside its records: whether what is known of it stands
there, and the words by which others were told from it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.still_there import still_forms
from crawloop_assets.drift.value_lookup import (
    known_forms,
    seen_forms,
    shared_forms,
)
from crawloop_assets.schema import RecordSchema


@dataclass(frozen=True)
class AskedForms:
    """The forms that the pages of a batch are asked for; `known` are the last known good
    records by url, `lost` the fields that the version which reads them was made without:
    rows are looked through for those alone, as that costs more."""

    schema: RecordSchema
    known: Mapping[str, Sequence[Record]]
    lost: frozenset[str] = frozenset()

    def of(self, url: str, words: Collection[str] = ()) -> tuple[str, ...]:
        """Those of one page, in order, `words` among them."""
        known, fields = self.known.get(url, ()), self.schema.fields
        asked = known_forms(known, fields).union(self._shared, words)
        if len(known) > 1:
            asked |= seen_forms(known, fields)
            fields = tuple(spec for spec in fields if spec.name in self.lost)
        asked |= still_forms(known, fields)
        return tuple(sorted(asked))

    @cached_property
    def _shared(self) -> set[str]:
        """What every page is asked for, since few of it is known of all of them."""
        rows = chain.from_iterable(self.known.values())
        return shared_forms(rows, self.schema.fields)
