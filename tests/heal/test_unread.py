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


def test_a_page_of_the_same_layout_without_a_field_shows_what_is_no_value(
    tmp_path: Path,
) -> None:
    def known(at: int) -> Example:
        lacks = {"maker"} if at in (1, 2, 3) else set[str]()
        record = {name: one for name, one in good(at).items() if name not in lacks}
        return Example(page=at, records=(record,))

    pages = [*OLD[:4], *(_moved(at) for at in (4, 5))]
    town = Town(tmp_path)
    town.learn(GOODS, OLD, [good(at) for at in range(3)])
    versions = live_versions(town.store.crawlers(GOODS.family))
    sample = HealSample(tuple(pages), tuple(map(known, range(PAGES))))
    left = unread_part(GOODS, default_pool(), sample, versions)
    # Of the first nothing is missing, of the third to lack it two say enough.
    assert [page.url for page in left.pages] == [pages[at].url for at in (1, 2, 4, 5)]
    assert [one.records for one in left.known] == [
        known(at).records for at in (1, 2, 4, 5)
    ]


def _moved(at: int) -> Page:
    """A good whose maker no version reads, in the same layout."""
    page = OLD[at]
    maker = good(at)["maker"].replace("&", "&amp;").encode()
    body = page.body.replace(maker, b"", 1).replace(
        b"</body>", b"<p>" + maker + b"</p></body>"
    )
    return page.model_copy(update={"body": body})
