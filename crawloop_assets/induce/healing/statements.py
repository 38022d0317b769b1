"""What the structured data of changed pages states of one field."""

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from operator import attrgetter

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.structured import structured_candidates
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value

_MOST_BEST = 4
_MOST_READ = 2
_READER = attrgetter("reader")


@dataclass(frozen=True)
class Statements:
    """All statements of the pages; `main` are the roots that describe the record."""

    spec: FieldSpec
    indexes: tuple[Index, ...]
    main: tuple[str, ...]

    @cached_property
    def candidates(self) -> list[CandidateReader]:
        """All readers of structured data, best first."""
        found: list[CandidateReader] = []
        for index in self.indexes:
            found += structured_candidates(index.document, self.spec, self.main)
        return best(found)

    @property
    def best(self) -> list[CandidateReader]:
        """The best readers of structured data."""
        return self.candidates[:_MOST_BEST]

    def value_on(self, index: Index) -> Value | None:
        """What structured data states on one page."""
        return self._first(map(_READER, self.best[:_MOST_READ]), index)

    def own_on(self, index: Index) -> Value | None:
        """What the record's own data states on one page, whatever is said of the page
        as one to be shared."""
        readers = map(_READER, self.best[:_MOST_READ])
        own = filter(lambda reader: reader.src is Source.JSON, readers)
        return self._first(own, index)

    def _first(self, readers: Iterable[Reader], index: Index) -> Value | None:
        """What the first of some readers gives that gives anything."""
        values = (self._read(reader, index) for reader in readers)
        return next((value for value in values if value is not None), None)

    def most_like(self, known: list[KnownValue]) -> Reader | None:
        """The statement that is most like the last known values.

        Pages state a picture in several sizes, and which of them was meant shows in how
        the known address is made. None for what is no address, or stated once.
        """
        if (self.spec.kind, self.spec.shape) != (FieldKind.URL, Shape.ONE):
            return None
        if len(self.candidates) < 2:
            return None
        best, likest = 0.0, None
        for candidate in self.candidates:
            likeness = self._likeness(candidate.reader, known)
            if likeness > best:
                best, likest = likeness, candidate.reader
        return likest

    def _likeness(self, reader: Reader, known: list[KnownValue]) -> float:
        """The mean share of characters that a reader's values and the known ones have
        in common, in order; 0 where nothing is known."""
        shares = []
        for page in known:
            if page.value is None:
                continue
            value = self._read(reader, page.index) or ""
            matcher = SequenceMatcher(None, str(page.value), str(value), autojunk=False)
            shares.append(matcher.ratio())
        if not shares:
            return 0.0
        return round(sum(shares) / len(shares), 4)

    def _read(self, reader: Reader, index: Index) -> Value | None:
        """What a reader gives on a page, None for nothing."""
        return read(reader, Scope(index.document), self.spec)
