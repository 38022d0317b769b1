"""Every untrue thing a page may say, in four families of rendered pages: what is noticed, held and published of it.

Used by `bench.drift_kinds`, which prints it.
"""

import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from crawloop_assets.drift.outcome import PageOutcome
from tests.drift.market_case import Kind, changed_alone, changed_at
from tests.drift.market_kinds import KINDS
from tests.drift.market_pages import Look, Sheet
from tests.drift.market_witness import Witness, against
from tests.drift.rendered import RenderedSite, site_after

SHARES = (1.0, 0.3, 0.05)
SINGLE = "single"
_MANY = 100
"""Pages of a family; a listing has about as many rows on one page that says it."""
_TRIALS = 5
"""Refreshes with a single page that says something else."""


@dataclass
class Measure:
    """One kind in one family at one share of the pages.

    Counts are over all refreshes: `touched` pages say it, `wrong` rows are read untrue because of it, `published` go to
    the tables, `held` of the touched pages do not, or not whole: `in_part` of them are served in part, and count as
    published where a value that is fresh is wrong. In `emptied` rows a known value that is
    still true is published as none. Of those published, `as_known` are as they were known: nothing untrue is
    written, but they count as current.
    """

    family: str
    kind: str
    share: str
    refreshes: int = 0
    noticed: int = 0
    drift: int = 0
    touched: int = 0
    held: int = 0
    in_part: int = 0
    wrong: int = 0
    published: int = 0
    as_known: int = 0
    emptied: int = 0
    checks: Counter[str] = field(default_factory=Counter)
    against: tuple[Witness, ...] = ()
    """What speaks against it; a miss of what nothing speaks against is none."""

    def __str__(self) -> str:
        emptied = f", {self.emptied} emptied" if self.emptied else ""
        return f"{self._mark()}, {self.published}/{self.wrong}{emptied}"

    def _mark(self) -> str:
        if not self.noticed:
            return "missed" if self.is_loud else "right"
        if self.drift == self.refreshes:
            return "drift"
        if self.noticed == self.refreshes:
            return "noticed"
        return f"noticed {self.noticed}/{self.refreshes}"

    @property
    def is_loud(self) -> bool:
        """Whether anything untrue would be published, were nothing held."""
        return self.wrong + self.emptied > 0

    @property
    def published_share(self) -> float:
        """Wrong rows published of wrong rows read."""
        return self.published / self.wrong if self.wrong else 0.0

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        return asdict(self) | {
            "checks": dict(self.checks),
            "published_share": round(self.published_share, 4),
        }


@dataclass
class Total:
    """All kinds in one family at one share that make a reading untrue."""

    family: str
    share: str
    kinds: int = 0
    noticed: int = 0
    touched: int = 0
    held: int = 0
    in_part: int = 0
    wrong: int = 0
    published: int = 0
    emptied: int = 0
    witnessed: int = 0
    published_though: int = 0
    as_known_though: int = 0
    """Wrong rows that something speaks against: read, published though, and of these as they were known."""

    def add(self, measure: Measure) -> None:
        """Count a kind, if anything was read untrue."""
        if not measure.is_loud:
            return
        self.kinds += 1
        self.noticed += measure.noticed == measure.refreshes
        self.touched += measure.touched
        self.held += measure.held
        self.in_part += measure.in_part
        self.wrong += measure.wrong
        self.published += measure.published
        self.emptied += measure.emptied
        if measure.against:
            self.witnessed += measure.wrong
            self.published_though += measure.published
            self.as_known_though += measure.as_known

    def __str__(self) -> str:
        return (
            f"| {self.family} | {self.share} | {self.noticed} of {self.kinds} "
            f"| {self.held} ({self.in_part}) of {self.touched} | {self.published} of {self.wrong} "
            f"| {self.published_though} ({self.as_known_though}) of {self.witnessed} | {self.emptied} |"
        )


@dataclass
class Today:
    """A family on the day on which some of its pages say something else."""

    site: RenderedSite
    sheets: list[Sheet]
    outcomes: list[PageOutcome]
    seed: int

    @classmethod
    def of(cls, look: Look, days: int, seed: int) -> "Today":
        """After so many healthy days."""
        site = site_after(look, days, seed)
        sheets = site.sheets()
        return cls(site, sheets, site.read(sheets), seed)

    def at_share(self, kind: Kind, share: float) -> dict[int, Sheet]:
        """The pages that say something else, by place."""
        rng = self._rng(kind, share)
        return changed_at(kind, share, self.sheets, self.site.market, rng)

    def alone(self, kind: Kind, trial: int) -> dict[int, Sheet]:
        """The same with one page."""
        rng = self._rng(kind, trial)
        return changed_alone(kind, self.sheets, self.site.market, rng)

    def _rng(self, kind: Kind, case: float) -> random.Random:
        return random.Random(f"{self.seed} {kind.name} {case}")

    def measure(self, into: Measure, told: Mapping[int, Sheet]) -> None:
        """Read and judge the refresh."""
        if not told:
            return
        outcomes = list(self.outcomes)
        for at, outcome in zip(told, self.site.read(list(told.values())), strict=True):
            outcomes[at] = outcome
        judged = self.site.judge(outcomes)
        into.refreshes += 1
        into.noticed += bool(judged.failed or judged.held or judged.unconfirmed)
        into.drift += judged.drifted
        into.checks.update(judged.failed)
        for at in told:
            wrong = self.site.wrong_rows(self.sheets[at], outcomes[at])
            is_published = judged.is_published(outcomes[at])
            into.touched += 1
            into.wrong += wrong
            in_part = judged.in_part(outcomes[at])
            into.held += not is_published
            if in_part is not None:
                into.in_part += 1
                into.published += self.site.wrong_rows(self.sheets[at], in_part)
                into.as_known += rows_as_known(self.site, self.sheets[at], in_part)
            elif is_published:
                waiting = judged.waiting(outcomes[at])
                into.published += self.site.wrong_rows(
                    self.sheets[at], outcomes[at], waiting
                )
                into.as_known += rows_as_known(
                    self.site, self.sheets[at], outcomes[at], waiting
                )
                served = judged.served(outcomes[at])
                into.emptied += self.site.emptied_rows(self.sheets[at], served, waiting)


def rows_as_known(
    site: RenderedSite,
    sheet: Sheet,
    outcome: PageOutcome,
    waiting: frozenset[int] = frozenset(),
) -> int:
    """Rows that would be published untrue, and as they were known: nothing untrue is written, but they count as
    current."""
    key = site.family.key[0]
    true = {row[key]: row for row in site.truth(sheet)}
    known = {row.get(key): row for row in outcome.previous}
    count = 0
    for position, row in enumerate(outcome.values):
        if position not in waiting and row.get(key) in true.keys() & known.keys():
            is_untrue = site.differs(row, true[row[key]])
            count += is_untrue and not site.differs(row, known[row[key]])
    return count


def measured(
    looks: Collection[Look],
    names: Collection[str],
    days: int,
    seeds: int,
) -> Iterator[tuple[Look, Kind, list[Measure]]]:
    """All shares of every kind in every family, family by family; `names` of none are all."""
    todays: dict[Look, list[Today]] = {}
    for look, kind in KINDS.pairs(looks, names):
        if look not in todays:
            todays = {look: [Today.of(look, days, 1 + at) for at in range(seeds)]}
        yield look, kind, _shares(look, kind, todays[look])


def _shares(look: Look, kind: Kind, todays: Sequence[Today]) -> list[Measure]:
    measures = []
    for share in SHARES:
        measure = Measure(look.value, kind.name, f"{share:.0%}")
        measure.against = against(kind, look, round(share * _MANY))
        for today in todays:
            today.measure(measure, today.at_share(kind, share))
        measures.append(measure)
    measure = Measure(look.value, kind.name, SINGLE, against=against(kind, look, 1))
    for today in todays:
        for trial in range(_TRIALS):
            today.measure(measure, today.alone(kind, trial))
    return [*measures, measure]


def summary(measures: Sequence[Measure]) -> Iterator[str]:
    """By family and share: the kinds noticed, and the wrong rows published; then what is too much."""
    yield (
        "\n| family | share | kinds noticed in every refresh | their pages held (in part) "
        "| wrong rows published | of those that a witness speaks against (as they were known) "
        "| known values emptied |"
    )
    yield "|---|---|---|---|---|---|---|"
    totals: dict[tuple[str, str], Total] = {}
    for each in measures:
        key = (each.family, each.share)
        totals.setdefault(key, Total(each.family, each.share)).add(each)
    yield from map(str, totals.values())
    few = ("5%", SINGLE)
    yield from _too_much("at 100 % or 30 %", measures, lambda m: m.share not in few, 0)
    yield from _too_much("at 5 %", measures, lambda m: m.share == "5%", 0.05)
    yield from _too_much("on single pages", measures, lambda m: m.share == SINGLE, 0.05)


def _too_much(
    where: str,
    measures: Sequence[Measure],
    is_asked: Callable[[Measure], bool],
    allowed: float,
) -> Iterator[str]:
    """The kinds of which more than the allowed share of wrong rows is published, and in which families."""
    families: dict[str, list[str]] = {}
    for each in measures:
        if is_asked(each) and each.published_share > allowed:
            said = f"{each.family} {each.published_share:.2f}"
            said += "" if each.against else " (no witness)"
            are_as_known = each.as_known == each.published
            said += " (all as they were known)" if are_as_known else ""
            if each.share not in where:
                said += f" at {each.share}"
            families.setdefault(each.kind, []).append(said)
    yield f"\n{len(families)} kinds of which more than {allowed:.0%} is published {where}:\n"
    for kind, said in families.items():
        yield f"- {kind.replace('_', ' ')}: {', '.join(said)}"
