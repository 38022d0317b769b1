"""What a batch may teach, and whom."""

import pytest

from crawloop_assets.drift.assessment import Assessment
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome, Trust
from crawloop_assets.drift.sign import NEWS, Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.tally import Hit, Tally
from crawloop_assets.drift.trust import batch_trust, is_refuted
from tests.drift import small

SCHEMA = small.schema(small.SKU, small.TITLE)
FAMILY = small.family()


def failed(check: CheckName, sign: Sign | None = None) -> Assessment:
    return Assessment(check, False, Severity.WARN, 0.1, 0.0, "seen", sign=sign)


def test_only_what_failed_about_values_is_a_doubt() -> None:
    passed = Assessment(CheckName.HISTORY, True, Severity.WARN, 0.0, 0.1, "fine")
    assert batch_trust([]) is Trust.FULL
    assert batch_trust([passed, failed(CheckName.TEMPLATE, Sign.LAYOUT)]) is Trust.FULL


@pytest.mark.parametrize("sign", Sign)
def test_what_only_time_can_tell_is_believed_of_the_batch_itself(sign: Sign) -> None:
    trust = batch_trust([failed(CheckName.HISTORY, sign)])
    assert trust is (Trust.OWN if sign in NEWS else Trust.NONE)


def test_one_witness_against_a_batch_is_enough() -> None:
    doubts = [failed(CheckName.HISTORY, sign) for sign in (Sign.LOST, Sign.STILL)]
    assert batch_trust(doubts) is Trust.NONE
    assert batch_trust([failed(CheckName.DISTRIBUTION)]) is Trust.OWN


def test_nothing_is_learned_where_known_values_still_stand_on_many_pages() -> None:
    """Even if they are too few to be an alarm of their own."""
    hits = tuple(Hit(page) for page in range(3))
    passed = Assessment(CheckName.CONTRADICTION, True, Severity.WARN, 0.3, 0.5, "fine")
    kept = passed._replace(sign=Sign.KEPT, hits=hits)
    repriced = failed(CheckName.HISTORY, Sign.REPRICED)
    assert batch_trust([repriced]) is Trust.OWN
    assert batch_trust([repriced, kept]) is Trust.NONE
    assert batch_trust([repriced, kept._replace(hits=hits[:2])]) is Trust.OWN


@pytest.mark.parametrize(
    ("hits", "seen", "refuted"),
    [(3, 30, True), (3, 31, False), (2, 2, False), (40, 100, True)],
)
def test_known_values_refute_where_they_stand_on_a_tenth_of_the_pages(
    hits: int, seen: int, refuted: bool
) -> None:
    for sign in (Sign.KEPT, Sign.STILL, Sign.RETOLD, Sign.CHANGED):
        tally = Tally(sign, "title", seen=seen, hits=list(map(Hit, range(hits))))
        assert is_refuted(tally) is (refuted and sign is not Sign.CHANGED)


def test_signs_about_the_page_alone_are_no_news() -> None:
    assert all(RULES[sign].check.blocking for sign in NEWS)
    assert not NEWS & {Sign.STILL, Sign.CUT, Sign.NET, Sign.GARBLED, Sign.NEIGHBOUR}


def page(number: int, title: str, before: str = "", still: bool = False) -> PageOutcome:
    key = {"sku": f"K-{number}"}
    stands = {"copperkettle": True} if still else {}
    return small.outcome(
        key | {"title": title},
        url=f"https://shop.example/p/{number}",
        previous=[key | {"title": before or title}],
        facts=small.facts(stands=stands),
    )


def test_a_suspicious_batch_does_not_teach_its_twin() -> None:
    """Today a batch with a warning taught the same fault, so that its twin was green."""
    history = small.past(40, batch="a", pages=50, rates={"still:title": (0, 50)})
    misread = [page(at, "Basket", "Copper kettle", still=True) for at in range(3)]
    healthy = [page(at, f"Lamp {at}") for at in range(3, 50)]
    first = judge_batch(SCHEMA, FAMILY, [*misread, *healthy], history, batch="a")
    assert first.held.keys() == {one.url for one in misread} and not first.drifted
    assert first.stats.trust is Trust.NONE
    for batch in ("a", "b"):
        norms = Norms([*history, first.stats], batch)
        assert norms.rate(Sign.STILL, "title", 50)[0].bad == 0


def test_what_a_site_may_have_done_is_known_of_the_batch_that_showed_it() -> None:
    seen = BatchStats(batch="a", trust=Trust.OWN, rates={"lost:title": (5, 100)})
    assert Norms([seen], "a").rate(Sign.LOST, "title", 100)[0].bad == 5
    assert Norms([seen], "b").rate(Sign.LOST, "title", 100)[0].seen == 0
    nobody = seen.model_copy(update={"trust": Trust.NONE})
    assert Norms([nobody], "a").batches == 0


def test_pages_held_by_themselves_teach_nothing() -> None:
    pages = [page(at, f"Lamp {at}") for at in range(30)]
    broken = page(30, "").model_copy(update={"extraction": None, "values": ()})
    judged = judge_batch(SCHEMA, FAMILY, [*pages, broken], batch="a")
    assert judged.held.keys() == {broken.url} and not judged.drifted
    assert judged.stats.pages == 31
    unread = pages[0].model_copy(update={"findings": judged.held[broken.url]})
    judged = judge_batch(SCHEMA, FAMILY, [unread, *pages[1:]], batch="a")
    assert judged.held.keys() == {unread.url}
    assert judged.stats.rates["missing:title"] == (0, 29)
