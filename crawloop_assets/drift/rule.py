"""How a sign is judged: whom it comes from, what is believed of it without history, and
what a failed one does."""

from enum import StrEnum
from typing import NamedTuple

from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.rates import ALPHA_WARN, EventRate


class Speaker(StrEnum):
    """Who speaks through a sign; of the signs of one speaker about one value the strongest
    counts (see doubt.py)."""

    READERS = "readers"
    PAST = "past"
    PAGE = "page"
    TITLE = "title"
    PLACE = "place"
    OTHERS = "others"
    ELSEWHERE = "elsewhere"


class Rule(NamedTuple):
    """How a sign is judged.

    `prior` is what is believed without history (events of units); None means that
    history has to say. `assortment` signs depend on what the site offers, so that it
    takes `own_batches` of the same batch's own history to call them drift.
    `per_version` signs are about the crawler, so that only batches read by the same
    version count. `holds` pages that show the sign; an error also holds the batch if
    `holds_all`. `alpha` is the chance of a false alarm at which the sign is a
    suspicion; it is looser for laws of the page's structure, which a single page can
    break. `tells` is the share of wrong readings that show the sign, of which its weight
    on a single page is made, at most `most`; `speaker` says whom it comes from.
    """

    check: CheckName
    says: str
    prior: EventRate | None = None
    worst: Severity = Severity.ERROR
    assortment: bool = False
    own_batches: int = 1
    alpha: float = ALPHA_WARN
    per_version: bool = False
    holds: bool = True
    holds_all: bool = True
    tells: float = 0.0
    speaker: Speaker = Speaker.PAST
    most: float = 5.0


def one_in(units: float) -> EventRate:
    """The prior that a sign is shown by one of so many units."""
    return EventRate(0.5, units / 2)


STRUCTURE = 0.05
"""Chance of a false alarm that is allowed where a page's own structure is broken."""

LAW = 0.01
RARE = 1e-3
