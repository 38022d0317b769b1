"""What the asset of a family's urls says of a look for them."""

import dagster as dg

from crawloop_assets.pipeline.discovery import discovery_version
from crawloop_assets.pipeline.names import FOUND
from crawloop_assets.store import BatchCommit, FoundUrl, HeldPage, HeldReason, UrlState
from crawloop_assets.store.overview import FamilyState
from tests.world import World


def looked(made: World) -> dg.AssetCheckEvaluation:
    """Urls are looked for once more; what the check says."""
    job = made.run("discover")
    (check,) = [
        one for one in job.get_asset_check_evaluations() if one.check_name == FOUND
    ]
    return check


def declared(made: World, old: str, new: str) -> None:
    file = made.project.families / "shop_product.yaml"
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_urls_that_are_found_are_green(healthy: World) -> None:
    check = looked(healthy)
    assert check.passed and "urls were found on" in str(check.description)


def test_a_pattern_that_nothing_fits_is_red_and_says_so(fresh: World) -> None:
    declared(fresh, "^/product/", "^/produkt/")
    check = looked(fresh)
    assert not check.passed and check.severity is dg.AssetCheckSeverity.ERROR
    assert "leads to one of the family" in str(check.description)
    (one,) = fresh.store.families.overviews([fresh.family])
    assert one.state is FamilyState.EMPTY and "/: links: none" in one.unfound_why


def test_fewer_than_lately_are_yellow(healthy: World) -> None:
    declared(healthy, "^/product/", "^/product/vela")
    check = looked(healthy)
    assert not check.passed and check.severity is dg.AssetCheckSeverity.WARN
    assert "lately" in str(check.description)
    assert not looked(healthy).passed, "it does not wear off with the next look"


def test_a_held_page_that_is_left_out_by_now_is_asked_for_no_more(
    healthy: World,
) -> None:
    family, store = healthy.family, healthy.store
    known = next(iter(store.known(family)))
    junk = known.replace("/product/", "/about/")
    store.add_urls(family, [FoundUrl(junk)])
    batch = next(one.batch for one in store.frontier(family.family) if one.url == junk)
    held = [
        HeldPage(
            url=url, page_sha256=None, version=1, reasons=[HeldReason(check="schema")]
        )
        for url in (junk, known)
    ]
    store.commit_batch(BatchCommit(family=family, batch=batch, run_id="r", held=held))
    looked(healthy)
    states = {one.url: one.state for one in store.frontier(family.family)}
    assert states[junk] is UrlState.LEFT_OUT and states[known] is UrlState.ACTIVE
    assert [one.url for one in store.quarantine(family.family)] == [known]
    looked(healthy)
    states = {one.url: one.state for one in store.frontier(family.family)}
    assert states[junk] is UrlState.LEFT_OUT


def test_the_version_is_that_of_what_is_declared(healthy: World) -> None:
    before = discovery_version(healthy.family)
    declared(healthy, "sitemaps: true", "sitemaps: true\n  every: 6h")
    assert discovery_version(healthy.family) == before
    declared(healthy, "^/product/", "^/produkt/")
    assert discovery_version(healthy.family) != before


def test_batches_of_a_family_that_had_the_name_before_are_no_partitions(
    healthy: World,
) -> None:
    known = healthy.store.batches(healthy.names.family.family)
    partitions = healthy.names.partition_set
    assert sorted(healthy.instance.get_dynamic_partitions(partitions)) == list(known)
    healthy.instance.add_dynamic_partitions(partitions, ["000077", "000078"])
    healthy.run("discover")
    assert sorted(healthy.instance.get_dynamic_partitions(partitions)) == list(known)
