"""Values that a page writes in another notation than the version was made for."""

from typing import Any

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.check import Severity
from crawloop_assets.drift.notation_signs import count_notation_signs
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift import small

SCHEMA = small.schema(small.SKU, small.TITLE, small.PRICE)
USUAL = FieldVote(agreement=1.0, live_readers=1, readers=1)
OTHER = USUAL.model_copy(update={"otherwise": ("EUR", "USD")})
REFUSED = FieldVote(
    agreement=0.0, live_readers=0, readers=1, otherwise=(",", "12.50 €")
)


def page(
    number: int, vote: FieldVote, price: str | None = "12.50", **given: Any
) -> PageOutcome:
    record = {"sku": f"K-{number}", "price": price}
    values = {name: value for name, value in record.items() if value is not None}
    votes, url = {"price": vote, "title": vote}, f"https://shop.example/p/{number}"
    return small.outcome(values, url=url, votes=votes, **given)


def counted(
    *pages: PageOutcome, version: int = 1
) -> dict[tuple[Sign, str], tuple[int, int]]:
    tallies = Tallies()
    pairs = record_pairs(SCHEMA, small.family(), pages)
    count_notation_signs(SCHEMA, pages, pairs, version, tallies)
    return small.counted(tallies)


def test_a_value_in_another_notation_is_a_sign_of_its_field() -> None:
    assert counted(page(1, USUAL), page(2, OTHER)) == {(Sign.NOTATION, "price"): (1, 2)}
    assert counted(page(1, OTHER), version=2) == {}


def test_a_value_that_is_refused_is_one_where_it_is_known() -> None:
    known = {"sku": "K-1", "price": "12.50"}
    assert counted(page(1, REFUSED, None)) == {}
    read = page(1, REFUSED, None, previous=[known])
    assert counted(read) == {(Sign.NOTATION, "price"): (1, 1)}


def test_one_page_in_another_notation_is_held_without_any_history() -> None:
    pages = [page(number, USUAL) for number in range(39)]
    judged = judge_batch(SCHEMA, small.family(), [*pages, page(39, OTHER)])
    (url,) = judged.held
    assert url.endswith("/39") and not judged.drifted
    assert {finding.severity for finding in judged.held[url]} == {Severity.WARN}
    assert "another currency" in judged.held[url][0].message


def test_a_family_in_another_notation_has_drifted() -> None:
    judged = judge_batch(
        SCHEMA, small.family(), [page(number, OTHER) for number in range(40)]
    )
    assert judged.drifted and len(judged.held) == 40
