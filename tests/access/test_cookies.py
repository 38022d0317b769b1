"""Cookies go back where they came from, and nowhere else."""

from crawloop_assets.access.cookies import Jar

SHOP = "https://shop.test/items/1"


def jar(*cookies: str, url: str = SHOP) -> Jar:
    kept = Jar()
    kept.take(url, cookies)
    return kept


def test_a_cookie_goes_back_to_its_host_only() -> None:
    kept = jar("session=s1; Path=/", "seen=1; Path=/")
    assert len(kept) == 2
    assert kept.header("https://shop.test/other") == "session=s1; seen=1"
    assert kept.header("https://other.test/") == ""


def test_a_cookie_of_a_path_stays_below_it() -> None:
    kept = jar("part=1; Path=/items")
    assert kept.header("https://shop.test/items/2") == "part=1"
    assert kept.header("https://shop.test/about") == ""


def test_a_secure_cookie_is_not_sent_in_the_clear() -> None:
    kept = jar("session=s1; Path=/; Secure")
    assert kept.header("https://shop.test/") == "session=s1"
    assert kept.header("http://shop.test/") == ""


def test_a_cookie_for_another_host_is_not_taken() -> None:
    assert len(jar("session=s1; Domain=other.test")) == 0
    assert len(jar("session=s1; Domain=test")) == 0


def test_a_later_cookie_replaces_the_one_of_its_name() -> None:
    kept = jar("session=s1; Path=/")
    kept.take(SHOP, ["session=s2; Path=/"])
    assert kept.header(SHOP) == "session=s2"
    kept.take(SHOP, ["session=; Path=/; Max-Age=0"])
    assert kept.header(SHOP) == ""


def test_nothing_is_left_after_clearing() -> None:
    kept = jar("session=s1; Path=/")
    kept.clear()
    assert len(kept) == 0
    assert kept.header(SHOP) == ""
