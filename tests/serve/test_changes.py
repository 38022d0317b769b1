"""When a page counts as changed, which its interval follows: in real runs, on a page that is never the same bytes."""

import re
from collections.abc import Callable, Iterator
from datetime import timedelta

import dagster as dg
import pytest
import yaml

from crawloop_assets.family import Family
from crawloop_assets.project import Project
from crawloop_assets.store import FoundUrl
from tests.access.serving import running
from tests.access.shop import product_page
from tests.access.site import Site
from tests.access.wire import Told
from tests.serve.runs import examples, run, store

pytestmark = pytest.mark.slow

FAMILY = "shop/item"
ITS = 40  # its price ends in a zero: another text after a while in a table, the same number
Page = Callable[[int], bytes]
"""The page as it is at the time of that number."""


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as site:
        yield site


def bare(number: int, version: int = 0) -> bytes:
    """A product whose price stands in its linked data only."""
    return re.sub(
        rb'<p class="buy">.*?</p>', b"", product_page(number, version), flags=re.DOTALL
    )


def declare(site: Site, *ignore: str) -> Family:
    """The family of one page; its examples are other pages."""
    family = {
        "family": FAMILY,
        "schema": "tests.models:Item",
        "discover": {"seeds": [site.url("/")], "include": ["^/p/"], "max_depth": 0},
        "refresh": {"ignore": list(ignore)},
        "examples": examples(site, "/p", 20, 24, 28),
    }
    (Project.find().families / "item.yaml").write_text(yaml.safe_dump(family))
    return Project.find().family(FAMILY)


def intervals(
    site: Site, instance: dg.DagsterInstance, page: Page, *ignore: str
) -> list[timedelta]:
    """The page's interval after it was asked for at the times 0 to 3."""
    site.routes["p"] = lambda asked: Told(bare(asked.number))
    family, seen = declare(site, *ignore), []
    run(instance, family, "discover")
    store().add_urls(family, [FoundUrl(site.url(f"/p/{ITS}"))])
    for time in range(4):
        site.routes["p"] = lambda asked, time=time: Told(page(time))  # type: ignore[misc]
        run(instance, family, "refresh")
        entry = store().url(FAMILY, site.url(f"/p/{ITS}"))
        assert entry is not None
        seen.append(timedelta(seconds=round(entry.interval_s or 0)))
    return seen


DAY, HOUR = timedelta(days=1), timedelta(hours=1)
UNCHANGED = [DAY, 2 * DAY, 4 * DAY, 7 * DAY]
CHANGED = [DAY, 0.2 * DAY, HOUR, HOUR]


def with_token(time: int) -> bytes:
    token = (
        f'<input type="hidden" value="{time}"><script>var at = {time}</script></body>'
    )
    return bare(ITS).replace(b"</body>", token.encode())


def with_visitors(time: int) -> bytes:
    return bare(ITS).replace(
        b"</main>", f"<p>{time} people look at this.</p></main>".encode()
    )


def test_what_no_reader_sees_is_no_change(
    site: Site, project_instance: dg.DagsterInstance
) -> None:
    assert intervals(site, project_instance, with_token) == UNCHANGED


def test_what_a_reader_sees_is_one(
    site: Site, project_instance: dg.DagsterInstance
) -> None:
    assert intervals(site, project_instance, with_visitors) == CHANGED


def test_but_what_the_family_ignores_is_none(
    site: Site, project_instance: dg.DagsterInstance
) -> None:
    assert (
        intervals(site, project_instance, with_visitors, r"\d+ people look at this")
        == UNCHANGED
    )


def test_another_record_is_one_wherever_it_stands(
    site: Site, project_instance: dg.DagsterInstance
) -> None:
    assert bare(ITS, 1) != bare(ITS)
    assert intervals(site, project_instance, lambda time: bare(ITS, time)) == CHANGED
