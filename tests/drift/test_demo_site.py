"""The checks on real pages of the demo shop: quiet day after day, and nothing untrue gets through when it breaks."""

import pytest

from crawloop_assets.demo.site.changes import Break, Only
from crawloop_assets.demo.site.shop import Shop
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.page import Verdict
from tests.drift.demo import BASE, FAMILY, SCHEMA, Demo


@pytest.fixture(scope="module")
def demo() -> Demo:
    """Five healthy days with new prices every night, and another night."""
    demo = Demo()
    for _ in range(5):
        outcomes, judgement = demo.refresh()
        assert all(check.passed for check in judgement.checks), [
            c.sentence for c in judgement.checks if not c.passed
        ]
        assert not judgement.held and not demo.wrong_rows(outcomes, judgement)
        demo.keep(outcomes, judgement)
        assert demo.shop.change_prices(0.2)
    return demo


def test_a_first_refresh_holds_none_of_three_hundred_healthy_pages():
    """Without history a batch of fifty says what is usual, and a rare page is not
    unusual for it."""
    demo = Demo(size=300, step=1, shop=Shop(base_url=BASE))
    outcomes = [demo.read(url) for url in demo.urls]
    for start in range(0, len(outcomes), 50):
        batch = outcomes[start : start + 50]
        judgement = judge_batch(SCHEMA, FAMILY, batch, batch=str(start))
        assert judgement.held == {} and not judgement.drifted


@pytest.mark.parametrize(
    ("kind", "share"),
    [
        *(
            (kind, 1.0)
            for kind in (Break.NET_PRICE, Break.SWAPPED_PRICES, Break.ONE_PRICE)
        ),
        *(
            (kind, share)
            for kind in (Break.NEIGHBOUR, Break.CENTS, Break.CUT_TITLES)
            for share in (1.0, 0.3)
        ),
    ],
)
def test_values_that_are_wrong_but_look_right_stay_unpublished(demo, kind, share):
    demo.shop.break_(kind, Only(share=share))
    try:
        outcomes, judgement = demo.refresh()
        assert any(not check.passed for check in judgement.checks)
        assert demo.wrong_rows(outcomes, judgement) == []
        few = (
            share < 1 or kind is Break.SWAPPED_PRICES
        )  # few of these products are on sale
        assert judgement.drifted or few
    finally:
        demo.shop.mend()


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        (Break.SOFT_404, Verdict.SOFT_404),
        (Break.LOGIN, Verdict.LOGIN),
        (Break.CONSENT, Verdict.CONSENT),
        (Break.CHALLENGE, Verdict.CHALLENGE),
        (Break.SHELL, Verdict.NEEDS_RENDER),
        (Break.MAINTENANCE, Verdict.MAINTENANCE),
        (Break.ERROR, Verdict.TRANSIENT),
        (Break.THROTTLED, Verdict.BLOCKED),
    ],
)
def test_troubles_are_page_kinds_and_no_drift(demo, kind, verdict):
    demo.shop.break_(kind)
    try:
        outcomes, judgement = demo.refresh()
    finally:
        demo.shop.mend()
    assert {outcome.verdict for outcome in outcomes} == {verdict}
    failed = [check for check in judgement.checks if not check.passed]
    assert [check.name for check in failed] == [CheckName.PAGES] and failed[
        0
    ].severity is Severity.WARN
    assert not judgement.drifted


@pytest.mark.parametrize("layout", ["B", "C"])
@pytest.mark.parametrize("share", [1.0, 0.3])
def test_a_redesign_is_drift_and_publishes_nothing_untrue(demo, layout, share):
    demo.shop.redesign(layout, Only(share=share))
    try:
        outcomes, judgement = demo.refresh()
    finally:
        demo.shop.redesign("A")
    assert judgement.drifted
    assert demo.wrong_rows(outcomes, judgement) == []
