"""The sensor's part in a probation: one proof when more pages came, one replay of what was taken back."""

from crawloop_assets.crawler.program import Program
from crawloop_assets.pipeline.names import RunMode
from crawloop_assets.store import NewCrawler
from crawloop_assets.store.published import published_rows
from tests.world import PRODUCT, PRODUCTS, World


def put_on_probation(made: World) -> None:
    """A second version, the first one without a reader of the title, as if it had been made from one page."""
    active = made.store.active(PRODUCT)
    assert active is not None
    program = Program.from_json(active.body)
    title = program.fields[0]
    fewer = title.model_copy(update={"readers": title.readers[:-1]})
    body = program.model_copy(update={"fields": (fewer, *program.fields[1:])}).to_json()
    sheet = {"pages": 1, "passed": True}
    number = made.store.add_crawler(
        NewCrawler(family=PRODUCT, body=body, probation=True, score_sheet=sheet)
    )
    made.store.promote(PRODUCT, number, "a test")


def test_a_version_on_probation_is_proved_once_when_it_has_read_enough(
    healthy: World,
) -> None:
    put_on_probation(healthy)
    assert not healthy.tick().run_requests, "it has read nothing yet"
    assert healthy.refresh(mode=RunMode.REPLAY).success
    (request,) = healthy.tick().run_requests
    assert request.job_name == "regenerate_shop__product"
    assert request.run_key.startswith("prove:shop__product:v2:")
    asked = len(healthy.shop.hits)
    assert healthy.run("regenerate", dict(request.tags)).success
    assert len(healthy.shop.hits) == asked
    active = healthy.store.active(PRODUCT)
    assert active is not None and not active.probation
    assert not healthy.tick().run_requests


def test_a_family_with_red_batches_heals_first(red: World) -> None:
    put_on_probation(red)
    requests = red.tick().run_requests
    assert requests
    assert not any(request.run_key.startswith("prove:") for request in requests)


def test_what_was_taken_back_is_read_again_once(healthy: World) -> None:
    put_on_probation(healthy)
    assert healthy.refresh(mode=RunMode.REPLAY).success
    healthy.store.withdraw(healthy.family, 2, "a test", "run-x")
    healthy.store.publish()
    stale = published_rows(healthy.project.published, "product", ["_stale_since"])
    assert len(stale) == PRODUCTS and all(
        row["_stale_since"] is not None for row in stale
    )
    requests = healthy.tick().run_requests
    assert {one.tags["crawloop/mode"] for one in requests} == {RunMode.REPLAY.value}
    asked = len(healthy.shop.hits)
    for one in requests:
        assert healthy.run("replay", dict(one.tags)).success
    assert len(healthy.shop.hits) == asked
    rows = published_rows(
        healthy.project.published, "product", ["_stale_since", "_crawler_version"]
    )
    assert {(row["_stale_since"], row["_crawler_version"]) for row in rows} == {
        (None, 1)
    }
    assert not healthy.tick().run_requests
    assert list(healthy.witness().faults(complete=False)) == []
