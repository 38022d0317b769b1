"""The signs of drift the batch checks count, and how each is judged.

The table `RULES` is the policy. A sign is an event that a unit (a page, a record, a known
record read again) shows or not. Its share in the batch is compared with its share in
the family's history (see rates.py).
"""

from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.evidence_rules import EVIDENCE_RULES
from crawloop_assets.drift.rates import EventRate
from crawloop_assets.drift.rule import LAW, RARE, STRUCTURE, Rule, Speaker, one_in
from crawloop_assets.drift.sign import Sign

RULES: dict[Sign, Rule] = {
    **EVIDENCE_RULES,
    Sign.ROWS: Rule(
        CheckName.COUNT,
        "rows of the page's list are in no record",
        one_in(50),
        per_version=True,
        alpha=STRUCTURE,
    ),
    Sign.SHORT: Rule(
        CheckName.COUNT,
        "there are fewer records than on other pages that go on",
        alpha=STRUCTURE,
    ),
    Sign.UNPAGED: Rule(
        CheckName.COUNT,
        "the page has a next link that the crawler did not read",
        holds=False,
        alpha=STRUCTURE,
    ),
    Sign.LOOP: Rule(
        CheckName.COUNT,
        "the next page is one that was there before",
        one_in(1_000),
        holds=False,
        alpha=STRUCTURE,
    ),
    Sign.MISSING: Rule(CheckName.COVERAGE, "{subject} is not filled", assortment=True),
    Sign.SCARCE: Rule(
        CheckName.COVERAGE, "{subject} is not filled", assortment=True, own_batches=7
    ),
    Sign.LOST: Rule(
        CheckName.COVERAGE,
        "{subject} of a known record is gone",
        one_in(50),
        tells=0.2,
    ),
    Sign.VANISHED: Rule(
        CheckName.COVERAGE,
        "{subject} of a known record is gone",
        one_in(50),
        worst=Severity.WARN,
        holds_all=False,
    ),
    Sign.EMPTIED: Rule(
        CheckName.COVERAGE,
        "no row of the list has {subject} any more, where nearly all had it",
        one_in(50),
    ),
    Sign.UNREAD: Rule(
        CheckName.COVERAGE,
        "the known {subject} still stands on the page, and nothing is read",
        one_in(200),
        holds_all=False,
        tells=0.5,
        speaker=Speaker.PAGE,
    ),
    Sign.OVERLOOKED: Rule(
        CheckName.COUNT,
        "a known row stands on its page, and no record is read there",
        one_in(1_000),
        alpha=STRUCTURE,
        holds=False,
        holds_all=False,
    ),
    Sign.REPLACED: Rule(
        CheckName.HISTORY,
        "a known record is nowhere in the batch",
        assortment=True,
        own_batches=3,
    ),
    Sign.REKEYED: Rule(
        CheckName.CONTRADICTION,
        "a known record is there under another key",
        one_in(200),
        speaker=Speaker.PAGE,
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
        one_in(400),
        alpha=STRUCTURE,
        tells=0.5,
    ),
    Sign.STILL: Rule(
        CheckName.HISTORY,
        "another {subject} is read although the known one still stands on the page",
        one_in(200),
        tells=0.5,
        speaker=Speaker.PAGE,
    ),
    Sign.REPRICED: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is another one",
        worst=Severity.WARN,
        tells=0.9,
    ),
    Sign.STRIDE: Rule(
        CheckName.HISTORY,
        "{subject} of a known record moved farther than any did before",
        worst=Severity.WARN,
        alpha=RARE,
    ),
    # Without history: what is far once in a hundred moves, twice by chance alone.
    Sign.AFAR: Rule(
        CheckName.HISTORY,
        "{subject} and another number of a known record moved farther than any did before",
        one_in(10_000),
        worst=Severity.WARN,
        tells=0.5,
    ),
    Sign.RATIO: Rule(
        CheckName.HISTORY,
        "{subject} of known records changed by one and the same ratio",
        one_in(10),
        worst=Severity.WARN,
        alpha=LAW,
    ),
    # Without history: as often as in a shop that moves prices by whole percents, ten up
    # or ten down.
    Sign.EXACTLY: Rule(
        CheckName.HISTORY,
        "two known records have a {subject} that changed by exactly one ratio",
        one_in(20),
        worst=Severity.WARN,
        alpha=RARE,
    ),
    Sign.ROUNDED: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is a whole number now",
        worst=Severity.WARN,
        alpha=RARE,
    ),
    Sign.WHOLESALE: Rule(
        CheckName.HISTORY,
        "{subject} of nearly all known rows of a page is another one",
        one_in(100),
        worst=Severity.WARN,
        tells=0.7,
    ),
    Sign.KEPT: Rule(
        CheckName.CONTRADICTION,
        "another {subject} is read although the known one still stands on the page",
        one_in(20),
        holds_all=False,
        tells=0.5,
        speaker=Speaker.PAGE,
        most=4.0,
    ),
    # The name of the price may stand at the usual one now, and the reduced one elsewhere.
    Sign.UNENDED: Rule(
        CheckName.CONTRADICTION,
        "{subject} is the usual one again, as after a sale, although the reduced one still stands on the page",
        one_in(1_000),
        holds_all=False,
        tells=0.5,
        speaker=Speaker.PAGE,
        most=4.0,
    ),
    Sign.EXCHANGED: Rule(
        CheckName.HISTORY,
        "known records have exchanged their {subject}",
        one_in(10_000),
        alpha=LAW,
        holds_all=False,
        tells=0.5,
        speaker=Speaker.OTHERS,
        most=9.0,
    ),
    Sign.BORROWED: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is what one other record has or had, or that one has what it had",
        worst=Severity.WARN,
        tells=0.9,
    ),
    Sign.LENT: Rule(
        CheckName.HISTORY,
        "{subject} of a known record moved farther than any did before, to or from what another one has",
        worst=Severity.WARN,
        alpha=RARE,
        tells=0.9,
    ),
    Sign.RETOLD: Rule(
        CheckName.HISTORY,
        "{subject} is a known value told otherwise",
        one_in(1_000),
        tells=0.5,
        most=4.0,
    ),
    Sign.ELSEWHERE: Rule(
        CheckName.CONTRADICTION,
        "another page of the site says another {subject}",
        worst=Severity.WARN,
        holds_all=False,
        tells=0.8,
        speaker=Speaker.ELSEWHERE,
    ),
    Sign.JUMP: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is 2.6 times what it was, or less, or higher beside the old value",
        one_in(50),
        alpha=RARE,
        tells=0.3,
        speaker=Speaker.PAGE,
        most=3.9,
    ),
    Sign.LEAP: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is 2.6 times what it was, or less",
        one_in(200),
        worst=Severity.WARN,
        tells=0.3,
    ),
    Sign.FACTOR: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is 10, 100 or 1000 times what it was, or less",
        one_in(200),
        alpha=LAW,
        tells=0.9,
        most=8.0,
    ),
    Sign.FALLEN: Rule(
        CheckName.HISTORY,
        "{subject} of a known record only ever rose and is lower now",
        tells=0.3,
    ),
    Sign.SWEPT: Rule(
        CheckName.HISTORY,
        "all numbers of a known record are different at once",
        tells=0.5,
    ),
    # What rests by chance is shown; so is what rests over a weekend.
    Sign.FROZEN: Rule(
        CheckName.HISTORY,
        "{subject} always moved, is just what it was, and the page shows it no more",
        one_in(200),
        tells=0.5,
        speaker=Speaker.PAGE,
    ),
    Sign.CACHED: Rule(
        CheckName.HISTORY,
        "a cache gave what it has kept since before the last refresh",
        one_in(1_000),
        worst=Severity.WARN,
        alpha=LAW,
        tells=0.9,
    ),
    Sign.CUT: Rule(
        CheckName.HISTORY,
        "{subject} of a known record is cut off",
        one_in(200),
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
        alpha=LAW,
        tells=0.3,
        speaker=Speaker.PLACE,
    ),
    Sign.ABOVE: Rule(CheckName.CONSISTENCY, "{subject}", assortment=True, alpha=LAW),
    Sign.EQUAL: Rule(CheckName.CONSISTENCY, "{subject}", assortment=True, alpha=LAW),
    Sign.OFF_TITLE: Rule(
        CheckName.CONSISTENCY,
        "{subject} is not part of the page's title",
        per_version=True,
        tells=0.7,
        speaker=Speaker.TITLE,
    ),
    Sign.OFF_URL: Rule(
        CheckName.CONSISTENCY,
        "{subject} has no word in common with the url",
    ),
    Sign.OFF_LINK: Rule(
        CheckName.CONSISTENCY,
        "{subject} of a new row has no word in common with its link",
        tells=0.5,
        speaker=Speaker.PLACE,
    ),
    Sign.CURRENCY: Rule(
        CheckName.CONSISTENCY,
        "the {subject} shows another currency than usual",
        one_in(50),
        tells=0.3,
        speaker=Speaker.PLACE,
    ),
    Sign.NOTATION: Rule(
        CheckName.CONSISTENCY,
        "{subject} stands with another currency, unit or mark than the version was made for",
        one_in(1_000),
        per_version=True,
        alpha=LAW,
        holds_all=False,
        tells=0.9,
        speaker=Speaker.PLACE,
        most=8.0,
    ),
    # A second witness makes it doubtful; by itself it waits.
    Sign.THOUSANDS: Rule(
        CheckName.CONSISTENCY,
        "{subject} has three decimals, as after a mark for thousands, where none ever had",
        one_in(1_000),
        alpha=LAW,
        holds_all=False,
        tells=0.9,
        speaker=Speaker.PLACE,
        most=6.0,
    ),
    Sign.DUPLICATE: Rule(
        CheckName.CONSISTENCY, "a record with this key was already there", one_in(200)
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
        one_in(100),
    ),
    Sign.PLACEHOLDER: Rule(
        CheckName.DISTRIBUTION, "{subject} is a placeholder", one_in(200)
    ),
    Sign.GARBLED: Rule(
        CheckName.DISTRIBUTION,
        "{subject} has broken characters or markup in it",
        one_in(100),
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
    Sign.ADDED: Rule(
        CheckName.DISTRIBUTION,
        "{subject} has words before or after it that none had before",
        one_in(1_000),
        alpha=LAW,
        tells=0.5,
        speaker=Speaker.OTHERS,
    ),
    Sign.LAYOUT: Rule(
        CheckName.TEMPLATE,
        "the layout is unlike any known one",
        one_in(50),
        worst=Severity.WARN,
        holds=False,
        holds_all=False,
    ),
}
