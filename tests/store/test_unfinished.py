"""What was left undone is known from what was committed."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from crawloop_assets.family import Family
from crawloop_assets.page import Verdict
from crawloop_assets.store import BatchCommit, FetchedPage, FoundUrl, Store

FAMILY = Family.model_validate(
    {
        "family": "shop/item",
        "schema": "tests.models:Item",
        "discover": {},
        "batch_size": 2,
    }
)


def test_batches_made_in_part_are_left_with_the_hosts_they_wait_for(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    hosts = ("a.test", "b.test:81", "a.test", "a.test", "c.test", "c.test")
    store.add_urls(
        FAMILY, [FoundUrl(f"http://{host}/{n}") for n, host in enumerate(hosts)]
    )
    now = datetime.now(UTC)
    unfinished = store.past.unfinished
    assert unfinished.left(now) == {} == unfinished.made(FAMILY.family)
    rows = [
        FetchedPage(
            url=f"http://{hosts[n]}/{n}", verdict=verdict, fetched_at=now, next_due=due
        )
        for n, verdict, due in (
            (0, Verdict.OK, now),
            (2, Verdict.TRANSIENT, now + timedelta(minutes=5)),
            (3, Verdict.NOT_ALLOWED, now),
        )
    ]
    for batch, fetched in (("000001", rows[:1]), ("000002", rows[1:])):
        store.commit_batch(
            BatchCommit(family=FAMILY, batch=batch, run_id="one", fetched=fetched)
        )
    assert unfinished.left(now) == {FAMILY.family: {"000001": {"b.test:81"}}}
    (left,) = unfinished.left(now + timedelta(minutes=6)).values()
    assert left == {"000001": {"b.test:81"}, "000002": {"a.test"}}
    assert unfinished.due([], now) == {}
    (due,) = unfinished.due([FAMILY.family], now).values()
    assert sorted(due.batches) == list(store.due(FAMILY.family, now))
    assert due.newest and due.newest <= now, "three were not asked for yet"
    assert list(unfinished.made(FAMILY.family)) == ["000001", "000002"]
    every = BatchCommit(
        family=FAMILY,
        batch="000003",
        run_id="two",
        fetched=[
            FetchedPage(
                url=f"http://{hosts[n]}/{n}",
                verdict=Verdict.OK,
                fetched_at=now,
                next_due=now,
            )
            for n in (1, 4, 5)
        ],
    )
    store.commit_batch(every)
    (due,) = unfinished.due([FAMILY.family], now).values()
    assert due.newest is None and due.batches
