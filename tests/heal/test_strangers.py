"""What is known of a page beside its record."""

from pathlib import Path

from crawloop_assets.family import Family
from crawloop_assets.heal.strangers import strangers_among
from tests.heal.town import GOODS, Town, good, old


def test_a_stranger_was_never_published_and_is_no_example(tmp_path: Path) -> None:
    town, pages = Town(tmp_path), [old(GOODS, at, good(at)) for at in range(5)]
    town.learn(GOODS, pages, [good(at) for at in range(3)])
    town.read(GOODS, pages[:4])
    record = {"title": "Good 5", "price": "1.50"}
    examples = [{"url": pages[4].url, "record": record}]
    family = Family.model_validate(
        {**GOODS.model_dump(by_alias=True), "examples": examples}
    )
    urls = [pages[0].url, pages[4].url, "http://town.test/p/"]
    assert strangers_among(GOODS, town.store, urls) == set(urls[1:])
    assert strangers_among(family, town.store, urls) == set(urls[2:])
