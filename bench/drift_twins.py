"""Honest changes in four families of rendered pages: what is held of them, and for how
many refreshes. A refresh that drifted is followed by a heal wave, as in a real family.

Used by `bench.drift_quiet`, which prints it.
"""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from typing import Any

from tests.drift.market_case import Kind, changed
from tests.drift.market_pages import Look, Sheet
from tests.drift.market_twins import Twin, twins
from tests.drift.rendered import RenderedSite, site_after
from tests.drift.waves import wave

REFRESHES = 3
_NIGHTS_BEFORE = 4


@dataclass
class Refresh:
    """What became of one refresh after an honest change."""

    pages: int
    held: int
    errors: int
    warnings: int
    wrong: int
    """Rows published untrue: the crawler cannot read what is honest."""
    emptied: int = 0
    """Rows published without what is known and still true."""

    def add(self, other: "Refresh") -> None:
        """Count another one's."""
        self.pages += other.pages
        self.held += other.held
        self.errors += other.errors
        self.warnings += other.warnings
        self.wrong += other.wrong
        self.emptied += other.emptied

    def __str__(self) -> str:
        said = [f"{self.held} held"]
        said += [f"{self.errors} ERROR"] * bool(self.errors)
        said += [f"{self.warnings} WARN"] * bool(self.warnings)
        said += [f"{self.wrong} wrong rows"] * bool(self.wrong)
        said += [f"{self.emptied} emptied"] * bool(self.emptied)
        return ", ".join(said) if said != ["0 held"] else "quiet"


@dataclass
class Quiet:
    """An honest change in one family over its first refreshes."""

    family: str
    twin: str
    refreshes: list[Refresh] = field(default_factory=list)
    healed: bool = False
    """Whether a wave made another version."""
    checks: Counter[str] = field(default_factory=Counter)

    @property
    def longest(self) -> int:
        """In how many of the refreshes, counted to the last one, something was held."""
        held = [at for at, one in enumerate(self.refreshes, 1) if one.held]
        return max(held, default=0)

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        return asdict(self) | {"checks": sorted(self.checks), "longest": self.longest}


def measured_twins(
    looks: Collection[Look], names: Collection[str], days: int, seed: int
) -> Iterator[tuple[Look, Twin, Quiet]]:
    """Every honest change in every family; `names` of none are all."""
    sites = {look: site_after(look, days, seed) for look in looks}
    for look, twin in twins(looks, names):
        yield look, twin, _quiet(deepcopy(sites[look]), twin)


def _quiet(site: RenderedSite, twin: Twin) -> Quiet:
    quiet = Quiet(site.look.value, twin.name)
    if twin.before:
        twin.before(site.market)
        for _ in range(_NIGHTS_BEFORE):
            site.healthy_day()
            site.market.night()
    if twin.night:
        twin.night(site.market)
    for _ in range(REFRESHES):
        refresh, failed = _refresh(site, twin, quiet)
        quiet.refreshes.append(refresh)
        quiet.checks.update(failed)
        site.market.night()
    return quiet


def _refresh(site: RenderedSite, twin: Twin, quiet: Quiet) -> tuple[Refresh, set[str]]:
    true = site.sheets()
    said = _said(twin, true, site)
    judged = site.judge(site.read(said))
    wrong = emptied = 0
    for sheet, outcome in zip(true, judged.outcomes, strict=True):
        if judged.is_published(outcome):
            waiting = judged.waiting(outcome)
            wrong += site.wrong_rows(sheet, outcome, waiting)
            emptied += site.emptied_rows(sheet, judged.served(outcome), waiting)
    site.keep(judged)
    quiet.healed |= judged.drifted and wave(site, said)
    failed = [
        str(check.severity)
        for judgement in judged.judgements.values()
        for check in judgement.checks
        if not check.passed
    ]
    errors = failed.count("error")
    warnings = len(failed) - errors
    held = len(judged.held)
    refresh = Refresh(len(true), held, errors, warnings, wrong, emptied)
    return refresh, judged.failed


def _said(twin: Twin, sheets: Sequence[Sheet], site: RenderedSite) -> list[Sheet]:
    """What the pages say."""
    if twin.says is None:
        return list(sheets)
    kind = Kind(twin.name, twin.says, twin.looks)
    return changed(kind, sheets, site.market, random.Random(1))


def twins_summary(quiets: Sequence[Quiet]) -> Iterator[str]:
    """How many were quiet, held for one refresh, held for longer."""
    by_longest = Counter(min(2, quiet.longest) for quiet in quiets)
    every = Refresh(0, 0, 0, 0, 0)
    for quiet in quiets:
        for one in quiet.refreshes:
            every.add(one)
    first = Refresh(0, 0, 0, 0, 0)
    for quiet in quiets:
        first.add(quiet.refreshes[0])
    yield (
        f"\n{len(quiets)} honest changes: nothing is held of {by_longest[0]}, "
        f"{by_longest[1]} are held for one refresh, {by_longest[2]} for longer; "
        f"{first.held} of {first.pages} pages in the first refresh; "
        f"{every.errors} ERROR, {every.warnings} WARN, {every.wrong} wrong rows, "
        f"{every.emptied} emptied; "
        f"{sum(quiet.healed for quiet in quiets)} made another version"
    )
    for quiet in quiets:
        if quiet.longest > 1:
            yield f"- {quiet.family}: {quiet.twin.replace('_', ' ')}"
