"""A candidate is made from pages that no version reads."""

from pathlib import Path

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.heal.unread import unread_part
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.versions import live_versions
from tests.heal.town import GOODS, Town, good, old

PAGES = 6
KNOWN = tuple(Example(page=at, records=(dict(good(at)),)) for at in range(PAGES))
OLD = [old(GOODS, at, good(at)) for at in range(PAGES)]


def bare(at: int) -> Page:
    """A good of a design in which nothing is called by its name."""
    rows = "".join(f"<p>{value}</p>" for value in good(at).values())
    body = f"<html><body><section>{rows}</section></body></html>"
    headers = {"content-type": "text/html"}
    return Page(url=OLD[at].url, body=body.encode(), headers=headers)


NEW = [bare(at) for at in range(PAGES)]


def left(folder: Path, sample: HealSample) -> HealSample:
    town = Town(folder)
    town.learn(GOODS, OLD, [good(at) for at in range(3)])
    versions = live_versions(town.store.crawlers(GOODS.family))
    return unread_part(GOODS, default_pool(), sample, versions)


def test_of_two_layouts_the_one_is_left_that_nobody_reads(tmp_path: Path) -> None:
    sample = left(tmp_path, HealSample((*OLD[:2], *NEW[2:]), KNOWN))
    assert [page.url for page in sample.pages] == [page.url for page in NEW[2:]]
    assert [one.page for one in sample.known] == [0, 1, 2, 3]
    assert sample.known[0].records == KNOWN[2].records


def test_where_all_or_none_are_read_all_are_left(tmp_path: Path) -> None:
    whole = HealSample(tuple(OLD), KNOWN)
    assert left(tmp_path / "old", whole) is whole
    fresh = HealSample(tuple(NEW), KNOWN)
    assert left(tmp_path / "new", fresh) is fresh
