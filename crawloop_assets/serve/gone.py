"""What a heal has proved gone is gone, from the next refresh on, until it is back.

A version that lost a field because the site lost it does not retire one that has it:
where the field is on a page again, the other one reads it. What is gone takes its known
values along: a version that comes after has nothing to prove that by, and it stays gone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from operator import itemgetter

from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.versions import lost_fields, unheard_fields
from crawloop_assets.store import CrawlerVersion


@dataclass(frozen=True)
class GoneFields:
    """The fields that each version was proved without."""

    versions: Sequence[CrawlerVersion]

    def of(self, reading: Reading) -> frozenset[str]:
        """The fields that the pages had lost before this one was fetched, by the proofs
        of the version that read it and of those before."""
        page = reading.visit.page
        if reading.version is None or page is None:
            return frozenset()
        lost = self._since.get(reading.version, {})
        return frozenset(
            name for name, moment in lost.items() if moment < page.fetched_at
        )

    @cached_property
    def _since(self) -> Mapping[int, Mapping[str, datetime]]:
        """By version, since when which fields are proved gone."""
        found: dict[int, Mapping[str, datetime]] = {}
        before: Mapping[str, datetime] = {}
        promoted = [
            (version.promoted_at, version)
            for version in self.versions
            if version.promoted_at is not None
        ]
        for moment, version in sorted(promoted, key=itemgetter(0)):
            lost = lost_fields(version) | (before.keys() & unheard_fields(version))
            before = {name: before.get(name, moment) for name in lost}
            found[version.version] = before
        return found
