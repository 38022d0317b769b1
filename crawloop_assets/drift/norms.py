"""What a family's history says is normal, gathered from the statistics of earlier
batches."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from crawloop_assets.drift.facts import template_distance
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.rates import Rate, baseline
from crawloop_assets.drift.signs import RULES, Sign

_LEAST_UNITS = 30
_LEAST_BATCHES = 5
_USUAL = 10
_RECENT = 400
NEAR_LAYOUT = 0.6


class Norms:
    """The healthy part of a family's history, seen from one batch read by one crawler
    version."""

    def __init__(
        self, history: Sequence[BatchStats], batch: str = "", version: int | None = None
    ):
        self._all = [stats for stats in history if not stats.drifted][-_RECENT:]
        self._own = [stats for stats in self._all if stats.batch == batch]
        self._version = [stats for stats in self._all if stats.version == version]
        self.version = version
        # Asked for every value of a batch, so counted once.
        self._counted: dict[tuple[str, bool], Counter[str]] = {}
        self._known: dict[str, frozenset[str]] = {}
        self.batches = len(self._all)
        self.pages = sum(stats.pages for stats in self._all)

    def has_read(self, version: int | None) -> bool:
        """Whether a healthy batch was read by that version; True while nothing is known
        of versions."""
        return version is None or version in self._versions or self._versions <= {None}

    @cached_property
    def _versions(self) -> frozenset[int | None]:
        return frozenset(stats.version for stats in self._all)

    def rate(self, sign: Sign, subject: str, seen: int) -> tuple[Rate, bool]:
        """The sign's rate and whether it may be called drift (not merely suspicion).

        For assortment signs the batch's own past counts; the rest of the family only
        raises suspicion, and only once there are enough batches to know how much they
        differ.
        """
        name = f"{sign}:{subject}"
        if not RULES[sign].assortment:
            source = self._version if RULES[sign].per_version else self._all
            return self._rate(source, name), True
        own = self._rate(self._own, name)
        if own.seen >= min(seen, _LEAST_UNITS):
            return own, sum(name in stats.rates for stats in self._own) >= RULES[
                sign
            ].own_batches
        others = [stats for stats in self._all if name in stats.rates]
        return (
            (self._rate(others, name), False)
            if len(others) >= _LEAST_BATCHES
            else (Rate(0, 0), False)
        )

    def most(self, sign: Sign, subject: str) -> float | None:
        """The largest share the sign had in this batch's own past, else in the
        family's; None if unseen."""
        name = f"{sign}:{subject}"
        for source in (self._own, self._all):
            shares = [
                Rate(*stats.rates[name]).share
                for stats in source
                if name in stats.rates
            ]
            if shares:
                return max(shares)
        return None

    @staticmethod
    def _rate(source: Sequence[BatchStats], name: str) -> Rate:
        return baseline(
            Rate(*stats.rates[name]) for stats in source if name in stats.rates
        )

    def usual(self, trait: str, per_version: bool = False) -> str:
        """The category that nearly all units had, "" if there is no such one or too
        little history."""
        counts = self._categories(trait, per_version)
        total = sum(counts.values())
        if total < _USUAL:
            return ""
        name, count = max(counts.items(), key=lambda item: (item[1], item[0]))
        return name if count >= 0.95 * total else ""

    def known(self, trait: str) -> frozenset[str]:
        """The categories seen at least twice; empty if there is too little history."""
        if trait not in self._known:
            self._known[trait] = self._seen_twice(trait)
        return self._known[trait]

    def _seen_twice(self, trait: str) -> frozenset[str]:
        counts = self._categories(trait, False)
        if sum(counts.values()) < 2 * _LEAST_UNITS:
            return frozenset()
        return frozenset(name for name, count in counts.items() if count >= 2)

    def _categories(self, trait: str, per_version: bool) -> Counter[str]:
        known = self._counted.get((trait, per_version))
        if known is None:
            known = self._counted[trait, per_version] = Counter()
            for stats in self._version if per_version else self._all:
                known.update(stats.categories.get(trait, {}))
        return known

    @cached_property
    def row_groups(self) -> frozenset[int]:
        """Hashes of the sibling groups that are as long as the page has records, on
        nearly every page."""
        equal: Counter[str] = Counter()
        seen: Counter[str] = Counter()
        for stats in self._all:
            for name, (matches, pages) in stats.groups.items():
                equal[name] += matches
                seen[name] += pages
        return frozenset(
            int(name)
            for name, pages in seen.items()
            if pages >= 10 and equal[name] >= 0.95 * pages
        )

    @cached_property
    def layouts(self) -> tuple[tuple[int, ...], ...]:
        """Representatives of the layouts seen."""
        found: list[tuple[int, ...]] = []
        for stats in reversed(self._all):
            for layout in stats.layouts:
                if all(
                    template_distance(layout, known) > NEAR_LAYOUT / 2
                    for known in found
                ):
                    found.append(layout)
            if len(found) >= 16:
                break
        return tuple(found)

    def spreads(self, kind: str, field: str) -> tuple[list[tuple[float, int]], bool]:
        """(median, count) of a field in earlier batches, newest last, and whether they
        are this batch's own past."""
        for source in (self._own, self._all):
            known = [
                (spread.median, spread.seen)
                for stats in source
                if (
                    spread := (
                        stats.numbers if kind == "numbers" else stats.lengths
                    ).get(field)
                )
                is not None
            ]
            if known:
                return known, source is self._own
        return [], False
