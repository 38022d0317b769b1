"""The signs of drift the batch checks count, and how each is judged.

The table `RULES` is the policy. A sign is an event that a unit (a page, a record, a known
record read again) shows or not. Its share in the batch is compared with its share in
the family's history (see rates.py).
"""

from enum import StrEnum
from typing import NamedTuple

from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.rates import ALPHA_WARN, EventRate


class Sign(StrEnum):
    """What can be seen on a unit; the value is what history calls it."""

    DISAGREE = "disagree"
    SILENT = "silent"
    READER = "reader"
    CONTRADICTION = "contradiction"
    WORDS = "words"
    BESIDE = "beside"
    PLACES = "places"
    ROWS = "rows"
    SHORT = "short"
    UNPAGED = "unpaged"
    LOOP = "loop"
    MISSING = "missing"
    SCARCE = "scarce"
    LOST = "lost"
    VANISHED = "vanished"
    REPLACED = "replaced"
    CHANGED = "changed"
    MOVED = "moved"
    STILL = "still"
    REPRICED = "repriced"
    RATIO = "ratio"
    KEPT = "kept"
    EXCHANGED = "exchanged"
    JUMP = "jump"
    FACTOR = "factor"
    FELL = "fell"
    SWEPT = "swept"
    CUT = "cut"
    UNGROUNDED = "ungrounded"
    STRAY = "stray"
    NET = "net"
    ABOVE = "above"
    EQUAL = "equal"
    OFF_TITLE = "off_title"
    OFF_URL = "off_url"
    CURRENCY = "currency"
    DUPLICATE = "duplicate"
    SHARED = "shared"
    COPIED = "copied"
    NEIGHBOUR = "neighbour"
    PLACEHOLDER = "placeholder"
    GARBLED = "garbled"
    WHOLE = "whole"
    BROKEN = "broken"
    SHAPE = "shape"
    LAYOUT = "layout"


class Speaker(StrEnum):
    """Who speaks through a sign; of the signs of one speaker about one value the strongest
    counts (see doubt.py)."""

    READERS = "readers"
    PAST = "past"
    PAGE = "page"
    TITLE = "title"
    PLACE = "place"
    OTHERS = "others"


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


def _one_in(units: float) -> EventRate:
    """The prior that a sign is shown by one of so many units."""
    return EventRate(0.5, units / 2)


_STRUCTURE = 0.05
"""Chance of a false alarm that is allowed where a page's own structure is broken."""

_LAW = 0.01
_RARE = 1e-3

RULES: dict[Sign, Rule] = {
    Sign.DISAGREE: Rule(
        CheckName.VOTES,
        "the readers of {subject} disagree",
        per_version=True,
        holds_all=False,
        tells=0.3,
        speaker=Speaker.READERS,
    ),
    Sign.SILENT: Rule(
        CheckName.VOTES,
        "most readers of {subject} are silent",
        worst=Severity.WARN,
        per_version=True,
        holds=False,
        holds_all=False,
    ),
    Sign.READER: Rule(
        CheckName.VOTES,
        "{subject} comes from another reader than usual",
        worst=Severity.WARN,
        per_version=True,
        holds=False,
        holds_all=False,
    ),
    Sign.CONTRADICTION: Rule(
        CheckName.CONTRADICTION,
        "what is shown and what is stated of {subject} contradict each other",
        _one_in(100),
        per_version=True,
        holds_all=False,
        tells=0.3,
        speaker=Speaker.READERS,
    ),
    Sign.WORDS: Rule(
        CheckName.CONTRADICTION,
        "other words than usual stand around another {subject}",
        _one_in(400),
        per_version=True,
        alpha=_LAW,
        holds_all=False,
        tells=0.5,
        speaker=Speaker.PLACE,
        most=8.0,
    ),
    Sign.BESIDE: Rule(
        CheckName.CONTRADICTION,
        "other things than usual stand beside another {subject}",
        _one_in(200),
        per_version=True,
        alpha=_LAW,
        holds_all=False,
        tells=0.4,
        speaker=Speaker.PLACE,
    ),
    Sign.PLACES: Rule(
        CheckName.CONTRADICTION,
        "another {subject} is read, of more or fewer places than usual",
        _one_in(200),
        per_version=True,
        alpha=_LAW,
        holds_all=False,
        tells=0.4,
        speaker=Speaker.PLACE,
    ),
    Sign.ROWS: Rule(
        CheckName.COUNT,
        "rows of the page's list are in no record",
        _one_in(50),
        alpha=_STRUCTURE,
    ),
    Sign.SHORT: Rule(
        CheckName.COUNT,
        "there are fewer records than on other pages that go on",
        alpha=_STRUCTURE,
    ),
    Sign.UNPAGED: Rule(
        CheckName.COUNT,
        "the page has a next link that the crawler did not read",
        holds=False,
        alpha=_STRUCTURE,
    ),
    Sign.LOOP: Rule(
        CheckName.COUNT,
        "the next page is one that was there before",
        _one_in(1_000),
        holds=False,
        alpha=_STRUCTURE,
    ),
    Sign.MISSING: Rule(CheckName.COVERAGE, "{subject} is not filled", assortment=True),
    Sign.SCARCE: Rule(
        CheckName.COVERAGE, "{subject} is not filled", assortment=True, own_batches=7
    ),
    Sign.LOST: Rule(
        CheckName.COVERAGE,
        "{subject} of a known record is gone",
        _one_in(50),
        tells=0.2,
    ),
    Sign.VANISHED: Rule(
        CheckName.COVERAGE,
        "{subject} of a known record is gone",
        _one_in(50),
        worst=Severity.WARN,
        holds_all=False,
    ),
    Sign.REPLACED: Rule(
        CheckName.HISTORY,
        "a known record is nowhere in the batch",
        worst=Severity.ERROR,
        assortment=True,
        own_batches=3,
        holds=False,
    ),
    Sign.CHANGED: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is different",
        EventRate(1, 10),
        tells=0.9,
    ),
    Sign.MOVED: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is different or gone and the layout is new",
        _one_in(400),
        alpha=_STRUCTURE,
        tells=0.5,
    ),
    Sign.STILL: Rule(
        CheckName.HISTORY,
        "another {subject} is read although the known one still stands on the page",
        _one_in(200),
        tells=0.5,
        speaker=Speaker.PAGE,
    ),
    Sign.REPRICED: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is another one",
        worst=Severity.WARN,
        holds_all=False,
        tells=0.9,
    ),
    Sign.RATIO: Rule(
        CheckName.HISTORY,
        "{subject} of known records changed by one and the same ratio",
        _one_in(10),
        worst=Severity.WARN,
        alpha=_LAW,
        holds_all=False,
    ),
    Sign.KEPT: Rule(
        CheckName.CONTRADICTION,
        "another {subject} is read although the known one still stands on the page",
        _one_in(20),
        holds_all=False,
        tells=0.5,
        speaker=Speaker.PAGE,
        most=4.0,
    ),
    Sign.EXCHANGED: Rule(
        CheckName.HISTORY,
        "known records have exchanged their {subject}",
        _one_in(10_000),
        alpha=_LAW,
        holds_all=False,
        tells=0.5,
        speaker=Speaker.OTHERS,
        most=9.0,
    ),
    Sign.JUMP: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is 2.6 times what it was, or less, or higher beside the old value",
        _one_in(50),
        alpha=_RARE,
        tells=0.3,
        speaker=Speaker.PAGE,
        most=3.9,
    ),
    Sign.FACTOR: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is 10, 100 or 1000 times what it was, or less",
        _one_in(200),
        alpha=_LAW,
        tells=0.9,
        most=8.0,
    ),
    Sign.FELL: Rule(
        CheckName.HISTORY,
        "{subject} of a known record only ever rose and is lower now",
        tells=0.3,
    ),
    Sign.SWEPT: Rule(
        CheckName.HISTORY,
        "all numbers of a known record are different at once",
        tells=0.5,
    ),
    Sign.CUT: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is cut off",
        _one_in(200),
        tells=0.5,
        most=6.0,
    ),
    # A program can only return what it read, if not always from text: suspicion, and of the version that reads so.
    Sign.UNGROUNDED: Rule(
        CheckName.CONSISTENCY,
        "{subject} does not stand on the page",
        worst=Severity.WARN,
        per_version=True,
        holds=False,
        holds_all=False,
    ),
    Sign.STRAY: Rule(
        CheckName.CONSISTENCY,
        "{subject} of a known record is different and does not stand on the page",
        per_version=True,
        tells=0.5,
        speaker=Speaker.PAGE,
    ),
    Sign.NET: Rule(
        CheckName.CONSISTENCY,
        "{subject} stands next to words like 'excl. tax'",
        alpha=_LAW,
        tells=0.3,
        speaker=Speaker.PLACE,
    ),
    Sign.ABOVE: Rule(CheckName.CONSISTENCY, "{subject}", assortment=True, alpha=_LAW),
    Sign.EQUAL: Rule(CheckName.CONSISTENCY, "{subject}", assortment=True, alpha=_LAW),
    Sign.OFF_TITLE: Rule(
        CheckName.CONSISTENCY,
        "{subject} is not part of the page's title",
        tells=0.7,
        speaker=Speaker.TITLE,
    ),
    Sign.OFF_URL: Rule(
        CheckName.CONSISTENCY,
        "{subject} has no word in common with the url",
    ),
    Sign.CURRENCY: Rule(
        CheckName.CONSISTENCY,
        "the {subject} shows another currency than usual",
        _one_in(50),
        tells=0.3,
        speaker=Speaker.PLACE,
    ),
    Sign.DUPLICATE: Rule(
        CheckName.CONSISTENCY, "a record with this key was already there", _one_in(200)
    ),
    Sign.SHARED: Rule(
        CheckName.CONSISTENCY,
        "{subject} is the same for different records",
        assortment=True,
    ),
    Sign.COPIED: Rule(
        CheckName.CONSISTENCY, "{subject} has one and the same value", assortment=True
    ),
    Sign.NEIGHBOUR: Rule(
        CheckName.CONSISTENCY,
        "{subject} is what the neighbouring row had",
        _one_in(100),
    ),
    Sign.PLACEHOLDER: Rule(
        CheckName.DISTRIBUTION, "{subject} is a placeholder", _one_in(200)
    ),
    Sign.GARBLED: Rule(
        CheckName.DISTRIBUTION,
        "{subject} has broken characters or markup in it",
        _one_in(100),
        tells=0.3,
        speaker=Speaker.PAGE,
    ),
    Sign.WHOLE: Rule(
        CheckName.DISTRIBUTION, "{subject} is a whole number", assortment=True
    ),
    Sign.BROKEN: Rule(
        CheckName.DISTRIBUTION, "{subject} is not a whole number", assortment=True
    ),
    Sign.SHAPE: Rule(
        CheckName.DISTRIBUTION,
        "{subject} is written in a way not seen before",
        worst=Severity.WARN,
        assortment=True,
    ),
    Sign.LAYOUT: Rule(
        CheckName.TEMPLATE,
        "the layout is unlike any known one",
        _one_in(50),
        worst=Severity.WARN,
        holds=False,
        holds_all=False,
    ),
}
