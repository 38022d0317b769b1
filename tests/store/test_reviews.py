"""What people decide about versions: no toggling, no rejected version by accident, a pin that holds."""

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.store import (
    AuditKind,
    ByWhom,
    CrawlerStatus,
    NewCrawler,
    ShadowRow,
    ShadowRun,
    Store,
)

FAMILY = "shop/item"
ANA = ByWhom("ana", "I looked", "run-7")


def add(
    store: Store, body: str, status: CrawlerStatus = CrawlerStatus.CANDIDATE
) -> int:
    return store.add_crawler(NewCrawler(family=FAMILY, body=body, status=status))


def served(store: Store, *bodies: str) -> None:
    """Versions that served one after the other."""
    for body in bodies:
        store.promote(FAMILY, add(store, body), "")


def active(store: Store) -> int:
    found = store.active(FAMILY)
    return found.version if found else 0


def test_each_rollback_goes_one_further_back(store: Store) -> None:
    served(store, "one", "two", "three")
    assert store.reviews.roll_back(FAMILY, None, ANA) == 2
    assert store.reviews.roll_back(FAMILY, None, ANA) == 1
    with pytest.raises(ConfigError, match="no earlier version"):
        store.reviews.roll_back(FAMILY, None, ANA)
    assert store.reviews.roll_back(FAMILY, 3, ANA) == 3
    assert store.reviews.roll_back(FAMILY, None, ANA) == 1, "the one before it served"
    event = store.audits(FAMILY, AuditKind.CRAWLER_ROLLED_BACK)[0]
    assert event.run_id == "run-7"
    assert event.detail == {
        "version": 2,
        "before": 3,
        "who": "ana",
        "why": "I looked",
    }


def test_a_version_that_was_made_first_and_approved_last_goes_back_to_what_it_replaced(
    store: Store,
) -> None:
    served(store, "one")
    add(store, "two", CrawlerStatus.AWAITING_REVIEW)
    served(store, "three")
    assert store.reviews.approve(FAMILY, None, ANA) == 2
    assert store.reviews.roll_back(FAMILY, None, ANA) == 3


def test_a_rejected_version_serves_by_force_alone(store: Store) -> None:
    served(store, "one", "two", "three")
    store.reject(FAMILY, 2, "wrong prices")
    assert store.reviews.roll_back(FAMILY, None, ANA) == 1, "v2 is left out"
    for ask in (store.reviews.roll_back, store.reviews.promote):
        with pytest.raises(ConfigError, match=r"was rejected.*--force"):
            ask(FAMILY, 2, ANA)
    with pytest.raises(ConfigError, match="was rejected"):
        store.reviews.pin(FAMILY, 2, ANA)
    assert active(store) == 1
    assert store.reviews.roll_back(FAMILY, 2, ANA, force=True) == 2


def test_a_version_that_never_served_is_promoted_not_rolled_back_to(
    store: Store,
) -> None:
    served(store, "one")
    add(store, "two")
    with pytest.raises(ConfigError, match=r"never served.*crawloop promote"):
        store.reviews.roll_back(FAMILY, 2, ANA)
    assert store.reviews.promote(FAMILY, 2, ANA) == 2
    with pytest.raises(ConfigError, match="versions: 1, 2"):
        store.reviews.promote(FAMILY, 9, ANA)
    with pytest.raises(ConfigError, match="no crawler version"):
        store.reviews.roll_back(FAMILY, 9, ANA)


def test_what_waits_is_approved_or_declined_once(store: Store) -> None:
    served(store, "one")
    add(store, "two", CrawlerStatus.AWAITING_REVIEW)
    add(store, "three", CrawlerStatus.AWAITING_REVIEW)
    assert [one.version for one in store.reviews.waiting(FAMILY)] == [3]
    assert store.reviews.waiting("shop/other") == []
    with pytest.raises(ConfigError, match=r"does not wait.*v2, v3"):
        store.reviews.approve(FAMILY, 1, ANA)
    assert store.reviews.decline(FAMILY, None, ANA) == 3
    assert store.crawlers(FAMILY)[2].status is CrawlerStatus.REJECTED
    assert store.reviews.approve(FAMILY, 2, ANA) == active(store) == 2
    with pytest.raises(ConfigError, match="waits for review any more"):
        store.reviews.decline(FAMILY, None, ANA)
    said = [event.kind for event in store.audits(FAMILY)][-2:]
    assert said == [AuditKind.CRAWLER_DECLINED, AuditKind.CRAWLER_APPROVED]


def made_by_wave(store: Store, body: str) -> int:
    return store.add_crawler(
        NewCrawler(
            family=FAMILY,
            body=body,
            status=CrawlerStatus.AWAITING_REVIEW,
            wave="wave-1",
        )
    )


def test_what_a_wave_made_is_asked_about_no_more_when_the_wave_is_over(
    store: Store,
) -> None:
    served(store, "one", "two")
    assert made_by_wave(store, "one") == 1, "it served before, and is proposed again"
    assert made_by_wave(store, "three") == 3
    by_hand = add(store, "four", CrawlerStatus.AWAITING_REVIEW)
    store.reviews.withdraw(FAMILY, "it is green again")
    assert [one.status for one in store.crawlers(FAMILY)] == [
        CrawlerStatus.RETIRED,
        CrawlerStatus.ACTIVE,
        CrawlerStatus.CANDIDATE,
        CrawlerStatus.AWAITING_REVIEW,
    ]
    assert [one.version for one in store.reviews.waiting()] == [by_hand]
    said = store.audits(FAMILY, AuditKind.REVIEW_WITHDRAWN)
    assert {event.detail["why"] for event in said} == {"it is green again"}
    assert sorted(event.detail["version"] for event in said) == [1, 3]
    made_by_wave(store, "three")
    store.reviews.decline(FAMILY, by_hand, ANA)
    assert [one.version for one in store.reviews.of_waves()] == [3], "it waits again"


def test_the_latest_version_waits_unless_a_later_one_serves(store: Store) -> None:
    def waiting() -> list[int]:
        return [one.version for one in store.reviews.waiting(FAMILY)]

    first, second = (
        add(store, body, CrawlerStatus.AWAITING_REVIEW) for body in ("one", "two")
    )
    assert waiting() == [second] == [one.version for one in store.reviews.waiting()]
    assert store.reviews.decline(FAMILY, second, ANA) == second
    assert waiting() == [first], "the other one was declined"
    served(store, "three")
    assert waiting() == []
    third = add(store, "four", CrawlerStatus.AWAITING_REVIEW)
    assert waiting() == [third]
    assert store.reviews.approve(FAMILY, first, ANA) == first, "whoever names it"


def test_a_pin_is_said_and_ends_with_the_version_it_holds(store: Store) -> None:
    served(store, "one", "two")
    assert store.reviews.pin(FAMILY, 1, ANA) == active(store) == 1
    pin = store.reviews.pins()[FAMILY]
    assert str(pin).startswith("pinned to v1 by ana since 20")
    assert str(pin).endswith(": I looked")
    assert store.reviews.unpin(FAMILY, ANA) == 1
    with pytest.raises(ConfigError, match="no version of shop/item is pinned"):
        store.reviews.unpin(FAMILY, ANA)
    store.reviews.pin(FAMILY, None, ANA)
    store.reviews.promote(FAMILY, 2, ANA)
    assert store.reviews.pins() == {}, "a person's word goes before a pin"
    assert len(store.audits(FAMILY, AuditKind.CRAWLER_UNPINNED)) == 2


def test_the_last_shadow_run_is_kept_with_its_version(store: Store) -> None:
    assert store.reviews.shadow(FAMILY, 2) is None
    row = ShadowRow(url="http://x.test/1", field="price", before="1", after="2")
    for changed in (3, 1):
        run = ShadowRun(
            version=2,
            beside=1,
            pages=4,
            same=3,
            changed=changed,
            fields={"price": changed},
            rows=(row,),
        )
        store.reviews.note_shadow(FAMILY, run)
    assert store.reviews.shadow(FAMILY, 2) == run
    assert str(run) == (
        "v2 beside v1 on 4 stored pages: 3 records the same, "
        "1 read differently (price 1), 0 found, 0 lost; "
        "0 values are no longer doubtful, 0 are now"
    )
