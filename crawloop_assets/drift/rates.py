"""The one statistic behind the batch checks: is an event more frequent than history
allows?

History is `seen` units of which `bad` showed the event, summed over earlier batches.
The next batch of n units is then beta-binomial; its upper tail at the observed count is
the chance of a false alarm. Batches differ more than coin tosses do, so the history
counts for less when its batches scatter (dispersion), and never for more than
`_MOST_UNITS`.
"""

from collections.abc import Iterable
from math import exp, lgamma, log, sqrt
from operator import attrgetter
from typing import NamedTuple

ALPHA_ERROR = 1e-6
"""Chance of a false alarm from which on a sign is drift."""

ALPHA_WARN = 1e-5
"""Chance of a false alarm from which on a sign is a suspicion."""

_MOST_UNITS = 5_000.0
_NEGLIGIBLE = 1e-17
"""A sum ends at a term that is less than this share of it."""

_LEAST_PRIOR = 1e-9
"""Units without the event that are believed in at least."""


_SPREADS = 2
"""Standard deviations that are nothing out of the ordinary."""


class EventRate(NamedTuple):
    """An event's frequency: `bad` of `seen` units."""

    bad: float
    seen: float

    @property
    def share(self) -> float:
        """Bad/seen, 0 when nothing was seen."""
        if not self.seen:
            return 0.0
        return self.bad / self.seen

    def most_by_chance(self, usual: float) -> float:
        """How large a `usual` share (0..1) may become by chance in as many units, as long as
        some of them are good."""
        spread = sqrt(usual * (1 - usual) / max(1.0, self.seen))
        return usual + _SPREADS * spread * (self.bad < self.seen)


def baseline(history: Iterable[EventRate]) -> EventRate:
    """Earlier batches as one rate whose `seen` is the number of units they are worth.

    Batches that scatter more than independent units would are worth as many fewer
    units; none are worth more than `_MOST_UNITS`.
    """
    batches = list(filter(attrgetter("seen"), history))
    bad = sum(map(attrgetter("bad"), batches))
    seen = sum(map(attrgetter("seen"), batches))
    if not seen:
        return EventRate(0, 0)
    worth = min(seen / _dispersion(batches, (bad + 0.5) / (seen + 1)), _MOST_UNITS)
    return EventRate(bad / seen * worth, worth)


def _dispersion(batches: list[EventRate], share: float) -> float:
    """How many times more the batches scatter than independent units would (Pearson
    chi-square over its degrees)."""
    if len(batches) < 2:
        return 1.0
    spread = sum(_squared_deviation(rate, share) for rate in batches)
    return max(1.0, spread / (len(batches) - 1))


def _squared_deviation(rate: EventRate, share: float) -> float:
    """From the expected count, in variances of a binomial count."""
    return (rate.bad - rate.seen * share) ** 2 / (rate.seen * share * (1 - share))


def chance(bad: int, seen: int, known: EventRate, prior: EventRate) -> float:
    """Probability that a healthy batch of `seen` units shows the event `bad` times or
    more, right up to a million units.

    The upper tail of the beta-binomial distribution whose beta is what is known and the
    prior, both counted in units.
    """
    a = known.bad + prior.bad
    b = max((known.seen - known.bad) + (prior.seen - prior.bad), _LEAST_PRIOR)
    if bad <= 0:
        return 1.0
    # Summed away from the mean: terms only get smaller, and none is too small to begin.
    if bad * (a + b) <= seen * a:
        return 1.0 - _tail(seen - bad + 1, seen, b, a)
    return _tail(bad, seen, a, b)


def _tail(count: int, seen: int, a: float, b: float) -> float:
    """P(X >= count) of a beta-binomial X of `seen` units whose mean is not above count.

    The first term is taken from its logarithm, the others as multiples of it.
    """
    log_first = (
        _log_beta(count + a, seen - count + b)
        - _log_beta(a, b)
        + _log_choose(seen, count)
    )
    # With less than an event on each side all lies at the two ends: none is left out.
    negligible = _NEGLIGIBLE if max(a, b) >= 1 else 0.0
    term = total = 1.0
    for number in range(count, seen):
        term *= (seen - number) * (number + a)
        term /= (number + 1) * (seen - number - 1 + b)
        total += term
        if term < total * negligible:
            break
    return exp(min(0.0, log_first + log(total)))


def limit(seen: int, known: EventRate, prior: EventRate, alpha: float) -> float:
    """The smallest share of `seen` units whose chance is at most alpha.

    Above 1 if not even all units are so improbable; found by bisection, since the
    chance falls with the count.
    """
    if not seen:
        return 1.0
    low, high = 0, seen + 1
    while low + 1 < high:
        middle = (low + high) // 2
        if chance(middle, seen, known, prior) <= alpha:
            high = middle
        else:
            low = middle
    return high / seen


def _log_beta(a: float, b: float) -> float:
    """Logarithm of the beta function."""
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def _log_choose(n: int, k: int) -> float:
    """Logarithm of the binomial coefficient."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def binomial_lower(hits: int, seen: int, share: float) -> float:
    """P(X <= hits) for `seen` tosses of a coin that should show `share`.

    The chance that a declared share holds: 1 if there are as many hits as tosses, or
    nothing is declared.
    """
    if hits >= seen or share <= 0:
        return 1.0
    if share >= 1:
        return 0.0
    log_yes, log_no = log(share), log(1 - share)
    total = sum(
        exp(_log_choose(seen, count) + count * log_yes + (seen - count) * log_no)
        for count in range(hits + 1)
    )
    return min(1.0, total)
