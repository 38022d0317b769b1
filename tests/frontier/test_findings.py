"""What a discovery collects, and where it ends."""

import asyncio

from crawloop_assets.family import Discover
from crawloop_assets.frontier.findings import MAX_SKIPPED, Discovered, Findings
from crawloop_assets.store.models import FoundUrl

SHOP = "http://shop.test"


async def allowed(url: str) -> str:
    return "robots.txt: Disallow: /no" if "/no" in url else ""


def findings(max_urls: int = 3) -> Findings:
    return Findings(Discover(max_urls=max_urls), allowed)


def take(collected: Findings, *found: FoundUrl) -> None:
    async def each() -> None:
        for url in found:
            await collected.take(url)

    asyncio.run(each())


def test_urls_are_kept_once_and_in_the_order_they_were_met() -> None:
    collected = findings()
    again = FoundUrl(f"{SHOP}/b", depth=9, found_on=f"{SHOP}/late")
    take(collected, FoundUrl(f"{SHOP}/b", 1), FoundUrl(f"{SHOP}/a", 2), again)
    assert f"{SHOP}/a" in collected
    assert f"{SHOP}/c" not in collected
    assert not collected.full
    assert collected.result(fetched=7) == Discovered(
        urls=[FoundUrl(f"{SHOP}/b", 1), FoundUrl(f"{SHOP}/a", 2)],
        skipped=[],
        fetched=7,
    )


def test_no_more_urls_are_taken_than_are_wanted() -> None:
    collected = findings(max_urls=2)
    take(collected, *(FoundUrl(f"{SHOP}/{number}") for number in range(5)))
    assert collected.full
    assert collected.bound == "bounds: max_urls 2 reached"
    assert [found.url for found in collected.result(0).urls] == [
        f"{SHOP}/0",
        f"{SHOP}/1",
    ]


def test_urls_taken_at_a_time_do_not_pass_the_bound_either() -> None:
    async def slowly(url: str) -> str:
        await asyncio.sleep(0)
        return ""

    async def at_a_time(collected: Findings) -> None:
        urls = [FoundUrl(f"{SHOP}/{number}") for number in range(5)]
        await asyncio.gather(*map(collected.take, urls))

    collected = Findings(Discover(max_urls=2), slowly)
    asyncio.run(at_a_time(collected))
    assert len(collected.result(0).urls) == 2


def test_a_refused_url_is_not_taken_later_and_keeps_its_first_rule() -> None:
    collected = findings()
    collected.skip(f"{SHOP}/p", "first")
    collected.skip(f"{SHOP}/p", "second")
    take(collected, FoundUrl(f"{SHOP}/p"), FoundUrl(f"{SHOP}/no"))
    take(collected, FoundUrl(f"{SHOP}/" + "x" * 1_000))
    assert collected.rule_of(f"{SHOP}/p") == "first"
    assert collected.rule_of(f"{SHOP}/other") is None
    assert [rule for _, rule in collected.result(0).skipped] == [
        "first",
        "robots.txt: Disallow: /no",
        "trap: longer than 1000 characters",
    ]
    assert collected.result(0).urls == []


def test_refusals_are_kept_up_to_a_bound() -> None:
    collected = findings()
    for number in range(MAX_SKIPPED + 5):
        collected.skip(f"{SHOP}/{number}", "rule")
    assert len(collected.result(0).skipped) == MAX_SKIPPED == 1_000


def test_a_page_is_fruitful_if_a_url_was_taken_from_it() -> None:
    collected = findings(max_urls=1)
    take(collected, FoundUrl(f"{SHOP}/1", found_on=f"{SHOP}/list"))
    take(collected, FoundUrl(f"{SHOP}/2", found_on=f"{SHOP}/later"))
    assert collected.is_fruitful(f"{SHOP}/list")
    assert not collected.is_fruitful(f"{SHOP}/later")


def test_a_renamed_page_is_known_by_its_other_name() -> None:
    collected = findings()
    take(collected, FoundUrl(f"{SHOP}/old", depth=4), FoundUrl(f"{SHOP}/known"))
    collected.rename(f"{SHOP}/old", f"{SHOP}/new")
    collected.rename(f"{SHOP}/known", f"{SHOP}/new")
    result = collected.result(2)
    assert result.urls == [FoundUrl(f"{SHOP}/new", 4, f"{SHOP}/old")]
    assert result.aliases == {
        f"{SHOP}/old": f"{SHOP}/new",
        f"{SHOP}/known": f"{SHOP}/new",
    }


def test_where_nothing_is_found_each_page_it_began_with_says_why() -> None:
    collected = findings()
    collected.skip(f"{SHOP}/lost", "http: 404")
    found = collected.result(2, [f"{SHOP}/", f"{SHOP}/lost"])
    assert dict(found.skipped)[f"{SHOP}/"].startswith("links: none on this page")
    assert found.unread_seeds == (f"{SHOP}/lost",)
    assert found.complaint(0) == f"No url was found. {SHOP}/lost: http: 404"
    without = findings().result(0).complaint(0)
    assert "names no seeds" in without


def test_a_seed_that_could_not_be_read_is_told_beside_what_was_found() -> None:
    collected = findings()
    take(collected, FoundUrl(f"{SHOP}/a", 1, f"{SHOP}/"))
    collected.skip(f"{SHOP}/lost", "http: 404")
    collected.skip(f"{SHOP}/late", collected.bound)
    seeds = [f"{SHOP}/{name}" for name in ("", "lost", "late")]
    found = collected.result(2, seeds)
    assert found.complaint(1) == f"A seed could not be read: {SHOP}/lost: http: 404"
    assert SHOP + "/" not in dict(found.skipped)


def test_fewer_than_half_of_what_was_found_lately_is_told() -> None:
    collected = findings()
    take(collected, *(FoundUrl(f"{SHOP}/{at}") for at in range(3)))
    found = collected.result(3, [f"{SHOP}/"])
    assert found.complaint(6) == ""
    assert found.complaint(7).startswith("3 urls were found, 7 lately")


def test_the_next_page_of_a_list_that_nothing_includes_is_said() -> None:
    family = Discover(include=("^/list$",), exclude=("page=9",))
    collected = Findings(family, allowed)
    take(collected, FoundUrl(f"{SHOP}/list"))
    collected.leave_out(FoundUrl(f"{SHOP}/list?page=2", found_on=f"{SHOP}/list"))
    collected.leave_out(FoundUrl(f"{SHOP}/list?page=9", found_on=f"{SHOP}/list"))
    collected.leave_out(FoundUrl(f"{SHOP}/news?page=2", found_on=f"{SHOP}/news"))
    found = collected.result(1)
    assert found.left_out == (f"{SHOP}/list?page=2",)
    assert found.complaint(1) == (
        f"No `include` matches the next page of a list: {SHOP}/list?page=2."
        " Include it, or `exclude` it."
    )
