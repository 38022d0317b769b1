"""What a batch teaches the next one."""

from math import log10

import pytest

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.crawler.traits import OTHERS
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.stats import answer_stats, proof_stats, stats_of
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.page import Verdict
from tests.drift.small import PRICE, SKU, TAGS, TITLE, facts, outcome, schema

FIELDS = schema(SKU, TITLE, PRICE, TAGS)


def learned(
    *pages: PageOutcome, version: int | None = 1, tallies: Tallies | None = None
):
    return stats_of(
        FIELDS, pages, pages, tallies or Tallies(), batch="000001", version=version
    )


def test_pages_records_and_verdicts_are_counted():
    good = outcome({"sku": "1"}, {"sku": "2"})
    gone = outcome(verdict=Verdict.GONE)
    stats = stats_of(
        FIELDS, [good, gone, good], [good, good], Tallies(), batch="7", version=3
    )
    assert (stats.batch, stats.version, stats.pages, stats.records) == ("7", 3, 2, 4)
    assert stats.verdicts == {"gone": 1, "ok": 2}
    assert list(stats.verdicts) == ["gone", "ok"]
    assert not stats.drifted


def test_new_pages_are_those_that_were_read_and_nothing_was_known_of():
    known = outcome({"sku": "1"}, previous=[{"sku": "1"}])
    new, unread = outcome({"sku": "2"}), outcome(extraction=None)
    assert learned(known, new, new, unread).new_pages == 2


def test_rates_are_what_was_counted():
    tallies = Tallies()
    tallies.add(Sign.LOST, "title", 0, has_sign=True)
    tallies.add(Sign.LOST, "title", 1, has_sign=False)
    assert learned(tallies=tallies).rates == {"lost:title": (1, 2)}


def test_the_greatest_step_of_a_number_up_or_down() -> None:
    tallies = Tallies()
    for then, now in (("10.00", "12.00"), ("50.00", "25.00"), ("3", "3.1")):
        tallies.add(Sign.REPRICED, "price", 0, has_sign=True, expected=then, got=now)
    tallies.add(Sign.REPRICED, "list_price", 0, has_sign=False)
    assert learned(tallies=tallies).strides == {"price": pytest.approx(log10(2))}


def test_a_version_begins_with_what_it_was_proved_on() -> None:
    traits = {"reader:price": {"css": 9}, "words:price": {"#": 8, "from #": 1}}
    stats = proof_stats(3, traits)
    assert (stats.version, stats.is_proof, stats.pages) == (3, True, 0)
    assert stats.rates == {"words:price": (0, 9)}
    assert stats.categories == traits


def test_an_answer_begins_with_how_often_it_was_so():
    stats = answer_stats(3, {"price": 4, "stock": 0}, 9)
    assert (stats.version, stats.is_proof, stats.is_answer) == (3, True, True)
    assert stats.rates == {"late:price": (4, 9), "late:stock": (0, 9)}


def test_traits_of_pages():
    first = outcome(
        {"sku": "1"}, next_url="/2", facts=facts(currency="EUR", spoken="en")
    )
    last = outcome({"sku": "1"}, facts=facts(currency="", spoken="en"))
    unseen = outcome({"sku": "1"})
    categories = learned(first, last, unseen).categories
    assert categories["currency"] == {"EUR": 1, "": 1}
    assert categories["spoken"] == {"en": 2}
    assert categories["page_size"] == {"1": 1}


def test_readers_are_those_of_the_version():
    votes = {"title": FieldVote(agreement=1, live_readers=1, readers=1, reader="ld")}
    read, other = (
        outcome({"title": "Kettle"}, votes=votes, version=version) for version in (1, 2)
    )
    failed = outcome(extraction=None)
    assert learned(read, other, failed).categories["reader:title"] == {"ld": 1}
    assert "reader:title" not in learned(other).categories


def test_shapes_of_texts():
    page = outcome({"sku": "A-1", "title": "", "price": "12", "tags": ["a"]})
    other = outcome({"sku": "B-22", "title": "Old Pot"})
    assert learned(page, other).categories == {
        "decimals:price": {"0": 1},
        "shape:sku": {"a-9": 2},
        "shape:title": {"a a": 1},
    }


def test_rare_categories_are_summed_up():
    pages = [
        outcome(facts=facts(currency=f"C{at:02}", spoken="en"))
        for at in [*range(14), 13, 13, 0]
    ]
    counts = learned(*pages).categories["currency"]
    assert list(counts.items())[:3] == [("C13", 3), ("C00", 2), ("C01", 1)]
    assert len(counts) == 13 and counts[OTHERS] == 2
    assert sum(counts.values()) == len(pages)


def test_groups_as_long_as_the_records():
    rows = [{"sku": str(at)} for at in range(3)]
    page = outcome(*rows, facts=facts(groups=((7, 3), (8, 5))))
    longer = outcome(*rows, facts=facts(groups=((7, 4),)))
    single = outcome({"sku": "1"}, {"sku": "2"}, facts=facts(groups=((9, 2),)))
    blind = outcome(*rows, facts=facts())
    assert learned(page, longer, single, blind, outcome(*rows)).groups == {"7": (1, 2)}


def test_up_to_four_different_layouts_are_kept():
    layouts = [tuple(range(step, step + 50)) for step in range(0, 600, 100)]
    pages = [outcome(facts=facts(template=layout)) for layout in layouts]
    near = outcome(facts=facts(template=tuple(range(1, 51))))
    empty = outcome(facts=facts())
    kept = learned(pages[0], near, empty, outcome(), *pages[1:]).layouts
    assert kept == tuple(layouts[:4])
