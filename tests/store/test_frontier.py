from dataclasses import replace
from datetime import UTC, datetime, timedelta

from crawloop_assets.store import FoundUrl, Store, UrlState
from tests.store.conftest import NOON, commit, family, fetched


def found(*numbers: int) -> list[FoundUrl]:
    return [
        FoundUrl(f"https://shop.test/{number}", depth=1, found_on="https://shop.test/")
        for number in numbers
    ]


def test_new_urls_fill_the_last_batch_and_then_open_new_ones(store: Store) -> None:
    small = family(batch_size=3)
    assert store.add_urls(small, found(1, 2, 3, 4)) == ["000001", "000002"]
    assert store.add_urls(small, found(4, 1, 5, 5)) == []
    assert store.add_urls(small, found(*range(6, 11))) == ["000003", "000004"]
    assert store.batches("shop/item") == ["000001", "000002", "000003", "000004"]
    assert [url.url[-2:] for url in store.urls("shop/item", "000002")] == [
        "/4",
        "/5",
        "/6",
    ]
    assert [url.batch for url in store.frontier("shop/item")] == sorted(
        url.batch for url in store.frontier("shop/item")
    )
    assert len(store.frontier("shop/item")) == 10


def test_batches_never_shrink_or_move_when_the_size_changes(store: Store) -> None:
    store.add_urls(family(batch_size=3), found(1, 2, 3, 4))
    assert store.add_urls(family(batch_size=1), found(5)) == ["000003"]
    assert store.add_urls(family(batch_size=5), found(6, 7)) == []
    assert [
        len(store.urls("shop/item", batch)) for batch in store.batches("shop/item")
    ] == [3, 1, 3]


def test_families_have_their_own_batches(store: Store) -> None:
    store.add_urls(family(), found(1))
    assert store.add_urls(family("market/item"), found(1)) == ["000001"]
    assert store.batches("nobody") == []


def test_new_urls_are_due_at_once_and_fetched_ones_when_they_say(store: Store) -> None:
    store.add_urls(family(batch_size=2), found(1, 2, 3))
    assert store.due("shop/item") == {"000001": 2, "000002": 1}
    later = fetched("https://shop.test/3", next_due=NOON + timedelta(days=400))
    store.commit_batch(
        commit("r1", batch="000002", fetched=[later], gone=["https://shop.test/1"])
    )
    assert store.due("shop/item") == {"000001": 1}
    assert store.due("shop/item", NOON + timedelta(days=500)) == {
        "000001": 1,
        "000002": 1,
    }


def test_what_was_fetched_by_a_clock_that_was_set_back_since_is_due(
    store: Store,
) -> None:
    store.add_urls(family(batch_size=2), found(1))
    page = fetched("https://shop.test/1", next_due=NOON + timedelta(days=400))
    store.commit_batch(commit("r1", fetched=[page]))
    assert store.due("shop/item", page.fetched_at) == {}
    assert store.due("shop/item", page.fetched_at - timedelta(hours=2)) == {"000001": 1}


def test_a_sitemap_that_names_a_later_change_makes_a_url_due(store: Store) -> None:
    first, second = found(1, 2)
    store.add_urls(family(), [first, second])
    later = datetime.now(UTC) + timedelta(days=30)
    store.commit_batch(
        commit(
            "r1",
            fetched=[
                fetched(url.url, page_sha256="a" * 64, next_due=later)
                for url in (first, second)
            ],
        )
    )
    assert store.due("shop/item") == {}
    store.add_urls(
        family(),
        [
            replace(first, lastmod=NOON - timedelta(days=1)),
            replace(second, lastmod=NOON + timedelta(days=1)),
        ],
    )
    assert store.due("shop/item") == {"000001": 1}
    assert [url.next_due == later for url in store.urls("shop/item", "000001")] == [
        True,
        False,
    ]


def test_aliases_of_known_urls_are_no_longer_asked_for(store: Store) -> None:
    one, two, three = (url.url for url in found(1, 2, 3))
    store.add_urls(family(), found(1, 2, 3))
    assert (
        store.mark_aliases("shop/item", {two: one, three: "https://shop.test/unknown"})
        == 1
    )
    assert [(url.state, url.alias_of) for url in store.frontier("shop/item")] == [
        (UrlState.ACTIVE, None),
        (UrlState.ALIAS, one),
        (UrlState.ACTIVE, None),
    ]
    assert (
        store.mark_aliases("shop/item", {one: three, three: one}) == 0
    )  # two that point at each other
    assert store.due("shop/item") == {"000001": 2}


def test_page_versions_tell_what_a_url_has_shown(store: Store) -> None:
    (url,) = (one.url for one in found(1))
    hour = timedelta(hours=1)
    for number, sha256 in enumerate("aab"):
        page = replace(
            fetched(url, page_sha256=sha256 * 64, status=200),
            fetched_at=NOON + number * hour,
        )
        store.commit_batch(commit(f"r{number}", fetched=[page]))
        store.commit_batch(
            commit(f"again{number}", fetched=[page])
        )  # the same fetch, read again
    store.commit_batch(
        commit("other", fetched=[fetched(f"{url}9", page_sha256="c" * 64, status=200)])
    )
    shown = store.page_versions("shop/item", url, f"{url}8", f"{url}9", url)
    assert [
        (page.sha256[0], page.fetches, page.first_fetched_at, page.last_fetched_at)
        for page in shown.pop(url)
    ] == [
        ("a", 2, NOON, NOON + hour),
        ("b", 1, NOON + 2 * hour, NOON + 2 * hour),
    ]
    assert shown.pop(f"{url}8") == []
    assert [page.sha256[0] for page in shown.pop(f"{url}9")] == ["c"] and not shown


def test_a_gone_url_that_is_found_again_gets_another_chance(store: Store) -> None:
    store.add_urls(family(), found(1))
    store.commit_batch(commit("r1", gone=[found(1)[0].url]))
    assert store.due("shop/item") == {} and store.urls("shop/item", "000001") == []
    store.add_urls(family(), found(1))
    assert (
        store.due("shop/item") == {"000001": 1}
        and len(store.urls("shop/item", "000001")) == 1
    )


def test_siblings_are_the_other_families_of_the_same_hosts(store: Store) -> None:
    for name, urls in (
        ("a", ["http://one.test/p/1", "http://two.test:8080/x"]),
        ("b", ["http://one.test/q/1"]),
        ("c", ["http://two.test/x", "http://one.test.example/p/1"]),
        ("d", ["http://two.test:8080/y", "http://two.test:8080/z"]),
    ):
        store.add_urls(family(name), [FoundUrl(url) for url in urls])
    assert [store.siblings(name) for name in "abcd"] == [["b", "d"], ["a"], [], ["a"]]
