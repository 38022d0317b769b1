"""What one batch tells of its run."""

import pytest

from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.batch_evidence import batch_evidence
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift.small import PRICE, SKU, family, outcome, schema


@pytest.mark.parametrize(
    ("sign", "bad", "seen", "shown"),
    [
        (Sign.CHANGED, 1, 10, True),
        (Sign.CHANGED, 9, 10, True),
        (Sign.SCARCE, 1, 10, False),
        (Sign.SILENT, 1, 10, False),
        (Sign.DISAGREE, 1, 10, True),
        (Sign.DISAGREE, 9, 10, False),
    ],
)
def test_pages_are_noted_of_what_may_be_drift(
    sign: Sign, bad: int, seen: int, shown: bool
) -> None:
    tallies, pages = Tallies(), [outcome(url=f"u{n}") for n in range(seen)]
    for page in range(seen):
        tallies.add(sign, "title", page, has_sign=page < bad)
    found = batch_evidence(tallies, pages, batch="b", version=1)
    assert found.rates == {f"{sign}:title": (bad, seen)}
    wanted = {f"{sign}:title": tuple(f"u{n}" for n in range(bad))} if shown else {}
    assert (found.shown, found.pages, found.version) == (wanted, seen, 1)


def test_a_judged_batch_tells_what_its_run_needs() -> None:
    judgement = judge_batch(schema(), family(), [outcome(url="a")], batch="000007")
    assert judgement.evidence.batch == "000007" and judgement.evidence.pages == 1


def test_one_row_of_a_list_in_a_run_holds_no_whole_page() -> None:
    known = [{"sku": f"{at}", "price": f"{10 + at}.00"} for at in range(9)]
    now = [*known[1:], known[0] | {"price": "14.50"}]
    page = outcome(*now, previous=known)
    past = [
        BatchStats(
            batch=f"{n}",
            rates={"repriced:price": (9, 90), "stride:price": (0, 90)},
            strides={"price": 0.03},
        )
        for n in range(9)
    ]
    fields = schema(SKU, PRICE)
    judgement = judge_batch(fields, family("listing"), [page], past, batch="1")
    assert judgement.evidence.rates["stride:price"] == (1, 9)
    assert judgement.evidence.shown["stride:price"] == ()
