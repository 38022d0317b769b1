"""A candidate is made from pages that no version reads."""

from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.family import Family
from crawloop_assets.heal.regenerate import RegenerationOutcome, Regenerator
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.heal.unread import read_pages, reader_of, unread_part
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.schema import FieldSpec
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


def test_who_reads_which_pages_is_told_by_what_is_known(tmp_path: Path) -> None:
    town = Town(tmp_path)
    town.learn(GOODS, OLD, [good(at) for at in range(3)])
    (version,) = live_versions(town.store.crawlers(GOODS.family))
    title = FieldProgram(spec=FieldSpec(name="title"))
    body = Program(fields=(title,)).to_json()
    blind = replace(version, body=body, version=7)
    sample = HealSample((*OLD[:2], *NEW[2:]), KNOWN)
    read = read_pages(GOODS, default_pool(), sample, [blind, version])
    assert read == {page.url for page in OLD[:2]}
    assert read_pages(GOODS, default_pool(), sample, [blind]) == frozenset()
    best = reader_of(GOODS, default_pool(), sample, [blind, version])
    assert best.version == version.version
    assert reader_of(GOODS, default_pool(), HealSample((), ()), [blind]) is blind


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


class Match(BaseModel):
    """One row of a list."""

    ref: str
    home: str
    away: str


MATCHES = Family.model_validate(
    {
        "family": "town/match",
        "schema": "tests.heal.test_unread:Match",
        "kind": "listing",
        "key": ["ref"],
        "discover": {},
    }
)
TEAMS = ("Ashby", "Brill", "Corby", "Derby", "Ely", "Fowey", "Goole", "Hythe")


def match(at: int) -> dict[str, str]:
    """A match of two of a few teams."""
    return {"ref": f"M-{300 + at}", "home": TEAMS[at % 8], "away": TEAMS[(at + 3) % 8]}


def results(page: int, first: int, tag: str = "tr") -> Page:
    """Ten matches from one on."""
    cell = {"tr": "td", "p": "b"}[tag]
    rows = "".join(
        f"<{tag}>{''.join(f'<{cell}>{one}</{cell}>' for one in match(at).values())}</{tag}>"
        for at in range(first, first + 10)
    )
    body = f"<html><body><table>{rows}</table></body></html>"
    if tag == "p":
        body = body.replace("table>", "section>")
    return Page(
        url=f"http://town.test/results/{page}",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


def test_a_page_of_a_list_is_read_though_rows_have_left_it(tmp_path: Path) -> None:
    known = tuple(
        Example(page=page, records=tuple(match(10 * page + at) for at in range(10)))
        for page in range(3)
    )
    town = Town(tmp_path)
    made = Regenerator(MATCHES, town.store, default_pool(), "run-0").first(
        HealSample(tuple(results(page, 10 * page) for page in range(3)), known)
    )
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason
    versions = live_versions(town.store.crawlers(MATCHES.family))
    # Four rows are of the next page now, and the third page has another design.
    pages = (results(0, 4), results(1, 14), results(2, 24, "p"))
    left = unread_part(MATCHES, default_pool(), HealSample(pages, known), versions)
    assert [page.url for page in left.pages] == [pages[2].url]
