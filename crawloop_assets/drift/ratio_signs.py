"""Counts numbers that changed together: by one and the same ratio, or nearly all of a
page. Prices of other countries, other currencies, without tax, for members.

Prices of a shop change one by one. Many at once are a general rise, or another price
than before; which of the two only the next refresh can tell.

Few are told by being exact. A price times one factor is rounded to a cent, so two
prices that moved by themselves have exactly one ratio about once in a thousand pairs;
how often they do in this family, its history says.
"""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, filterfalse
from math import comb, log
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.drift.changes import FieldChange, RecordPair, changes_of, has_rows
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.rates import EventRate
from crawloop_assets.drift.sales import is_no_more_than_sale, is_sale
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Hit, Tallies, Tally
from crawloop_assets.drift.values import as_positive
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import same

SAME_RATIO = 0.003
"""Ratios that differ by less than this part are one, but for rounding."""

_LEAST = 5
"""Fewer numbers share a ratio by chance."""

_LEAST_SHARE = 0.5
"""Prices that move by themselves come near each other, but not most of them."""

_NEARLY_ALL = 0.8
"""Of the known numbers of a page; the others are in a sale, or as they were."""

_LEAST_DIGITS = 3
"""Numbers of fewer digits have few ratios."""


_NO_RANGE = (1.0, 0.0)

MOST_MOVED = 300
"""Of more numbers the pairs are not looked at: by chance many are equal, and what so
many have in common shows in their share."""

_FLOAT = 1e-12
_BOTH = 2

_MANY = 0.1
"""Where so many of the numbers that changed are doubtful, none of them is sure."""


class Moved(NamedTuple):
    """A number that is another one: what it was and is, the logarithm of its ratio, by
    how much that is uncertain because the number is rounded, and its page; whether a
    sale begins or ends in it, and is all that became of it; and whether it moved
    farther than any did before.

    What an older release noted of a run that was killed has neither these nor `after`.
    """

    before: str
    ratio: float
    rounding: float
    url: str
    after: str = ""
    is_sale: bool = False
    is_sale_only: bool = False
    is_far: bool = False

    def is_like(self, other: "Moved") -> bool:
        """Whether both were multiplied by one number, then rounded; of one price that
        two records had it says nothing."""
        apart = abs(self.ratio - other.ratio)
        is_one = apart <= self.rounding + other.rounding + _FLOAT
        return is_one and self.before != other.before

    def has_ratio_of(self, others: Iterable["Moved"]) -> bool:
        """Whether it is one of some numbers, or like one of them."""
        return any(self == other or self.is_like(other) for other in others)


@dataclass
class MovedTally(Tally):
    """EXACTLY of a field: pairs of its `count` numbers. `others` has by position how many
    others moved by the same ratio; `moved` are those of pages with one record, so that
    those of other batches can be compared with them."""

    moved: Sequence[Moved] = ()
    count: int = 0
    others: Counter[int] = field(default_factory=Counter)

    def chance(self, known: EventRate, prior: EventRate) -> float:
        """Also that so many numbers have one ratio: three are alike far less often than
        three times two are."""
        usual = (known.bad + prior.bad) / (known.seen + prior.seen)
        others = max(self.others.values(), default=0)
        together = comb(self.count, 1 + others) * usual**others
        return min(super().chance(known, prior), together)


class _Moved(NamedTuple):
    change: FieldChange
    ratio: float

    @property
    def is_sale(self) -> bool:
        """Whether a sale begins or ends in it."""
        return is_sale(*self._records)

    @property
    def is_sale_only(self) -> bool:
        """Whether that is all that became of it."""
        return is_no_more_than_sale(*self._records)

    @property
    def _records(self) -> tuple[str, Record, Record]:
        return self.change.spec.name, self.change.pair.old, self.change.pair.new


def count_ratio_signs(
    schema: RecordSchema,
    outcomes: Sequence[PageOutcome],
    pairs: Sequence[RecordPair],
    tallies: Tallies,
) -> None:
    """Count RATIO of every volatile number that changed, but for sales: whether it
    changed by the ratio that most of them did; EXACTLY of every two of them: whether
    they did by exactly one; and WHOLESALE of every page of a list: whether nearly all
    its known numbers are other ones."""
    for spec in filter(_is_price, schema.fields):
        changes = list(changes_of(spec, pairs, outcomes))
        every = list(_moved(changes))
        moved = list(filterfalse(attrgetter("is_sale"), every))
        low, high = _commonest(list(map(attrgetter("ratio"), moved)))
        for change, ratio in moved:
            change.add_to(tallies, Sign.RATIO, low <= ratio <= high)
        _count_exactly(spec, every, tallies)
        _count_wholesale(changes, moved, tallies)


def are_many(doubtful: int, moved: int) -> bool:
    """Whether of the numbers that changed in one refresh so many are doubtful that what
    misled those may have misled all."""
    return doubtful >= _MANY * moved


def pairs_of(count: int) -> int:
    """How many pairs so many things make."""
    return count * (count - 1) // 2


def count_alike(name: str, moved: Sequence[Moved], hits: Sequence[Hit]) -> MovedTally:
    """EXACTLY of numbers that moved; `hits` are what each of them is if it shows it."""
    tally = MovedTally(Sign.EXACTLY, name, pairs_of(len(moved)), count=len(moved))
    hit: Counter[int] = Counter()
    for pair in combinations(range(len(moved)), 2):
        if moved[pair[0]].is_like(moved[pair[1]]):
            tally.others.update(pair)
            # So each of three that are alike is hit by one of their three pairs.
            rarest = min(pair, key=hit.__getitem__)
            hit[rarest] += 1
            tally.hits.append(hits[rarest])
    return tally


def count_exchanged(name: str, moved: Sequence[Moved]) -> Tally:
    """EXCHANGED of numbers that moved: whether one other has what each was, and was what
    it is."""
    moves = Counter((one.before, one.after) for one in moved)
    tally = Tally(Sign.EXCHANGED, name, len(moved))
    for at, one in enumerate(moved):
        if moves[one.after, one.before] == 1:
            tally.hits.append(Hit(at, one.before, one.after))
    return tally


def count_lent(name: str, moved: Sequence[Moved]) -> Tally:
    """LENT of numbers that moved: whether one other was what each is, or is what it was,
    and one of the two moved farther than any did before."""
    owners: defaultdict[str, list[int]] = defaultdict(list)
    for at, one in enumerate(moved):
        owners[one.before].append(at)
    far = list(map(attrgetter("is_far"), moved))
    hits: set[int] = set()
    for at, one in enumerate(moved):
        lent = [at, *owners[one.after]]
        if len(lent) == _BOTH and any(map(far.__getitem__, lent)):
            hits.update(lent)
    of_moved = [Hit(at, moved[at].before, moved[at].after) for at in sorted(hits)]
    return Tally(Sign.LENT, name, len(moved), hits=of_moved)


def _count_exactly(spec: FieldSpec, moved: Iterable[_Moved], tallies: Tallies) -> None:
    """Count EXACTLY of all pairs of numbers that are news, and no sales."""
    said = list(filterfalse(_was_said, moved))
    news = list(filterfalse(attrgetter("is_sale"), said))
    if not 0 < len(news) <= MOST_MOVED:
        return
    changes = map(attrgetter("change"), news)
    hits = [Hit(one.pair.page, one.before, one.after) for one in changes]
    tally = count_alike(spec.name, _rounded(news, ()), hits)
    far = tallies.hits(Sign.STRIDE, spec.name)
    said.sort(key=attrgetter("is_sale"))
    of_pages = [one for one in said if not has_rows(one.change.outcome)]
    tally.moved = _rounded(of_pages[: 2 * MOST_MOVED], far)
    tallies.put(tally)


def _was_said(moved: _Moved) -> bool:
    """Whether the refresh before has read it, too."""
    spec, after = moved.change.spec, moved.change.after
    said = moved.change.outcome.said_before
    return any(same(row.get(spec.name), after, spec) for row in said)


def _rounded(moved: Sequence[_Moved], far: Sequence[Hit]) -> list[Moved]:
    """The numbers with what their ratios leave open: half a unit of the last digit that
    numbers of the field are written with; `far` are those that show STRIDE."""
    pages = set(map(attrgetter("page"), far))
    digits = max((_decimals(one.change.after) for one in moved), default=0)
    return [
        Moved(
            before=str(one.change.before),
            after=str(one.change.after),
            ratio=one.ratio,
            rounding=0.5 * 10.0**-digits / float(one.change.after),
            url=one.change.outcome.url,
            is_sale=one.is_sale,
            is_sale_only=one.is_sale_only,
            is_far=one.change.pair.page in pages,
        )
        for one in moved
    ]


def _decimals(value: object) -> int:
    """The digits behind the point of a number."""
    return len(str(value).partition(".")[2])


def _count_wholesale(
    changes: Sequence[FieldChange], moved: Sequence[_Moved], tallies: Tallies
) -> None:
    """Whether nearly all known numbers of a list page moved, by pages."""
    known: defaultdict[int, list[FieldChange]] = defaultdict(list)
    for change in changes:
        known[change.pair.page].append(change)
    other: defaultdict[int, list[FieldChange]] = defaultdict(list)
    for item in moved:
        other[item.change.pair.page].append(item.change)
    for page, of_page in known.items():
        if len(of_page) >= _LEAST:
            is_wholesale = len(other[page]) >= _NEARLY_ALL * len(of_page)
            last = (other[page] or of_page)[-1]
            last.add_to(tallies, Sign.WHOLESALE, is_wholesale)


def _is_price(spec: FieldSpec) -> bool:
    return spec.volatile and spec.kind is FieldKind.NUMBER and spec.shape is Shape.ONE


def _moved(changes: Iterable[FieldChange]) -> Iterator[_Moved]:
    """The numbers that changed, and the logarithm of their ratio."""
    for change in changes:
        before, after = _as_price(change.before), _as_price(change.after)
        if before is None or after in (None, before):
            continue
        assert after is not None
        yield _Moved(change, log(after) - log(before))


def log_ratio(before: object, after: object) -> float | None:
    """The logarithm of how many times a number is what it was, None where that says
    nothing: without a number, or at zero."""
    old, new = as_positive(before), as_positive(after)
    return None if old is None or new is None else log(new) - log(old)


def _as_price(value: object) -> float | None:
    """A number of three digits or more."""
    if sum(map(str.isdigit, str(value))) < _LEAST_DIGITS:
        return None
    return as_positive(value)


def _commonest(ratios: Sequence[float]) -> tuple[float, float]:
    """The narrow range in which most ratios are; an empty one if fewer than five
    are, or fewer than half, or if each of them is as near to none: counts that rise by
    like steps have nothing else in common."""
    ranked = sorted(ratios)
    ends = [bisect_right(ranked, ratio + SAME_RATIO) for ratio in ranked]
    counts = [end - start for start, end in enumerate(ends)]
    most = max(counts, default=0)
    if most < max(_LEAST, _LEAST_SHARE * len(ratios)):
        return _NO_RANGE
    start = counts.index(most)
    low, high = ranked[start], ranked[start + most - 1]
    return _NO_RANGE if -SAME_RATIO <= low <= high <= SAME_RATIO else (low, high)
