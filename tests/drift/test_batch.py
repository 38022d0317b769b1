"""judge_batch: quiet on a living shop, loud when a crawler goes wrong, silent about what it cannot know."""

import random

import pytest

from crawloop_assets.drift import BatchStats, CheckName, Severity, judge_batch
from crawloop_assets.page import Verdict
from tests.drift.kinds import KINDS, Case
from tests.drift.shop import FAMILY, SCHEMA, Shop, Site


@pytest.fixture(scope="module")
def site() -> Site:
    """A shop of 100 products after eight healthy days, one of them a sale, and a new night."""
    shop = Shop(seed=5, size=100)
    site = Site(shop)
    for day in range(8):
        shop.day(frozenset(range(0, 100, 3)) if day == 4 else frozenset(), 0.25)
        for key, products in shop.batches():
            outcomes = [site.outcome(product) for product in products]
            judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch=key)
            assert all(check.passed for check in judgement.checks), [
                c.sentence for c in judgement.checks if not c.passed
            ]
            assert not judgement.held
            site.publish(outcomes, judgement.stats)
    shop.day()
    return site


def judge(site: Site, kind: str, share: float):
    rng = random.Random(11)
    outcomes, broken = [], set()
    for product in site.shop.products:
        outcome = site.outcome(product)
        if rng.random() < share:
            wrong = KINDS[kind](Case(rng, site.shop, product, outcome))
            if wrong.values != outcome.values or wrong.facts != outcome.facts:
                broken.add(outcome.url)
            outcome = wrong
        outcomes.append(outcome)
    return judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001"), broken


def test_every_check_answers_for_every_batch(site):
    judgement, _ = judge(site, "cents", 0.0)
    assert [check.name for check in judgement.checks] == list(CheckName)
    assert all(check.passed and check.sentence for check in judgement.checks)


def test_without_history_nothing_is_guessed():
    outcomes = [Site(Shop(seed=2, size=30)).outcome(product) for product in Shop(seed=2, size=30).products]
    judgement = judge_batch(SCHEMA, FAMILY, outcomes, ())
    assert all(check.passed for check in judgement.checks)
    assert any("not enough history" in check.sentence for check in judgement.checks)


def test_stats_survive_json(site):
    judgement, _ = judge(site, "cents", 0.0)
    assert BatchStats.model_validate_json(judgement.stats.model_dump_json()) == judgement.stats


def test_one_changed_title_is_news(site):
    outcomes = [site.outcome(product) for product in site.shop.products]
    wrong = KINDS["wrong_element_title"](Case(random.Random(1), site.shop, site.shop.products[0], outcomes[0]))
    judgement = judge_batch(SCHEMA, FAMILY, [wrong, *outcomes[1:]], site.history, batch="000001")
    assert not judgement.drifted and not judgement.held


def test_a_batch_that_drifted_teaches_nothing(site):
    judgement, _ = judge(site, "cents", 1.0)
    assert judgement.stats.drifted
    again = judge_batch(
        SCHEMA,
        FAMILY,
        [KINDS["cents"](Case(random.Random(1), site.shop, p, site.outcome(p))) for p in site.shop.products],
        [*site.history, *[judgement.stats] * 20],
        batch="000001",
    )
    assert again.drifted


def test_page_kinds_warn_and_are_never_drift(site):
    outcomes = [
        site.outcome(product).model_copy(update={"verdict": Verdict.CHALLENGE, "extraction": None, "values": ()})
        for product in site.shop.products
    ]
    judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
    pages = next(check for check in judgement.checks if check.name is CheckName.PAGES)
    assert not pages.passed and pages.severity is Severity.WARN and "challenge" in pages.sentence
    assert not judgement.drifted


def test_a_crawler_that_fails_is_drift(site):
    outcomes = [
        site.outcome(product).model_copy(update={"verdict": Verdict.DRIFT, "extraction": None, "values": ()})
        for product in site.shop.products
    ]
    judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
    assert next(check for check in judgement.checks if check.name is CheckName.SCHEMA).is_drift
    assert len(judgement.held) == len(outcomes)


@pytest.mark.parametrize("kind", ["cents", "wrong_element_title", "truncated_description", "optional_gone"])
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_valid_but_wrong_is_drift_and_stays_unpublished(site, kind, share):
    judgement, broken = judge(site, kind, share)
    assert judgement.drifted
    assert judgement.hold_all or broken <= set(judgement.held)
    failed = [check for check in judgement.checks if not check.passed]
    assert all(
        check.examples and len(check.examples) <= 5 for check in failed if check.name is not CheckName.DISTRIBUTION
    )
    assert all(check.observed > check.threshold for check in failed)
