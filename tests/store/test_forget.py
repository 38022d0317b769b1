"""A record is in no table and in no file of the store any more; nothing else is lost."""

import json
from decimal import Decimal
from pathlib import Path

from crawloop_assets.drift.check import CheckExample, CheckName, CheckResult
from crawloop_assets.store import (
    AuditKind,
    BatchReport,
    FoundUrl,
    HeldPage,
    HeldReason,
    Store,
)
from crawloop_assets.store.forget import without
from crawloop_assets.store.rows import tables_of
from tests.models import Item
from tests.store.conftest import commit, family, fetched, served

A, B = "https://shop.test/people/ada-lovelace", "https://shop.test/people/b"
SAID = {"said": {A: ["Ada Lovelace"], B: ["Bea"]}}


def filled(store: Store) -> None:
    """Two records with their pages; the first one changed, was held, and is named by a check."""
    store.add_urls(family(), [FoundUrl(url=A), FoundUrl(url=B, found_on=A)])
    example = CheckExample(url=A, field="title", expected="Ada Lovelace", got="x")
    other = CheckExample(url=B, field="title", expected="Bea", got="y")
    check = CheckResult(
        name=CheckName.VOTES,
        passed=False,
        sentence=f"{A} differs",
        examples=(example, other),
    )
    for run, price in (("r1", 1), ("r2", 2)):
        pages = [
            served(url, Item(title=title, price=Decimal(price)))
            for url, title in ((A, "Ada Lovelace"), (B, "Bea"))
        ]
        got = [fetched(A, page_sha256="a" * 64), fetched(B, page_sha256="b" * 64)]
        report = BatchReport(checks=(check,))
        store.commit_batch(
            commit(
                run,
                pages,
                fetched=got,
                report=report,
                stats=SAID,
            )
        )
    reasons = [HeldReason(check="votes")]
    held = HeldPage(
        url=A,
        page_sha256="c" * 64,
        version=1,
        reasons=reasons,
        values=[{"title": "Ada Lovelace"}],
    )
    store.commit_batch(commit("r3", held=[held]))
    store.audit(AuditKind.QUARANTINE_RELEASED, "shop/item", None, {"urls": [A, B]})


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*.duckdb*"))


def all_of(store: Store) -> bytes:
    """What is in the files of a store, and in its tables."""
    said = []
    with store._database.read() as connection:
        for table in tables_of(connection):
            rows = connection.execute(f'select * from "{table}"')
            said.append(repr(rows.fetchall()).encode())
    return bytes_of(store.var) + b"".join(said)


def test_nothing_of_a_record_is_left_in_any_table_or_file(
    store: Store, tmp_path: Path
) -> None:
    filled(store)
    assert b"lovelace" in all_of(store)
    found = store.forgetting.found(A)
    assert (found.families, found.keys, found.urls) == ({"shop/item"}, {A}, {A})
    assert found.documents >= {"a" * 64, "c" * 64} and "b" * 64 not in found.documents
    done = store.forgetting.forget(A, "ada", "asked by letter")
    assert done.places["item"] == 1 and done.places["item_history"] == 2
    assert {
        "pages",
        "quarantine",
        "frontier",
        "drift_reports",
        "materializations",
        "audit",
    } <= set(done.places)
    left = all_of(store)
    assert b"lovelace" not in left and b"Lovelace" not in left

    assert store.explain(family(), A) == [] and store.quarantine() == []
    (kept,) = store.explain(family(), B)
    assert kept.values["title"] == "Bea" and len(kept.changes) == 2
    assert [one.url for one in kept.checks[0].examples] == [B]
    assert store.stats_history("shop/item")[-2] == {"said": {B: ["Bea"]}}
    (event,) = store.audits(kind=AuditKind.FORGOTTEN)
    assert event.detail["who"] == "ada" and A not in json.dumps(event.detail)
    assert [one.url for one in store.frontier("shop/item")] == [B]
    store.publish()
    assert b"ovelace" not in (tmp_path / "crawloop.duckdb").read_bytes()


def test_a_page_that_shows_other_records_too_loses_its_document_and_not_them(
    store: Store,
) -> None:
    listing = family(kind="listing", key=["title"])
    rows = [Item(title=title, price=Decimal(1)) for title in ("Ada", "Bea")]
    store.add_urls(listing, [FoundUrl(url=B)])
    store.commit_batch(
        commit(
            "r1",
            [served(B, *rows)],
            listing,
            fetched=[fetched(B, page_sha256="a" * 64)],
        )
    )
    done = store.forgetting.forget("Ada", "ada", "")
    assert done.urls == {B} and not done.alone and done.documents == {"a" * 64}
    assert [row["title"] for row in store.known(listing)[B]] == ["Bea"]
    assert [one.url for one in store.frontier("shop/item")] == [B]


def test_what_names_a_word_is_taken_out_of_json_and_nothing_else() -> None:
    words = frozenset(("A",))
    said = {
        "urls": ["A", "B"],
        "pages": [{"url": "A", "x": 1}, {"url": "B"}],
        "A": 1,
        "n": 2,
    }
    assert without(said, words) == {"urls": ["B"], "pages": [{"url": "B"}], "n": 2}
