"""When a page counts as changed, which its interval follows: in real runs, on a page that is never the same bytes."""

import re
from collections.abc import Callable, Iterator, Mapping
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
Page = Callable[[int, int], bytes]
"""A page by its number as it is at the time of that number."""


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
    """The family of some pages; its examples are other pages."""
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
    site: Site, instance: dg.DagsterInstance, pages: Mapping[int, Page], *ignore: str
) -> dict[int, list[timedelta]]:
    """The intervals of pages, by their numbers, after each was asked for at the times 0 to 3."""
    site.routes["p"] = lambda asked: Told(bare(asked.number))
    family = declare(site, *ignore)
    seen: dict[int, list[timedelta]] = {number: [] for number in pages}
    run(instance, family, "discover")
    urls = {number: site.url(f"/p/{number}") for number in pages}
    store().add_urls(family, list(map(FoundUrl, urls.values())))
    for time in range(4):
        site.routes["p"] = lambda asked, time=time: Told(  # type: ignore[misc]
            pages.get(asked.number, bare)(asked.number, time)
        )
        run(instance, family, "refresh")
        for number, url in urls.items():
            entry = store().url(FAMILY, url)
            assert entry is not None
            seen[number].append(timedelta(seconds=round(entry.interval_s or 0)))
    return seen


DAY, HOUR = timedelta(days=1), timedelta(hours=1)
UNCHANGED = [DAY, 2 * DAY, 4 * DAY, 7 * DAY]
CHANGED = [DAY, 0.2 * DAY, HOUR, HOUR]
# Their prices end in a zero: another text after a while in a table, the same number.
TOKEN, VISITORS, RECORD = 40, 44, 68


def with_token(number: int, time: int) -> bytes:
    token = (
        f'<input type="hidden" value="{time}"><script>var at = {time}</script></body>'
    )
    return bare(number).replace(b"</body>", token.encode())


def with_visitors(number: int, time: int) -> bytes:
    return bare(number).replace(
        b"</main>", f"<p>{time} people look at this.</p></main>".encode()
    )


def test_what_a_reader_sees_is_a_change_and_so_is_another_record_wherever_it_stands(
    site: Site, project_instance: dg.DagsterInstance
) -> None:
    assert bare(RECORD, 1) != bare(RECORD)
    pages = {TOKEN: with_token, VISITORS: with_visitors, RECORD: bare}
    assert intervals(site, project_instance, pages) == {
        TOKEN: UNCHANGED,
        VISITORS: CHANGED,
        RECORD: CHANGED,
    }


def test_but_what_the_family_ignores_is_none(
    site: Site, project_instance: dg.DagsterInstance
) -> None:
    pages = {VISITORS: with_visitors}
    ignored = r"\d+ people look at this"
    assert intervals(site, project_instance, pages, ignored) == {VISITORS: UNCHANGED}
