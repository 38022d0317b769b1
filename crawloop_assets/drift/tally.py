"""Counting signs: how often, of how many units, on which pages."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.drift.rates import EventRate, chance
from crawloop_assets.drift.sign import Sign

EVENTS = "{}, at once"
"""What history calls the units of a sign that many showed at once."""


class Hit(NamedTuple):
    """One unit that shows a sign: the page's position in the batch, and what was
    expected and got.

    The two are values as they were read: few of them are ever displayed, so they are
    brought into text only then.
    """

    page: int
    expected: object = ""
    got: object = ""


@dataclass
class Tally:
    """One sign of one subject (a field, two fields, or "").

    `confirmed` units showed it, too, and are none of `hits`: the site has said it twice.
    So have those of an `event`, which were too many to say how often it happens.
    """

    sign: Sign
    subject: str
    seen: int = 0
    confirmed: int = 0
    event: int = 0
    hits: list[Hit] = field(default_factory=list)

    @property
    def name(self) -> str:
        """What history calls it."""
        return f"{self.sign}:{self.subject}"

    @property
    def rates(self) -> Iterator[tuple[str, EventRate]]:
        """As history keeps it: by name how often it was shown, and what an event was, which
        may be a habit if there are several."""
        yield self.name, self.rate
        if self.event:
            yield EVENTS.format(self.name), EventRate(self.event, self.event)

    @property
    def bad(self) -> int:
        """Units that showed the sign."""
        return len(self.hits)

    @property
    def pages(self) -> set[int]:
        """Positions of the pages that showed it."""
        return set(map(attrgetter("page"), self.hits))

    @property
    def rate(self) -> EventRate:
        """How often it is shown, with what was confirmed: so often it is no fault."""
        return EventRate(self.bad + self.confirmed, self.seen - self.event)

    def forget(self, pages: Collection[int]) -> None:
        """Take back the units of some pages that showed it, as if they had not been
        seen."""
        kept = [hit for hit in self.hits if hit.page not in pages]
        self.seen -= len(self.hits) - len(kept)
        self.hits = kept

    def chance(self, known: EventRate, prior: EventRate) -> float:
        """Probability that a healthy batch of so many units shows it as often."""
        return chance(self.bad, self.seen, known, prior)


class Tallies:
    """All counts of a batch, in the order in which they were begun."""

    def __init__(self) -> None:
        self._all: dict[tuple[Sign, str], Tally] = {}

    def __iter__(self) -> Iterator[Tally]:
        """The tallies in the order in which they were begun."""
        return iter(self._all.values())

    def get(self, sign: Sign, subject: str) -> Tally | None:
        """One of them, None if nothing was counted."""
        return self._all.get((sign, subject))

    def hits(self, sign: Sign, subject: str) -> list[Hit]:
        """The units that show a sign."""
        return self._all.get((sign, subject), Tally(sign, subject)).hits

    def put(self, tally: Tally) -> None:
        """Take over a tally that was counted elsewhere."""
        self._all[tally.sign, tally.subject] = tally

    def add(
        self,
        sign: Sign,
        subject: str,
        page: int,
        *,
        has_sign: bool,
        expected: object = "",
        got: object = "",
    ) -> None:
        """Count one unit of a page, and if it shows the sign what was expected and
        got."""
        tally = self._all.get((sign, subject))
        if tally is None:
            tally = self._all[sign, subject] = Tally(sign, subject)
        tally.seen += 1
        if has_sign:
            tally.hits.append(Hit(page, expected, got))
