"""What became of one url."""

from datetime import UTC, datetime

from crawloop_assets.access.fetched import Fetched
from crawloop_assets.page import Verdict

URL = "http://shop.test/p/1"


def test_a_page_without_redirects_ends_where_it_was_asked_for() -> None:
    assert Fetched(URL, Verdict.OK, "status 200").final_url == URL


def test_a_page_with_redirects_ends_at_the_last_of_them() -> None:
    hops = ("http://shop.test/a", "http://shop.test/b")
    fetched = Fetched(URL, Verdict.OK, "status 200", redirects=hops)
    assert fetched.final_url == "http://shop.test/b"


def test_the_moment_is_that_of_the_fetch() -> None:
    before = datetime.now(UTC)
    fetched = Fetched(URL, Verdict.GONE, "status 404")
    assert before <= fetched.fetched_at <= datetime.now(UTC)
