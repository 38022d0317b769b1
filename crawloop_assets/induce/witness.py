"""What speaks for a field on changed pages: its old readers, its last known value, structured data, likeness."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from crawloop_assets.crawler.extraction import FieldVote, Value
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.byname import value_by_name
from crawloop_assets.induce.candidate import Candidate
from crawloop_assets.induce.ensemble import Known, Tried, induce
from crawloop_assets.induce.places import Index
from crawloop_assets.induce.relocate import Found, relocate
from crawloop_assets.induce.structured import structured_candidates
from crawloop_assets.record import same
from crawloop_assets.schema import FieldSpec

AGREED = 0.5
_LIKE, _MARGIN = 0.7, 0.08


@dataclass(frozen=True)
class Witnesses:
    """One field on the changed pages. `values` are the last known ones, page by page (None where there is none)."""

    spec: FieldSpec
    old: FieldProgram
    indexes: tuple[Index, ...]
    values: tuple[Value | None, ...]
    main: tuple[str, ...]

    @cached_property
    def votes(self) -> list[tuple[Value, FieldVote]]:
        """What the old readers say, page by page."""
        return [vote_on(self.old, Scope(index.document)) for index in self.indexes]

    @cached_property
    def named(self) -> list[Candidate]:
        """The best readers of structured data."""
        found: dict[tuple[str, ...], Candidate] = {}
        for index in self.indexes:
            for candidate in structured_candidates(index.document, self.spec, self.main):
                found.setdefault(candidate.key, candidate)
        return sorted(found.values(), key=lambda each: (-round(each.prior, 6), each.key))[:4]

    @cached_property
    def said(self) -> list[Value | None]:
        """What structured data says, page by page."""
        return [self._first_said(index) for index in self.indexes]

    def _first_said(self, index: Index) -> Value | None:
        for candidate in self.named[:2]:
            value = read(candidate.reader, Scope(index.document), self.spec)
            if value is not None:
                return value
        return None

    @cached_property
    def alike(self) -> list[Found | None]:
        """What looks most like the field did, page by page."""
        return [relocate(index, self.old, self.spec) for index in self.indexes]

    @cached_property
    def byname(self) -> list[Value | None]:
        """What labels and class names agree on, page by page."""
        return [value_by_name(index, self.spec) for index in self.indexes]

    def confirmed(self) -> int:
        """On how many pages the old readers still give the last known value."""
        return sum(
            value is not None and known is not None and same(value, known, self.spec)
            for (value, _), known in zip(self.votes, self.values, strict=True)
        )

    def speaking(self) -> bool:
        """True if the old readers give a value on every page, with enough agreement."""
        return all(value is not None and vote.agreement >= AGREED for value, vote in self.votes)

    def silent(self) -> bool:
        """True if the old readers say nothing on any page."""
        return all(value is None for value, _ in self.votes)

    def living(self) -> tuple[Reader, ...]:
        """The old readers that still say something on at least half of the pages."""
        return tuple(
            reader
            for reader in self.old.readers
            if 2 * sum(read(reader, Scope(index.document), self.spec) is not None for index in self.indexes)
            >= len(self.indexes)
        )

    def aligned(self) -> list[Tried]:
        """Readers of the last known values, best first; empty if those no longer stand where the field may be."""
        known = [Known(index, value) for index, value in zip(self.indexes, self.values, strict=True)]
        if all(each.value is None for each in known):
            return []
        return [each for each in induce(known, self.spec, self.named) if _is_sound(each)]

    def agreed(self) -> list[Value | None]:
        """Page by page the value two witnesses agree on; structured data that names the field speaks for itself."""
        return [
            self._agreed(at, value if vote.agreement >= AGREED else None, said)
            for at, ((value, vote), said) in enumerate(zip(self.votes, self.said, strict=True))
        ]

    def _agreed(self, at: int, old: Value | None, said: Value | None) -> Value | None:
        """Structured data and likeness together outweigh the old readers; without those, structured data speaks for
        itself, then what labels and names agree on, then a likeness without rival."""
        if old is not None and said is None:
            return old
        found = self.alike[at]
        like = found.value if found is not None and found.score >= _LIKE and found.margin >= _MARGIN else None
        if old is not None:
            return said if like is not None and same(said, like, self.spec) else old
        if said is not None:
            return said
        named = self.byname[at]
        return named if named is not None else like

    def taught(self, values: Sequence[Value | None]) -> list[Tried]:
        """Readers of values the witnesses agree on."""
        known = [Known(index, value) for index, value in zip(self.indexes, values, strict=True)]
        return [each for each in induce(known, self.spec, self.named) if _is_sound(each)]


def _is_sound(tried: Tried) -> bool:
    """Not a chance hit: something names the field, or the reader is one that tends to last."""
    if any(
        step.op is Op.STRIP_SUFFIX and str(step.args[0]).strip()[:1].isalnum() for step in tried.candidate.reader.pipe
    ):
        return False  # the value has become longer: what follows it is no label
    return tried.candidate.named > 0 or tried.candidate.prior >= 0.45
