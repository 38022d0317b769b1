from decimal import Decimal

from crawloop_assets.drift.check import CheckName, CheckResult
from crawloop_assets.store import (
    BatchReport,
    HeldPage,
    HeldReason,
    NewCrawler,
    ServedBy,
    Store,
)
from tests.models import Item
from tests.store.conftest import commit, family, fetched, served

A = "https://shop.test/a"


def test_a_record_is_explained_by_page_crawler_checks_changes_and_what_is_held(
    store: Store,
) -> None:
    store.add_crawler(NewCrawler(family="shop/item", body='{"program": 1}'))
    check = CheckResult(
        name=CheckName.VOTES,
        passed=True,
        observed=1.0,
        threshold=0.6,
        sentence="all agree",
    )
    page = fetched(
        A,
        page_sha256="a" * 64,
        status=200,
        size=10,
        headers={"content-type": "text/html"},
    )
    for run, price in (("r1", "1.5"), ("r2", "1.5"), ("r3", "2")):
        item = Item(title="Tea", price=Decimal(price))
        store.commit_batch(
            commit(
                run,
                [served(A, item)],
                fetched=[page],
                report=BatchReport(checks=(check,)),
            )
        )
    reasons = [HeldReason(check="votes", field="price", message="readers disagree")]
    store.commit_batch(
        commit(
            "r4",
            held=[HeldPage(url=A, page_sha256="b" * 64, version=1, reasons=reasons)],
        )
    )

    (found,) = store.explain(family(), A)
    assert (found.key, found.url, found.run_id, found.served_by) == (
        A,
        A,
        "r3",
        ServedBy.CRAWLER,
    )
    assert found.values == {"title": "Tea", "price": "2"}
    assert found.stale_since is not None and found.changed_at < found.stale_since
    assert (
        found.page is not None
        and found.page.sha256 == "a" * 64
        and found.page.headers["content-type"] == "text/html"
    )
    assert found.crawler is not None and found.crawler.body == '{"program": 1}'
    assert found.checks == (check,)
    assert [
        (change.state, change.run_id, change.values["price"])
        for change in found.changes
    ] == [
        ("new", "r1", "1.5"),
        ("changed", "r3", "2"),
    ]
    assert [entry.reasons for entry in found.held] == [tuple(reasons)]


def test_what_is_not_published_has_no_explanation(store: Store) -> None:
    assert store.explain(family(), A) == []
    store.commit_batch(
        commit(
            "r1",
            [
                served(
                    A,
                    Item(title="Tea", price=Decimal(1)),
                    by=ServedBy.MODEL,
                    version=None,
                )
            ],
        )
    )
    assert (
        store.explain(family(), A + "x") == []
        and store.explain(family("other/item"), A) == []
    )
    (found,) = store.explain(family(), A)
    assert (found.crawler, found.page, found.served_by) == (None, None, ServedBy.MODEL)
