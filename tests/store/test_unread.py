"""Pages that a model serves are known as such until anybody else reads them."""

from crawloop_assets.store import FoundUrl, ServedBy, Store
from tests.models import Item
from tests.store.conftest import commit, family, fetched, served
from tests.store.models import Row

URL = "http://x.test/1"
ROW = Item(url=URL, title="Tea", price="1")  # type: ignore[arg-type]


def note(store: Store, run: str, by: ServedBy, **more) -> None:
    store.commit_batch(
        commit(
            run,
            [served(URL, ROW, by=by, version=None)],
            fetched=[fetched(URL, page_sha256="a" * 64, content_hash=f"text of {run}")],
            **more,
        )
    )


def test_a_page_is_unread_from_its_first_answer_to_its_first_reading(
    store: Store,
) -> None:
    of = family()
    store.add_urls(of, [FoundUrl(URL)])
    note(store, "one", ServedBy.MODEL, active=1)
    (first,) = store.past.unread.of(of.family).values()
    note(store, "two", ServedBy.MODEL, active=1)
    (second,) = store.past.unread.of(of.family, "000001").values()
    assert (second.since, second.content_hash) == (first.since, "text of two")
    assert (second.version, second.page_sha256) == (1, "a" * 64)
    store.commit_batch(commit("three", unchanged=[URL], active=2))
    (third,) = store.past.unread.of(of.family).values()
    assert third == second._replace(version=2)
    assert store.past.unread.of(of.family, "000002") == {}
    assert store.past.unread.families() == {of.family}
    note(store, "four", ServedBy.CRAWLER)
    assert store.past.unread.of(of.family) == {}


def test_a_page_that_is_gone_is_not_unread(store: Store) -> None:
    store.add_urls(family(), [FoundUrl(URL)])
    note(store, "one", ServedBy.MODEL)
    store.commit_batch(commit("two", gone=[URL]))
    assert store.past.unread.families() == set()


def test_no_row_of_a_list_that_was_read_in_part_is_missing(store: Store) -> None:
    of = family(schema="tests.store.models:Row", kind="listing", key=["title"])
    rows = [Row(title=title) for title in ("Tea", "Milk")]
    page = served(URL, *rows, by=ServedBy.MODEL, version=None)
    store.commit_batch(commit("one", [page], of=of))
    part = served(URL, rows[0], by=ServedBy.MODEL, version=None)
    for run in ("two", "three", "four", "five"):
        counts = store.commit_batch(commit(run, [part], of=of, partial=[URL]))
        assert (counts.missing, counts.removed, counts.stale) == (0, 0, 0)
    assert len(store.known(of)[URL]) == 2
