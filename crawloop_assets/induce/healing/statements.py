"""What the structured data of changed pages states of one field."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, partial
from operator import attrgetter

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.structured import structured_candidates
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.locate.candidate import CandidateReader, best
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.present import present
from crawloop_assets.values.value import Value

_MOST_BEST = 4
_MOST_READ = 2


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
        return self._first(self._speaking_on(index), index)

    def own_on(self, index: Index) -> Value | None:
        """What the record's own data states on one page, whatever is said of the page
        as one to be shared."""
        return self._first(filter(_root, self._speaking_on(index)), index)

    def _first(
        self, candidates: Iterable[CandidateReader], index: Index
    ) -> Value | None:
        """The first value that some readers give on a page."""
        readers = map(attrgetter("reader"), candidates)
        values = map(partial(self._read, index=index), readers)
        return next(iter(present(values)), None)

    def _speaking_on(self, index: Index) -> Iterator[CandidateReader]:
        """The best readers, without those of other things on a page that has the one
        which states the field best: there it has none, and what is said of another
        thing is no value of its."""
        best = self.best[:_MOST_READ]
        own = next(filter(None, map(_root, best)), "")
        things = {own, ""} if own in index.document.roots else set(map(_root, best))
        return (one for one in best if _root(one) in things)

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


def _root(candidate: CandidateReader) -> str:
    """The thing that a reader of data asks, such as `ld:Recipe`; "" for what the head
    of a page says."""
    reader = candidate.reader
    return reader.at.partition(".")[0] if reader.src is Source.JSON else ""
