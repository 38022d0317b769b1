"""What all batches of a run say together of each of them."""

from collections.abc import Mapping, Sequence

import pytest

from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.batch_evidence import BatchEvidence
from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.run import RunVerdict, SummedTally, judge_run
from crawloop_assets.drift.sign import Sign
from tests.drift.small import LIST_PRICE, PRICE, family, outcome, schema

CHANGED = "changed:title"
HEALTHY = [
    BatchStats(batch=f"{n}", version=1, pages=100, rates={CHANGED: (0, 100)})
    for n in range(20)
]


def batch(
    name: str,
    bad: int,
    seen: int,
    sign: str = CHANGED,
    version: int | None = 1,
    **shown: int,
) -> BatchEvidence:
    """A batch of `seen` pages of which the first `bad` show a sign."""
    urls: dict[str, tuple[str, ...]] = {}
    for key, pages in {
        sign: bad,
        **{f"failing:{k}": v for k, v in shown.items()},
    }.items():
        if pages:
            urls[key] = tuple(f"{name}/{page}" for page in range(pages))
    return BatchEvidence(
        batch=name,
        run_id="r",
        version=version,
        pages=seen,
        rates={sign: (bad, seen)},
        shown=urls,
    )


def judged(
    *batches: BatchEvidence, history: Sequence[BatchStats] = HEALTHY
) -> Mapping[str, RunVerdict]:
    return {one.batch: one for one in judge_run(lambda: batches, history)}


def test_a_small_twin_shares_the_verdict_of_the_large_one() -> None:
    found = judged(batch("large", 18, 60), batch("small", 6, 20), batch("clean", 0, 60))
    assert set(found) == {"large", "small"}
    small = found["small"]
    assert small.drifted and small.hold_all is not None
    assert small.held == {f"small/{page}" for page in range(6)}
    (check,) = small.checks
    assert (check.name, check.severity) == (CheckName.HISTORY, Severity.ERROR)
    assert "in all batches of the run" in check.sentence
    assert "24 of 140" in check.sentence and len(check.examples) == 5


def test_small_batches_none_of_which_could_tell() -> None:
    found = judged(*(batch(f"{n}", 2, 10) for n in range(10)))
    assert len(found) == 10 and all(one.drifted for one in found.values())


def test_a_batch_that_shows_what_always_happens_keeps_its_other_pages() -> None:
    history = [
        BatchStats(batch=f"{n}", version=1, pages=100, rates={CHANGED: (1, 100)})
        for n in range(40)
    ]
    batches = [batch(f"bad{n}", 90, 100) for n in range(4)]
    found = judged(*batches, batch("usual", 1, 100), history=history)
    usual = found["usual"]
    assert not usual.drifted and usual.hold_all is None
    assert usual.held == {"usual/0"}
    assert [check.severity for check in usual.checks] == [Severity.WARN]
    assert found["bad0"].hold_all


def test_a_healthy_run_and_a_run_of_one_batch_say_nothing() -> None:
    assert judged(*(batch(f"{n}", 0, 100) for n in range(9))) == {}
    assert judged(batch("alone", 18, 60)) == {}
    assert judged() == {}


def test_what_depends_on_the_assortment_is_no_drift_of_a_run() -> None:
    assert judged(*(batch(f"{n}", 30, 60, "missing:brand") for n in range(9))) == {}


def test_signs_of_a_version_are_summed_for_that_version() -> None:
    history = [
        BatchStats(batch="h", version=1, pages=400, rates={"disagree:price": (0, 400)})
    ]
    batches = [batch(f"one{n}", 6, 20, "disagree:price") for n in range(4)]
    other = [batch(f"two{n}", 6, 20, "disagree:price", version=2) for n in range(4)]
    found = judged(*batches, *other, history=history)
    assert set(found) == {f"one{n}" for n in range(4)}


def test_pages_that_fail_by_themselves_are_drift_by_their_share_of_the_run() -> None:
    batches = [batch(f"{n}", 0, 5, schema=1) for n in range(3)]
    clean = [batch(f"clean{n}", 0, 5) for n in range(3)]
    found = judged(*batches, *clean)
    assert set(found) == {"0", "1", "2"} and found["0"].drifted
    assert (found["0"].held, found["0"].hold_all) == (frozenset(), None)
    assert "3 of 30 pages fail by themselves" in found["0"].checks[0].sentence
    many = [batch(f"m{n}", 0, 100) for n in range(3)]
    assert judged(*batches, *many) == {}, "3 of 315"


def test_a_sign_that_is_no_longer_counted_is_left_out() -> None:
    assert judged(*(batch(f"{n}", 9, 10, "of-old:title") for n in range(3))) == {}


def test_a_sum_keeps_counts_and_no_hits() -> None:
    tally = SummedTally(Sign.CHANGED, "title")
    assert (tally.bad, tally.typical) == (0, 0.0)
    tally.count(5, 10, 5)
    tally.count(1, 100, 1)
    assert (tally.bad, tally.seen, len(tally.pages), tally.hits) == (6, 110, 6, [])
    assert tally.typical == pytest.approx((2.5 + 0.01) / 6)


def repriced(name: str, bad: int) -> BatchEvidence:
    return batch(name, bad, 50, "repriced:price")


def test_prices_that_no_batch_alone_could_tell_wait_in_their_run() -> None:
    """A third of a family is told something beside the truth: no drift, and no news."""
    rates = {"repriced:price": (10, 50)}
    history = [BatchStats(batch=f"{n}", version=1, rates=rates) for n in range(20)]
    found = judged(*(repriced(f"{n}", 22) for n in range(4)), history=history)
    assert [len(one.held) for one in found.values()] == [22] * 4
    assert not any(one.drifted or one.hold_all for one in found.values())
    assert {check.severity for one in found.values() for check in one.checks} == {
        Severity.WARN
    }
    assert judged(*(repriced(f"{n}", 12) for n in range(4)), history=history) == {}


def of_prices(
    name: str,
    *prices: tuple[str, str],
    sale: str | None = None,
    history: Sequence[BatchStats] = (),
) -> BatchEvidence:
    """A batch of pages whose price is another one, and with a past of forty that are as
    they were; on the first of them a sale is over of which that was the former price."""
    prices += tuple((f"{at}.30", f"{at}.30") for at in range(60, 100) if history)
    then = [{"price": price} for price, _ in prices]
    then[0] |= {"list_price": sale} if sale else {}
    pages = [
        outcome({"price": now}, previous=[known], url=f"{name}/{known['price']}")
        for known, (_, now) in zip(then, prices, strict=True)
    ]
    fields = schema(PRICE, LIST_PRICE)
    judgement = judge_batch(fields, family(), pages, history, batch=name)
    assert not judgement.held
    return judgement.evidence


@pytest.mark.parametrize(("others", "waiting"), [(1, 2), (12, 1)])
def test_prices_of_one_ratio_wait_where_each_batch_has_one(
    others: int, waiting: int
) -> None:
    """Of two numbers that changed the other one as well, of thirteen not."""
    known = (10_051, 20_352, 3_117, 54_467, 8_819, 60_013)
    batches = [
        of_prices(
            f"{one}",
            (f"{one / 100}", f"{round(one * 1.15) / 100}"),
            *(
                (
                    f"{one * (2 + n) / 100}",
                    f"{round(one * (2 + n) * (1.005 + at / 100 + n / 600)) / 100}",
                )
                for n in range(others)
            ),
        )
        for at, one in enumerate(known)
    ]
    history = [BatchStats(batch="1", version=1, rates={"exactly:price": (1, 5_000)})]
    found = judged(*batches, history=history)
    held = {url for one in found.values() for url in one.held}
    assert {f"{one}/{one / 100}" for one in known} <= held
    assert len(held) == waiting * len(known)
    assert not any(one.drifted or one.hold_all for one in found.values())
    assert judged(*batches[:2], history=history) == {}


def test_two_batches_exchange_a_price() -> None:
    history = [BatchStats(batch="1", version=1, rates={"exchanged:price": (0, 500)})]
    one = of_prices("a", ("10.40", "25.90"), ("11.50", "11.90"))
    other = of_prices("b", ("25.90", "10.40"), ("33.30", "34.10"))
    found = judged(one, other, history=history)
    held = {url for of_batch in found.values() for url in of_batch.held}
    assert held == {"a/10.40", "b/25.90"}
    assert not any(of_batch.drifted for of_batch in found.values())
    third = of_prices("c", ("25.90", "26.40"), ("10.40", "10.90"))
    assert judged(one, third, history=history) == {}


QUIET = [
    BatchStats(
        batch=f"{n}",
        version=1,
        rates={"repriced:price": (10, 50), "lent:price": (0, 10)}
        | dict.fromkeys(("stride:price", "borrowed:price", "exactly:price"), (0, 50)),
        strides={"price": 0.05},
    )
    for n in range(20)
]
"""No price moved by more than an eighth."""


@pytest.mark.parametrize(
    ("moved", "sale", "held"),
    [
        (("21.20", "10.40"), None, {"a/10.40", "b/21.20"}),
        (("9.20", "10.40"), "10.40", {"a/10.40", "b/9.20"}),
        (("21.20", "21.90"), None, set()),
    ],
    ids=["taken", "taken in a sale", "of nobody"],
)
def test_a_price_that_another_batch_has_taken_of_one_that_went_far(
    moved: tuple[str, str], sale: str | None, held: set[str]
) -> None:
    one = of_prices("a", ("10.40", "18.10"), ("11.50", "11.90"), history=QUIET)
    other = of_prices("b", moved, ("33.30", "34.10"), sale=sale, history=QUIET)
    found = judged(one, other, history=QUIET)
    waiting = {url for of_batch in found.values() for url in of_batch.held}
    assert waiting == held
    assert not any(of_batch.drifted for of_batch in found.values())


@pytest.mark.parametrize(("now", "held"), [("16.00", 4), ("17.40", 8)])
def test_a_price_that_is_more_than_a_sale_waits_where_several_went_far(
    now: str, held: int
) -> None:
    """A sale is over, and the price is near the former one."""
    moved = [(f"12.{n}0", now) for n in range(4)]
    batches = [
        of_prices(f"{n}", one, (f"2{n}.10", f"4{n}.90"), sale="16.00", history=QUIET)
        for n, one in enumerate(moved)
    ]
    assert (
        sum(len(one.held) for one in judged(*batches, history=QUIET).values()) == held
    )


def test_all_prices_that_changed_wait_where_several_went_far() -> None:
    """In a run of which each batch has one of them; not where one of many did."""
    rates = {"stride:price": (0, 50), "repriced:price": (10, 50)}
    history = [BatchStats(batch=f"{n}", version=1, rates=rates) for n in range(20)]
    moved = [of_prices(f"{n}", *MOVED) for n in range(4)]
    far = [
        one.model_copy(
            update={
                "pages": 50,
                "rates": {"stride:price": (1, 50), "repriced:price": (len(MOVED), 50)},
                "shown": {"stride:price": (one.moved["price"][0].url,)},
            }
        )
        for one in moved
    ]
    found = judged(*far, history=history)
    assert [len(one.held) for one in found.values()] == [len(MOVED)] * 4
    many = [
        one.model_copy(update={"rates": one.rates | {"repriced:price": (20, 50)}})
        for one in far
    ]
    assert [len(one.held) for one in judged(*many, history=history).values()] == [1] * 4


MOVED = (("10.40", "12.10"), ("23.10", "24.70"), ("31.20", "30.10"))


@pytest.mark.parametrize("far", ["stride:price", "rounded:price"])
@pytest.mark.parametrize(("bad", "held"), [(0, 0), (1, 4)])
def test_prices_that_went_far_or_are_whole_wait_where_each_batch_has_one(
    far: str, bad: int, held: int
) -> None:
    history = [BatchStats(batch=f"{n}", rates={far: (0, 50)}) for n in range(20)]
    found = judged(*(batch(f"{n}", bad, 50, far) for n in range(4)), history=history)
    assert sum(len(one.held) for one in found.values()) == held
    assert not any(one.drifted or one.hold_all for one in found.values())
