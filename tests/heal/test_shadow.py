"""Two versions beside each other on the same stored pages."""

from pathlib import Path

from crawloop_assets.crawler.program import Program
from crawloop_assets.heal.shadow import shadow_run
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store import NewCrawler
from tests.heal.stuck import PAGES, town_of_goods
from tests.heal.town import GOODS, good


def test_what_a_version_reads_otherwise_is_counted_field_by_field(
    tmp_path: Path,
) -> None:
    town = town_of_goods(tmp_path)
    (first,) = town.store.crawlers(GOODS.family)
    program = Program.from_json(first.body)
    price, maker = program.field("price"), program.field("maker")
    assert price is not None and maker is not None
    swapped = [field for field in program.fields if field.spec.name != "maker"]
    swapped.append(maker.model_copy(update={"readers": price.readers}))
    other = program.model_copy(update={"fields": tuple(swapped)})
    town.store.add_crawler(NewCrawler(family=GOODS.family, body=other.to_json()))
    second = town.store.crawlers(GOODS.family)[1]
    run = shadow_run(GOODS, town.store, default_pool(), second, first)
    assert (run.version, run.beside, run.pages) == (2, 1, PAGES)
    assert (run.changed, run.same, run.gained, run.lost) == (PAGES, 0, 0, 0)
    assert dict(run.fields) == {"maker": PAGES}
    assert run.rows[0].field == "maker"
    assert run.rows[0].before == good(0)["maker"]
    assert run.rows[0].after != run.rows[0].before
    assert town.store.reviews.shadow(GOODS.family, 2) == run
    same = shadow_run(GOODS, town.store, default_pool(), first, first)
    assert (same.same, same.firmer, same.weaker) == (PAGES, 0, 0)
