from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from crawloop_assets.drift.check import CheckExample, CheckName, CheckResult, Severity
from crawloop_assets.errors import SchemaConflict
from crawloop_assets.page import Verdict
from crawloop_assets.store import (
    BatchReport,
    FoundUrl,
    HeldPage,
    HeldReason,
    ServedBy,
    Store,
    UrlState,
)
from tests.models import Item
from tests.store.conftest import NOON, commit, family, fetched, served
from tests.store.models import Full, Link, Offer, Row

Rows = Callable[..., list[dict[str, Any]]]
A, B = "https://shop.test/a", "https://shop.test/b"


def item(title: str, price: str = "1.50") -> Item:
    return Item(title=title, price=Decimal(price))


def held(url: str, *values: dict[str, Any]) -> HeldPage:
    reasons = [HeldReason(check="votes", field="price", message="readers disagree")]
    return HeldPage(
        url=url, page_sha256="b" * 64, version=1, reasons=reasons, values=list(values)
    )


def test_records_appear_typed_with_their_lineage(store: Store, rows: Rows) -> None:
    counts = store.commit_batch(commit("r1", [served(A, item("Tea"))]))
    assert (counts.records, counts.new, counts.replayed) == (1, 1, False)
    (row,) = rows("select * from item")
    assert (row["title"], row["price"]) == ("Tea", Decimal("1.5"))
    assert row["_url"] == row["_key"] == A
    assert (row["_family"], row["_batch"], row["_run_id"]) == (
        "shop/item",
        "000001",
        "r1",
    )
    assert (row["_crawler_version"], row["_served_by"], row["_state"]) == (
        1,
        "crawler",
        "new",
    )
    assert (
        row["_page_sha256"] == "a" * 64
        and row["_fetched_at"]
        and row["_stale_since"] is None
    )


def test_the_same_run_again_changes_nothing(store: Store, rows: Rows) -> None:
    first = store.commit_batch(
        commit("r1", [served(A, item("Tea"))], stats={"records": 1})
    )
    again = store.commit_batch(commit("r1", [served(A, item("Coffee"))]))
    assert again.replayed and again.new == first.new == 1
    assert rows("select title from item") == [{"title": "Tea"}]
    assert (
        len(rows("select * from materializations"))
        == len(rows("select * from item_history"))
        == 1
    )


def test_history_has_a_row_per_change_and_only_then(store: Store, rows: Rows) -> None:
    store.commit_batch(commit("r1", [served(A, item("Tea")), served(B, item("Milk"))]))
    assert (
        store.commit_batch(
            commit("r2", [served(A, item("Tea", "1.5000")), served(B, item("Milk"))])
        ).same
        == 2
    )
    assert (
        store.commit_batch(
            commit("r3", [served(A, item("Tea", "2")), served(B, item("Milk"))])
        ).changed
        == 1
    )
    assert store.commit_batch(commit("r4", gone=[A])).removed == 1
    assert [
        tuple(row.values())
        for row in rows("select title, price, _state, _run_id from item_history")
    ] == [
        ("Tea", Decimal("1.5"), "new", "r1"),
        ("Milk", Decimal("1.5"), "new", "r1"),
        ("Tea", Decimal(2), "changed", "r3"),
        ("Tea", Decimal(2), "removed", "r4"),
    ]
    assert rows("select title, _state from item") == [
        {"title": "Milk", "_state": "same"}
    ]


@pytest.mark.parametrize(
    "kept",
    [
        {"held": [held(A, {"title": "?"})]},
        {"fetched": [fetched(A, Verdict.BLOCKED, status=403)]},
        {"fetched": [fetched(A, Verdict.TRANSIENT, status=503)]},
        {"served": [served(A, by=ServedBy.LAST_GOOD)]},
    ],
    ids=["held", "blocked", "transient", "last good"],
)
def test_last_good_rows_stay_and_are_marked_stale_until_verified(
    store: Store, rows: Rows, kept: dict[str, Any]
) -> None:
    store.commit_batch(commit("r1", [served(A, item("Tea")), served(B, item("Milk"))]))
    assert store.commit_batch(commit("r2", **kept)).stale == 1
    first = rows("select title, _stale_since from item order by title")
    assert [(row["title"], row["_stale_since"] is not None) for row in first] == [
        ("Milk", False),
        ("Tea", True),
    ]
    store.commit_batch(commit("r3", **kept))
    assert (
        rows("select title, _stale_since from item order by title") == first
    )  # since the first time
    store.commit_batch(commit("r4", unchanged=[A]))
    assert rows(
        "select count(*) as stale from item where _stale_since is not null"
    ) == [{"stale": 0}]
    assert len(rows("select * from item_history")) == 2


def test_a_page_served_again_is_no_longer_stale(store: Store, rows: Rows) -> None:
    store.commit_batch(commit("r1", [served(A, item("Tea"))]))
    store.commit_batch(commit("r2", held=[held(A)]))
    store.commit_batch(
        commit("r3", [served(A, item("Tea"), by=ServedBy.OLDER, version=7)])
    )
    assert rows("select _served_by, _crawler_version, _stale_since from item") == [
        {"_served_by": "older", "_crawler_version": 7, "_stale_since": None}
    ]


def test_a_listing_row_leaves_only_after_three_served_visits_without_it(
    store: Store, rows: Rows
) -> None:
    listing = family(schema="tests.store.models:Row", kind="listing")
    both, one = [Row(title="Tea"), Row(title="Milk")], [Row(title="Tea")]
    store.commit_batch(commit("r1", [served(A, *both)], listing))
    for run in ("r2", "r3"):
        counts = store.commit_batch(commit(run, [served(A, *one)], listing))
        assert (counts.missing, counts.removed) == (1, 0)
    assert store.known(listing) == {
        A: [{"title": "Tea"}]
    }  # what the page is known to show
    store.commit_batch(
        commit("r4", fetched=[fetched(A, Verdict.BLOCKED)], of=listing)
    )  # not a served visit
    assert len(rows("select * from row")) == 2
    assert store.commit_batch(commit("r5", [served(A, *one)], listing)).removed == 1
    assert [
        row["title"]
        for row in rows("select title from row_history where _state = 'removed'")
    ] == ["Milk"]
    assert store.commit_batch(commit("r6", [served(A, *both)], listing)).new == 1


def test_a_listing_row_that_comes_back_starts_over(store: Store, rows: Rows) -> None:
    listing = family(schema="tests.store.models:Row", kind="listing")
    both, one = [Row(title="Tea"), Row(title="Milk")], [Row(title="Tea")]
    for run, shown in enumerate((both, one, one, both, one, one)):
        assert (
            store.commit_batch(commit(f"r{run}", [served(A, *shown)], listing)).removed
            == 0
        )
    assert store.commit_batch(commit("last", [served(A, *one)], listing)).removed == 1


def test_rows_held_among_served_ones_are_not_counted_as_missing(
    store: Store, rows: Rows
) -> None:
    listing = family(schema="tests.store.models:Row", kind="listing")
    store.commit_batch(
        commit("r0", [served(A, Row(title="Tea"), Row(title="Milk"))], listing)
    )
    for run in range(1, 6):
        part = commit(
            f"r{run}",
            [served(A, Row(title="Tea"))],
            listing,
            held=[held(A, {"title": "Milk"})],
        )
        assert store.commit_batch(part).removed == 0
    assert len(rows("select * from row")) == 2


def test_rows_without_a_key_are_told_by_their_lasting_content(
    store: Store, rows: Rows
) -> None:
    listing = family(schema="tests.store.models:Row", kind="listing")
    store.commit_batch(
        commit("r1", [served(A, Row(title="Tea", price=1), Row(title="Milk"))], listing)
    )
    counts = store.commit_batch(
        commit(
            "r2",
            [served(A, Row(title="New"), Row(title="Milk"), Row(title="Tea", price=2))],
            listing,
        )
    )
    assert (counts.new, counts.same, counts.changed) == (1, 1, 1)
    twins = [Row(title="Tea"), Row(title="Tea")]
    assert store.commit_batch(commit("r3", [served(B, *twins)], listing)).records == 2


def test_a_row_with_a_url_of_its_own_is_known_by_it_wherever_it_is_listed(
    store: Store, rows: Rows
) -> None:
    listing = family(schema="tests.store.models:Link", kind="listing")
    store.commit_batch(commit("r1", [served(A, Link(url=B, title="Tea"))], listing))
    counts = store.commit_batch(
        commit("r2", [served(A + "?p=2", Link(url=B, title="Tea"))], listing)
    )
    assert counts.same == 1
    assert rows("select _key, _url from link") == [{"_key": B, "_url": A + "?p=2"}]


def test_duplicate_keys_are_kept_once_and_counted(store: Store, rows: Rows) -> None:
    by_title = family(key=["title"])
    counts = store.commit_batch(
        commit(
            "r1", [served(A, item("Tea", "1")), served(B, item("Tea", "2"))], by_title
        )
    )
    assert (counts.records, counts.duplicates) == (1, 1)
    assert rows("select price, _url from item") == [{"price": Decimal(2), "_url": B}]


def test_families_share_the_table_of_a_schema_but_not_their_rows(
    store: Store, rows: Rows
) -> None:
    other = family("market/item")
    store.commit_batch(commit("r1", [served(A, item("Tea"))]))
    store.commit_batch(commit("r1", [served(A, item("Rum"))], other))
    store.commit_batch(commit("r2", gone=[A], of=other))
    assert rows("select title, _family from item") == [
        {"title": "Tea", "_family": "shop/item"}
    ]


def test_nested_values_survive_as_columns(store: Store, rows: Rows) -> None:
    of = family(schema="tests.store.models:Full")
    full = Full(
        title="Tea",
        price="1",
        tags=["a", ""],
        offers=[Offer(key="k", value="2.5")],
        specs={"": "x", "key": "y"},
        order=3,
    )
    store.commit_batch(commit("r1", [served(A, full)], of))
    (row,) = rows('select tags, offers, specs ->> \'key\' as spec, "order" from "full"')
    assert row == {
        "tags": ["a", ""],
        "offers": [{"key": "k", "value": Decimal("2.5")}],
        "spec": "y",
        "order": 3,
    }


def test_known_returns_typed_json_values_per_url(store: Store) -> None:
    of = family(schema="tests.store.models:Full")
    assert store.known(of) == {}
    store.commit_batch(
        commit(
            "r1",
            [
                served(A, Full(title="Tea", price="12.50", published="2026-01-02")),
                served(B),
            ],
            of,
        )
    )
    assert store.known(of, [A, B]) == {
        A: [{"title": "Tea", "price": "12.5", "published": "2026-01-02"}]
    }
    assert store.known(of, [B]) == {} and A in store.known(of)


def test_a_refused_value_names_its_field_and_leaves_nothing_behind(
    store: Store, rows: Rows
) -> None:
    of = family(schema="tests.store.models:Full")
    store.commit_batch(commit("r1", [served(A, Full(title="Tea", price="1"))], of))
    bad = Full(title="Tea", price="2", order=2**63)
    with pytest.raises(SchemaConflict, match=r"Full\.order: .*64 bits"):
        store.commit_batch(
            commit("r2", [served(A, bad)], of, fetched=[fetched(A)], held=[held(B)])
        )
    assert rows('select price, _run_id from "full"') == [
        {"price": Decimal(1), "_run_id": "r1"}
    ]
    assert store.quarantine() == [] and len(rows("select * from materializations")) == 1


def test_fetches_update_the_frontier_and_keep_the_last_page_with_content(
    store: Store, rows: Rows
) -> None:
    store.add_urls(family(), [FoundUrl(A), FoundUrl(B)])
    page = {
        "page_sha256": "c" * 64,
        "etag": '"1"',
        "headers": {"Content-Type": "text/html", "Set-Cookie": "id=1"},
    }
    store.commit_batch(commit("r1", fetched=[fetched(A, status=200, **page)]))
    store.commit_batch(
        commit(
            "r2",
            fetched=[
                fetched(
                    A, Verdict.CHALLENGE, status=403, errors=1, page_sha256="d" * 64
                )
            ],
        )
    )
    first, second = store.urls("shop/item", "000001")
    assert (first.verdict, first.status, first.errors) == (Verdict.CHALLENGE, 403, 1)
    assert (first.page_sha256, first.etag, first.headers) == (
        "c" * 64,
        '"1"',
        {"content-type": "text/html"},
    )
    assert (second.verdict, second.page_sha256) == (None, None)
    again = replace(fetched(A, **page), fetched_at=NOON + timedelta(hours=1))
    store.commit_batch(commit("r3", fetched=[again], gone=[B]))
    assert [
        (row["sha256"][0], row["fetches"])
        for row in rows("select * from pages order by sha256")
    ] == [
        ("c", 2),
        ("d", 1),
    ]
    assert store.frontier("shop/item")[1].state is UrlState.GONE


def test_reports_and_statistics_are_kept_per_commit(store: Store, rows: Rows) -> None:
    example = CheckExample(
        url=A, field="price", expected="1.50", got="nothing", page_sha256="a" * 64
    )
    bad = CheckResult(
        name=CheckName.COVERAGE,
        passed=False,
        observed=0.5,
        threshold=0.9,
        sentence="half",
        examples=(example,),
    )
    warn = CheckResult(
        name=CheckName.TEMPLATE, passed=False, severity=Severity.WARN, sentence="new"
    )
    store.commit_batch(commit("r1", report=BatchReport(checks=(warn,)), stats={"n": 1}))
    store.commit_batch(
        commit(
            "r2",
            report=BatchReport(checks=(bad, warn)),
            stats={"n": 2, "mean": float("nan")},
        )
    )
    store.commit_batch(commit("r3", batch="000002", stats={"n": 3}))
    assert store.stats_history("shop/item") == [
        {"n": 1},
        {"n": 2, "mean": None},
        {"n": 3},
    ]
    assert store.stats_history("shop/item", limit=2, passed_only=True) == [
        {"n": 1},
        {"n": 3},
    ]
    assert store.report("shop/item", "000001") == [bad, warn]
    assert rows("select count(*) as n from drift_reports where not passed") == [
        {"n": 3}
    ]
