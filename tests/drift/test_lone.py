"""A family of one page: no statistics help, but a known record that changes or vanishes as the layout does is held."""

import pytest

from crawloop_assets.drift.batch import judge_batch
from tests.drift.shop import FAMILY, SCHEMA, Shop, Site, relaid


@pytest.fixture
def site() -> Site:
    """One product, crawled once."""
    site = Site(Shop(seed=4, size=1))
    outcomes = [site.outcome(site.shop.products[0])]
    site.publish(
        outcomes, judge_batch(SCHEMA, FAMILY, outcomes, (), batch="000001").stats
    )
    return site


@pytest.mark.parametrize("lost", [True, False])
@pytest.mark.parametrize("version", [1, 2])
def test_a_record_that_changes_with_the_layout_is_drift_unless_a_new_version_reads_it(
    site, lost, version
):
    product = site.shop.products[0]
    before = dict(product.values)
    if lost:
        del product.values["brand"]
    else:
        product.values["title"] = "Something else altogether"
    outcome = site.outcome(product)
    product.values.clear()
    product.values.update(before)
    assert outcome.facts is not None
    broken = outcome.model_copy(
        update={"facts": relaid(outcome.facts), "version": version}
    )
    judgement = judge_batch(SCHEMA, FAMILY, [broken], site.history, batch="000001")
    assert judgement.drifted == judgement.stats.drifted == (version == 1)
    # What is lost waits all the same: nobody has said that it is gone.
    assert (broken.url in judgement.held) == (version == 1 or lost)


def test_a_new_layout_alone_is_no_drift(site):
    outcome = site.outcome(site.shop.products[0])
    assert outcome.facts is not None
    moved = outcome.model_copy(update={"facts": relaid(outcome.facts)})
    judgement = judge_batch(SCHEMA, FAMILY, [moved], site.history, batch="000001")
    assert not judgement.drifted and not judgement.held
