"""What speaks against single values, added up.

No sign is strong enough for one page: a changed title is news. But a title that
changed, is not in the page's title, and whose known one still stands on the page is
not. Every sign has two rates: its share in healthy history (with its prior), and the
share of wrong readings that show it (`Rule.tells`). The logarithm of their ratio is its
weight. Signs of one speaker say the same thing twice, so of those the strongest counts;
weights of different speakeres add.
"""

from collections import defaultdict
from collections.abc import Mapping
from math import log
from typing import NamedTuple

from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.rates import EventRate
from crawloop_assets.drift.rule import Rule, Speaker
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.tally import Hit, Tallies, Tally

_DOUBTFUL = 6.2
"""Log of the odds at which one value of five hundred is more likely wrong than right."""

_IMPROBABLE = 4.5
"""From here on a value has to be said twice."""

_LEAST_UNITS = 20
"""From so many units of history a sign without a prior has a weight."""

_NO_PRIOR = EventRate(0.5, 1)


class Against(NamedTuple):
    """One sign against one value; the greater its weight, the more it tells."""

    weight: float
    sign: Sign
    subject: str
    hit: Hit

    @property
    def rule(self) -> Rule:
        """How the sign is judged."""
        return RULES[self.sign]


class DoubtfulValue(NamedTuple):
    """A value that is improbable, and what speaks against it, the strongest first."""

    page: int
    subject: str
    against: tuple[Against, ...]

    @property
    def weight(self) -> float:
        """The sum of all that speaks against it."""
        return sum(item.weight for item in self.against)

    @property
    def is_doubtful(self) -> bool:
        """Whether it is more likely wrong than right; else it waits until it is said
        again."""
        return self.weight > _DOUBTFUL

    @property
    def sentence(self) -> str:
        """All signs in plain words."""
        signs = (item.rule.says.format(subject=self.subject) for item in self.against)
        return "; ".join(signs)


def doubts(tallies: Tallies, norms: Norms) -> list[DoubtfulValue]:
    """The values of a batch that are improbable, in the order of its pages."""
    found = []
    for (page, subject, _), against in sorted(_by_value(tallies, norms).items()):
        value = DoubtfulValue(page, subject, _of_each_speaker(against))
        if value.weight > _IMPROBABLE:
            found.append(value)
    return found


def _by_value(
    tallies: Tallies, norms: Norms
) -> Mapping[tuple[int, str, str], list[Against]]:
    """What speaks against each value: (page, field, value) -> signs."""
    found: defaultdict[tuple[int, str, str], list[Against]] = defaultdict(list)
    for tally in tallies:
        weight = _weight(tally, norms)
        if weight <= 0:
            continue
        for hit in tally.hits:
            key = (hit.page, tally.subject, str(hit.got))
            found[key].append(Against(weight, tally.sign, tally.subject, hit))
    return found


def _weight(tally: Tally, norms: Norms) -> float:
    """The logarithm of how many times more often a wrong value shows the sign."""
    rule = RULES[tally.sign]
    if not rule.tells or not tally.bad:
        return 0.0
    known, _ = norms.rate(tally.sign, tally.subject, tally.seen)
    if rule.prior is None and known.seen < _LEAST_UNITS:
        return 0.0
    prior = rule.prior or _NO_PRIOR
    usual = (known.bad + prior.bad) / (known.seen + prior.seen)
    return min(rule.most, log(rule.tells / usual))


def _of_each_speaker(against: list[Against]) -> tuple[Against, ...]:
    """The strongest sign of each speaker, the strongest first."""
    strongest: dict[Speaker, Against] = {}
    for item in sorted(against, key=_by_weight):
        strongest.setdefault(item.rule.speaker, item)
    return tuple(strongest.values())


def _by_weight(item: Against) -> tuple[float, str]:
    return -item.weight, item.sign
