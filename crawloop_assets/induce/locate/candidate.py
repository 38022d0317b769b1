"""A candidate: a reader that is right on the page it was made from, with the odds that
it stays right."""

from collections.abc import Iterable
from typing import NamedTuple

from crawloop_assets.crawler.program import Reader


class CandidateReader(NamedTuple):
    """`prior` is the trust in the reader before it has been tried on other pages, about
    0..1.3; `named` the share of the field's words found on what the reader leans on (0
    = nothing says that this is the field); `alone` says that it found nothing else on
    its page (else, where the value is absent, it reads the next best thing).
    """

    reader: Reader
    prior: float
    named: float
    alone: bool = True

    @property
    def key(self) -> tuple[str, ...]:
        """A total order among equals."""
        reader = self.reader
        return (
            reader.kin.value,
            reader.src.value,
            reader.at,
            reader.get,
            "|".join(map(str, reader.pipe)),
        )


def best(
    candidates: Iterable[CandidateReader], most: int | None = None
) -> list[CandidateReader]:
    """The most trusted candidates, each reader once; by default all."""
    unique: dict[tuple[str, ...], CandidateReader] = {}
    for candidate in candidates:
        known = unique.setdefault(candidate.key, candidate)
        if known.prior < candidate.prior:
            unique[candidate.key] = candidate
    return sorted(unique.values(), key=by_trust)[:most]


def by_trust(candidate: CandidateReader) -> tuple[float, tuple[str, ...]]:
    """The most trusted first; differences too small to mean anything are none."""
    return -round(candidate.prior, 6), candidate.key
