"""judge_batch: quiet on a living shop, loud when a crawler goes wrong, silent about what it cannot know."""

import random
from decimal import Decimal

import pytest

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.check import NOT_OF_READERS, CheckName, Severity
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.sign import Sign
from crawloop_assets.family import DriftPolicy
from crawloop_assets.page import Verdict
from tests.drift import small
from tests.drift.kinds import KINDS, Case
from tests.drift.shop import (
    FAMILY,
    LAYOUT_B,
    SCHEMA,
    Shop,
    Site,
    with_findings,
    with_values,
)
from tests.drift.shown import SCHEMA as SHOWN_SCHEMA
from tests.drift.shown import SHOWN


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
            assert judgement.held.keys() == judgement.waiting.keys()
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
    about_pages = [name for name in CheckName if name not in NOT_OF_READERS]
    assert [check.name for check in judgement.checks] == about_pages
    assert all(check.passed and check.sentence for check in judgement.checks)


def test_without_history_nothing_is_guessed():
    outcomes = [
        Site(Shop(seed=2, size=30)).outcome(product)
        for product in Shop(seed=2, size=30).products
    ]
    judgement = judge_batch(SCHEMA, FAMILY, outcomes, ())
    assert all(check.passed for check in judgement.checks)
    assert any("not enough history" in check.sentence for check in judgement.checks)


def test_stats_survive_json(site):
    judgement, _ = judge(site, "cents", 0.0)
    assert (
        BatchStats.model_validate_json(judgement.stats.model_dump_json())
        == judgement.stats
    )


def test_one_changed_title_that_its_page_confirms_waits_until_it_is_said_again(site):
    outcomes = [site.outcome(product) for product in site.shop.products]
    product = site.shop.products[0]
    before = dict(product.values)
    product.values["title"] = "Brass Reading Lamp"
    renamed = site.outcome(product)
    product.values.update(before)
    judgement = judge_batch(
        SCHEMA, FAMILY, [renamed, *outcomes[1:]], site.history, batch="000001"
    )
    assert renamed.values != outcomes[0].values
    assert not judgement.drifted and all(check.passed for check in judgement.checks)
    assert set(judgement.held) == set(judgement.waiting) == {renamed.url}
    again = renamed.model_copy(update={"said_before": renamed.values})
    judgement = judge_batch(
        SCHEMA, FAMILY, [again, *outcomes[1:]], site.history, batch="000001"
    )
    assert not judgement.held and not judgement.unconfirmed


def test_one_changed_title_that_only_the_crawler_sees_is_held(site):
    outcomes = [site.outcome(product) for product in site.shop.products]
    wrong = KINDS["wrong_element_title"](
        Case(random.Random(1), site.shop, site.shop.products[0], outcomes[0])
    )
    judgement = judge_batch(
        SCHEMA, FAMILY, [wrong, *outcomes[1:]], site.history, batch="000001"
    )
    assert not judgement.drifted and set(judgement.held) == {wrong.url}
    ((finding,),) = judgement.held.values()
    assert "still stands on the page" in finding.message


def test_a_batch_that_drifted_teaches_nothing(site):
    judgement, _ = judge(site, "cents", 1.0)
    assert judgement.stats.drifted
    again = judge_batch(
        SCHEMA,
        FAMILY,
        [
            KINDS["cents"](Case(random.Random(1), site.shop, p, site.outcome(p)))
            for p in site.shop.products
        ],
        [*site.history, *[judgement.stats] * 20],
        batch="000001",
    )
    assert again.drifted


def test_page_kinds_warn_and_are_never_drift(site):
    outcomes = [
        site.outcome(product).model_copy(
            update={"verdict": Verdict.CHALLENGE, "extraction": None, "values": ()}
        )
        for product in site.shop.products
    ]
    judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
    pages = next(check for check in judgement.checks if check.name is CheckName.PAGES)
    assert (
        not pages.passed
        and pages.severity is Severity.WARN
        and "challenge" in pages.sentence
    )
    assert not judgement.drifted


def test_a_crawler_that_fails_is_drift(site):
    outcomes = [
        site.outcome(product).model_copy(
            update={"verdict": Verdict.DRIFT, "extraction": None, "values": ()}
        )
        for product in site.shop.products
    ]
    judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
    assert next(
        check for check in judgement.checks if check.name is CheckName.SCHEMA
    ).is_drift
    assert len(judgement.held) == len(outcomes)


@pytest.mark.parametrize(
    "kind", ["cents", "wrong_element_title", "truncated_description", "optional_gone"]
)
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_valid_but_wrong_is_drift_and_stays_unpublished(site, kind, share):
    judgement, broken = judge(site, kind, share)
    assert judgement.drifted
    assert judgement.hold_all or broken <= set(judgement.held)
    failed = [check for check in judgement.checks if not check.passed]
    assert all(
        check.examples and len(check.examples) <= 5
        for check in failed
        if check.name is not CheckName.DISTRIBUTION
    )
    assert all(check.observed > check.threshold for check in failed)


def reread_by(outcome, version: int, layout, reader: str):
    """The same right values from another layout by another version."""
    records = tuple(
        record.model_copy(
            update={
                "votes": {
                    name: vote.model_copy(update={"reader": reader})
                    for name, vote in record.votes.items()
                }
            }
        )
        for record in outcome.extraction.records
    )
    extraction = outcome.extraction.model_copy(update={"records": records})
    facts = outcome.facts.model_copy(update={"template": layout})
    return outcome.model_copy(
        update={"version": version, "extraction": extraction, "facts": facts}
    )


def test_two_layouts_served_by_two_versions_are_quiet():
    shop = Shop(seed=8, size=100)
    site, rng = Site(shop), random.Random(2)
    alarms = []
    for day in range(12):
        shop.day()
        outcomes = [site.outcome(product) for product in shop.products]
        if day >= 3:
            outcomes = [
                reread_by(one, 2, LAYOUT_B, "css .b") if rng.random() < 0.5 else one
                for one in outcomes
            ]
        judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
        alarms += [
            (day, check.name, check.severity)
            for check in judgement.checks
            if not check.passed
        ]
        assert judgement.held.keys() == judgement.waiting.keys()
        site.publish(outcomes, judgement.stats)
    assert alarms == [(3, CheckName.TEMPLATE, Severity.WARN)], (
        "a new layout is told once, and is no drift"
    )


def test_a_redesign_read_rightly_is_no_drift(site):
    outcomes = [
        reread_by(site.outcome(product), 1, LAYOUT_B, "ld")
        for product in site.shop.products
    ]
    judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
    assert not judgement.drifted and not judgement.held
    assert [check.name for check in judgement.checks if not check.passed] == [
        CheckName.TEMPLATE
    ]


def test_a_changed_value_on_a_page_with_a_new_layout_is_held_even_alone(site):
    outcomes = [site.outcome(product) for product in site.shop.products]
    case = Case(random.Random(1), site.shop, site.shop.products[0], outcomes[0])
    outcomes[0] = KINDS["redesign_wrong_title"](case)
    judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
    assert set(judgement.held) == {outcomes[0].url} and not judgement.drifted


def test_a_sale_that_begins_and_ends_is_quiet():
    shop = Shop(seed=9, size=100)
    site = Site(shop)
    for day in range(14):
        shop.day(frozenset(range(100)) if 6 <= day <= 8 else frozenset(), 0.7)
        outcomes = [site.outcome(product) for product in shop.products]
        judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
        assert all(check.passed for check in judgement.checks), (
            day,
            [c.sentence for c in judgement.checks if not c.passed],
        )
        site.publish(outcomes, judgement.stats)


def test_readers_that_always_disagree_teach_to_be_ignored(site):
    def split(outcome):
        vote = FieldVote(
            agreement=0.45, live_readers=2, readers=3, rivals=("Something else",)
        )
        records = tuple(
            record.model_copy(update={"votes": record.votes | {"title": vote}})
            for record in outcome.extraction.records
        )
        extraction = outcome.extraction.model_copy(update={"records": records})
        fresh = outcome.model_copy(
            update={"extraction": extraction, "version": 7, "previous": ()}
        )
        return with_findings(fresh)

    outcomes = [split(site.outcome(product)) for product in site.shop.products]
    first = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
    assert next(
        check for check in first.checks if check.name is CheckName.VOTES
    ).is_drift
    calm = first.stats.model_copy(update={"drifted": False})
    again = judge_batch(SCHEMA, FAMILY, outcomes, [*site.history, calm], batch="000001")
    assert (
        next(check for check in again.checks if check.name is CheckName.VOTES).passed
        and not again.held
    )


def test_a_batch_that_is_filled_up_with_dearer_goods_is_quiet():
    """New pages fill the last batch first; its own past says nothing of them."""
    shop = Shop(seed=1, size=25)
    site = Site(shop)
    for day in range(8):
        if day == 6:
            shop.grow(75, "Garden", 180)
        outcomes = [site.outcome(product) for product in shop.products]
        judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
        failed = [check.sentence for check in judgement.checks if not check.passed]
        assert failed == [] and judgement.hold_all is None
        site.publish(outcomes, judgement.stats, judgement.held)
        shop.day()


def test_a_batch_with_few_new_pages_is_still_compared_with_its_own_past():
    shop = Shop(seed=1, size=80)
    site = Site(shop)
    for day in range(4):
        outcomes = [site.outcome(product) for product in shop.products]
        if day == 3:
            outcomes = [
                with_values(one, dict(one.values[0]) | {"brand": None})
                for one in outcomes
            ]
        judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
        site.publish(outcomes, judgement.stats, judgement.held)
        shop.grow(5, "Garden", 180)
    coverage = next(one for one in judgement.checks if one.name is CheckName.COVERAGE)
    assert coverage.is_drift


@pytest.mark.parametrize(("missing", "passes"), [(2, True), (30, False)])
def test_declared_coverage_is_asked_without_history(missing, passes):
    shop = Shop(seed=4, size=40)
    site = Site(shop)
    outcomes = []
    for at, product in enumerate(shop.products):
        outcome = site.outcome(product)
        values = {
            name: value
            for name, value in product.values.items()
            if name != "brand" or at >= missing
        }
        outcomes.append(with_values(outcome, values))
    family = FAMILY.model_copy(update={"drift": DriftPolicy(coverage={"brand": 0.95})})
    judgement = judge_batch(SCHEMA, family, outcomes)
    coverage = next(
        check for check in judgement.checks if check.name is CheckName.COVERAGE
    )
    assert coverage.passed is passes and bool(judgement.hold_all) is not passes
    if not passes:
        assert "10 of 40" in coverage.sentence and "95%" in coverage.sentence


def test_a_general_rise_of_prices_waits_for_one_refresh():
    shop = Shop(seed=9, size=100)
    site = Site(shop)
    for _ in range(8):
        shop.day()
        outcomes = [site.outcome(product) for product in shop.products]
        judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
        site.publish(outcomes, judgement.stats, judgement.held)
    for product in shop.products:
        dearer = Decimal(product.values["price"]) * Decimal("1.08")
        product.values["price"] = str(dearer.quantize(Decimal("0.01")))
    held = []
    for _ in range(2):
        outcomes = [site.outcome(product) for product in shop.products]
        judgement = judge_batch(SCHEMA, FAMILY, outcomes, site.history, batch="000001")
        assert not judgement.drifted
        site.publish(outcomes, judgement.stats, judgement.held)
        held.append(len(judgement.held))
    assert held[0] > 80 and held[1] == 0


@pytest.mark.parametrize("sign", SHOWN)
def test_a_batch_is_red_exactly_if_a_check_says_so(sign: Sign) -> None:
    """Of a batch whose pages are held by no more than a suspicion, too."""
    shown = SHOWN[sign]
    policy = small.family(shown.kind)
    judged = judge_batch(
        SHOWN_SCHEMA, policy, shown.pages(), shown.past(sign), batch="b"
    )
    errors = [check for check in judged.checks if check.is_drift]
    assert judged.drifted is bool(errors), judged.checks
    assert all(check.examples for check in errors)
