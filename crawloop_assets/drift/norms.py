"""What a family's history says is normal, gathered from the statistics of earlier
batches."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain, filterfalse
from math import inf, log10
from operator import attrgetter

from crawloop_assets.crawler.traits import OTHERS
from crawloop_assets.document.layout import NEAR_LAYOUT, is_far, template_distance
from crawloop_assets.drift.outcome import BatchStats, PageCounts, Trust
from crawloop_assets.drift.rates import EventRate, baseline
from crawloop_assets.drift.released import with_released
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.tally import EVENTS

_RECENT_BATCHES = 400
_LEAST_UNITS = 30
"""The batch's own past counts from so many units, or as many as it has now."""

_LEAST_BATCHES = 5
"""From so many batches it is known how much the batches of a family differ."""

_LEAST_CATEGORISED = 10
_NEARLY_ALL = 0.95
_LEAST_GROUP_PAGES = 10
_MOST_LAYOUTS = 16
_HABIT = 0.05
"""What a smaller share of the units of a batch did may be chance."""

_USED_UP = 0.25
"""A count that falls in so large a share of its moves is used up, and filled up again."""

_BRIM = log10(1.2)
"""So much more than ever may be filled in."""

_FARTHER = 1.2
"""A number may move so many times as far as any did before."""

_MOST_MOVE, _OFTEN = 0.5, 0.25
_LEAST_READ = 20
"""Without history, so many values of the batch itself say what is usual."""

_NO_RATE = EventRate(0, 0)
_NO_PAGES = PageCounts()


class Norms:
    """The undoubted part of a family's history, seen from one batch of so many
    `pages`, read by one crawler version."""

    def __init__(
        self,
        history: Sequence[BatchStats],
        batch: str = "",
        version: int | None = None,
        pages: PageCounts = _NO_PAGES,
    ):
        self._history = history
        proofs = list(filter(_is_proof, history))
        batches = history = with_released(list(filterfalse(_is_proof, history)))
        healthy = [stats for stats in batches if _teaches(stats, batch)]
        self._all = healthy[-_RECENT_BATCHES:]
        own = [stats for stats in history if stats.batch == batch]
        same_pages = set(map(id, _since_it_grew(own, pages)))
        self._own = [stats for stats in self._all if id(stats) in same_pages]
        # What a batch was before it grew is like none of today's.
        outgrown = set(map(id, own)) - same_pages
        self._alike = [stats for stats in self._all if id(stats) not in outgrown]
        self._of_version = [
            stats for stats in proofs + self._all if stats.version == version
        ]
        self.version = version
        # Asked for every value of a batch, so counted once.
        self._category_counts: dict[tuple[str, bool], Counter[str]] = {}
        self._known: dict[tuple[str, int, bool], frozenset[str]] = {}
        self.batches = len(self._all)
        self.pages = sum(map(attrgetter("pages"), self._all))

    def has_read(self, version: int | None) -> bool:
        """Whether a healthy batch was read by that version; True while nothing is known
        of versions."""
        if version is None or self._versions <= {None}:
            return True
        return version in self._versions

    @cached_property
    def _versions(self) -> frozenset[int | None]:
        """The versions that read healthy batches; None is one that was not noted."""
        return frozenset(map(attrgetter("version"), self._all))

    def rate(self, sign: Sign, subject: str, seen: int) -> tuple[EventRate, bool]:
        """The sign's rate and whether it may be called drift (not merely suspicion).

        For assortment signs the batch's own past counts; the rest of the family only
        raises suspicion, and only once there are enough batches to know how much they
        differ. Of all others the family's past counts, but for what the pages of the
        batch itself always did: batches are no samples of a family. What a person said of
        the version's pages goes before all of them.
        """
        rule, name = RULES[sign], f"{sign}:{subject}"
        if answered := _rates(filter(self._answers, self._history), name):
            return baseline(answered), True
        if not rule.assortment:
            source = self._of_version if rule.per_version else self._all
            own = baseline(_rates(self._undoubted(rule.per_version), name))
            known = baseline(_rates(source, name))
            is_known = own.seen >= min(seen, _LEAST_UNITS)
            is_habit = is_known and own.share >= max(_HABIT, 2 * known.share)
            return (known, own)[is_habit], True
        habit = self._habit(name)
        own_rates = _rates(self._own, name) + habit
        own = baseline(own_rates)
        if own.seen >= min(seen, _LEAST_UNITS):
            return own, len(own_rates) >= rule.own_batches
        rates = _rates(self._alike, name) + habit
        if len(rates) < _LEAST_BATCHES:
            return _NO_RATE, False
        return baseline(rates), False

    def _answers(self, stats: BatchStats) -> bool:
        """Whether it is what a person said of the version's pages."""
        return stats.is_answer and stats.version == self.version

    def _habit(self, name: str) -> list[EventRate]:
        """The events of a sign in the batch's own past: one says nothing of how often that
        happens, several are what happens here."""
        events = _rates(self._own, EVENTS.format(name))
        return events if len(events) > 1 else []

    def _undoubted(self, per_version: bool) -> Sequence[BatchStats]:
        """The batch's own past of which nobody doubted anything: of its version alone,
        or of all."""
        versions = {self.version} if per_version else self._versions
        own = [one for one in self._own if one.version in versions]
        return [one for one in own if one.trust is Trust.FULL]

    def most(self, sign: Sign, subject: str) -> float | None:
        """The largest share the sign had in any batch, 0..1.

        Of this batch's own past if it was counted there, else of the family's; None if
        it never was.
        """
        name = f"{sign}:{subject}"
        rates = _rates(self._own, name) or _rates(self._alike, name)
        return max(map(attrgetter("share"), rates), default=None)

    def is_said_so(self, sign: Sign, field: str) -> bool:
        """Whether a person said that values of a field are right, as the version reads
        them, most of which show the sign: taught them so, or took them as they are."""
        of_version = (one for one in self._history if one.version == self.version)
        said = [one for one in of_version if field in one.released]
        shares = map(attrgetter("share"), _rates(said, f"{sign}:{field}"))
        return max(shares, default=0.0) > _MOST_MOVE

    def is_refill(self, field: str, count: float) -> bool:
        """Whether a count that rises to so many may have been filled up again: it falls
        day by day, and stands no higher than the family's counts did."""
        falls, _ = self.rate(Sign.FALLEN, field, 0)
        is_used_up = falls.seen >= _LEAST_UNITS and falls.share >= _USED_UP
        return is_used_up and not self.is_most_ever(field, count)

    def is_most_ever(self, field: str, count: float) -> bool:
        """Whether no record of the family ever had about so many, as far as is known;
        not where nothing is."""
        highest = self._highest[field] if self._highest else inf
        return log10(count) > highest + _BRIM

    def is_farthest_ever(self, field: str, stride: float) -> bool:
        """Whether no number of a field ever moved about so far in one refresh; not
        where few have moved."""
        return stride > self._farthest.get(field, inf) * _FARTHER

    @cached_property
    def _farthest(self) -> Mapping[str, float]:
        """Field -> the greatest step of a number, where enough of them moved."""
        steps: defaultdict[str, list[float]] = defaultdict(list)
        for field, step in chain.from_iterable(map(_strides, self._all)):
            steps[field].append(step)
        return {
            field: max(of_field)
            for field, of_field in steps.items()
            if self._moves(field) >= _LEAST_UNITS
        }

    def _moves(self, field: str) -> float:
        """How many numbers of a field were other ones: prices, or counts."""
        prices, _ = self.rate(Sign.REPRICED, field, 0)
        counts, _ = self.rate(Sign.AFAR, field, 0)
        return prices.bad if prices.seen else counts.seen

    @cached_property
    def _highest(self) -> Mapping[str, float]:
        """Field -> log10 of the greatest number of the family."""
        highest: defaultdict[str, float] = defaultdict(lambda: -inf)
        for stats in self._all:
            for field, spread in stats.numbers.items():
                highest[field] = max(highest[field], spread.deciles[-1])
        return highest

    def usual(self, trait: str, per_version: bool = False) -> str:
        """The category of a trait (`BatchStats.categories`) that nearly all units had.

        "" if there is no such one, or fewer than ten units are known.
        """
        counts = self._categories(trait, per_version)
        if counts.total() < _LEAST_CATEGORISED:
            return ""
        count, name = max((count, name) for name, count in counts.items())
        if count < _NEARLY_ALL * counts.total():
            return ""
        return name

    def share(self, trait: str, category: str) -> float:
        """The share of the units that had a category of a trait; 0.0 if few are known."""
        counts = self._categories(trait, per_version=False)
        if counts.total() < _LEAST_CATEGORISED:
            return 0.0
        return counts[category] / counts.total()

    def moves(self, field: str) -> bool:
        """Whether most known values of a number were other ones, refresh after refresh.
        What reads a refresh once more, as after an answer, finds that nothing moved."""
        moved = _rates(self._all, f"{Sign.REPRICED}:{field}")
        most = sum(one.share >= _MOST_MOVE for one in moved)
        units = sum(map(attrgetter("seen"), moved))
        return units >= _LEAST_READ and most >= max(2, _OFTEN * len(moved))

    def familiar(self, trait: str, seen: Sequence[str] = ()) -> frozenset[str]:
        """The categories of a trait that the version's own history has seen twice.

        Empty if they are not nearly all it has seen: a trait that is another one on
        every page tells nothing. While fewer than sixty units are known, what was `seen`
        in the batch itself counts as well; of fewer than twenty nothing is usual.
        """
        counts = self._categories(trait, per_version=True)
        if counts.total() < 2 * _LEAST_UNITS:
            counts = counts + Counter(seen) if len(seen) >= _LEAST_READ else Counter()
        return familiar(counts)

    def known(
        self, trait: str, least: int = 2 * _LEAST_UNITS, per_version: bool = False
    ) -> frozenset[str]:
        """The categories of a trait seen at least twice, by the version or by any.

        Empty if fewer than so many units are known.
        """
        key = (trait, least, per_version)
        if key not in self._known:
            counts = self._categories(trait, per_version)
            twice = frozenset(name for name, count in counts.items() if count >= 2)
            self._known[key] = twice if counts.total() >= least else frozenset()
        return self._known[key]

    def _categories(self, trait: str, per_version: bool) -> Counter[str]:
        """How often each category of a trait was seen."""
        counts = self._category_counts.get((trait, per_version))
        if counts is not None:
            return counts
        counts = self._category_counts[trait, per_version] = Counter()
        source = self._of_version if per_version else self._all
        for stats in source:
            counts.update(stats.categories.get(trait, {}))
        return counts

    @cached_property
    def row_groups(self) -> frozenset[int]:
        """Hashes of the sibling groups that are as long as the page has records, on
        nearly every page."""
        rows = set()
        equal, seen = self._group_counts()
        for name, pages in seen.items():
            if pages < _LEAST_GROUP_PAGES:
                continue
            if equal[name] >= _NEARLY_ALL * pages:
                rows.add(int(name))
        return frozenset(rows)

    def _group_counts(self) -> tuple[Counter[str], Counter[str]]:
        """On how many pages each group was as long as the records, and was at all."""
        equal: Counter[str] = Counter()
        seen: Counter[str] = Counter()
        for stats in self._of_version:
            for name, (matches, pages) in stats.groups.items():
                equal[name] += matches
                seen[name] += pages
        return equal, seen

    def layout_distance(self, template: tuple[int, ...]) -> float | None:
        """Distance to the nearest layout seen, 0..1; None if none was."""
        distances = (template_distance(template, layout) for layout in self.layouts)
        return min(distances, default=None)

    @cached_property
    def layouts(self) -> tuple[tuple[int, ...], ...]:
        """Representatives of the layouts seen, the latest first."""
        found: list[tuple[int, ...]] = []
        for stats in reversed(self._all):
            for layout in stats.layouts:
                if is_far(layout, found, NEAR_LAYOUT / 2):
                    found.append(layout)
            if len(found) >= _MOST_LAYOUTS:
                break
        return tuple(found)

    def spreads(self, kind: str, field: str) -> tuple[list[tuple[float, int]], bool]:
        """(median, count) of a field in earlier batches, newest last, and whether they
        are this batch's own past.

        Medians are log10. `kind` is "numbers" or "lengths".
        """
        own = _medians(self._own, kind, field)
        if own:
            return own, True
        return _medians(self._alike, kind, field), False


def _since_it_grew(
    own: Sequence[BatchStats], pages: PageCounts
) -> Sequence[BatchStats]:
    """The past of a batch since most of its pages were there; none if so many are new
    now."""
    since, most = 0, 0
    for at, stats in enumerate(own):
        new = stats.new_pages
        if PageCounts(new, stats.pages - new).outgrow(most):
            since, most = at, 0
        most = max(most, stats.pages)
    return () if pages.outgrow(most) else own[since:]


def _is_proof(stats: BatchStats) -> bool:
    """Whether it says what a version was proved on, and nothing of the site."""
    return stats.is_proof


def _teaches(stats: BatchStats, batch: str) -> bool:
    """Whether a batch says what is normal for another one, or the same one later."""
    if stats.drifted or stats.trust is Trust.NONE:
        return False
    return stats.trust is Trust.FULL or stats.batch == batch


def familiar(counts: Mapping[str, int]) -> frozenset[str]:
    """The categories that were seen twice, if they are nearly all that was seen."""
    seen_twice = {name: count for name, count in counts.items() if count >= 2}
    seen_twice.pop(OTHERS, None)
    if sum(seen_twice.values()) < _NEARLY_ALL * sum(counts.values()):
        return frozenset()
    return frozenset(seen_twice)


def _strides(stats: BatchStats) -> Iterable[tuple[str, float]]:
    """(field, greatest step of a number) of a batch."""
    return stats.strides.items()


def _rates(source: Iterable[BatchStats], name: str) -> list[EventRate]:
    """The rates of a sign in those batches in which it was counted."""
    return [EventRate(*stats.rates[name]) for stats in source if name in stats.rates]


def _medians(
    source: Sequence[BatchStats], kind: str, field: str
) -> list[tuple[float, int]]:
    """(median, count) of a field in those batches in which it had values."""
    medians = []
    for stats in source:
        spreads = stats.numbers if kind == "numbers" else stats.lengths
        spread = spreads.get(field)
        if spread is not None:
            medians.append((spread.median, spread.seen))
    return medians
