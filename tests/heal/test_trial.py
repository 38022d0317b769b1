"""A trial says what a change would do to the rows, and changes nothing."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from crawloop_assets.crawler.program import Program
from crawloop_assets.errors import ConfigError
from crawloop_assets.heal.trial import Rehearsal, RowChange, Trial, diff_rows
from crawloop_assets.sandbox import default_pool
from crawloop_assets.store.published import family_rows
from tests.world import PRODUCT, PRODUCTS, World


def rehearse(made: World, folder: Path, **changes: Any) -> Trial:
    """A trial of the product family with other keys in its file."""
    crawler = changes.pop("crawler", None)
    declared = made.family.model_dump(by_alias=True) | changes
    family = type(made.family).model_validate(declared)
    folder.mkdir()
    return Rehearsal(
        family, [family], made.store, default_pool(), folder, crawler
    ).run()


def fingerprint(made: World) -> dict[str, str]:
    """Every file of the project, by what is in it; locks hold nothing."""
    return {
        str(file): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in made.project.root.rglob("*")
        if file.is_file() and file.suffix != ".lock"
    }


def test_without_a_change_every_row_stays(healthy: World, tmp_path: Path) -> None:
    before, hits = fingerprint(healthy), len(healthy.shop.hits)
    trial = rehearse(healthy, tmp_path / "trial")
    assert (trial.pages, trial.rows.same) == (PRODUCTS, PRODUCTS)
    assert not trial.costs and not trial.is_new
    assert (trial.rows.new, trial.rows.changed, trial.rows.gone) == ((), (), ())
    assert fingerprint(healthy) == before and len(healthy.shop.hits) == hits


def test_a_field_less_and_a_bound_more_are_told_row_by_row(
    healthy: World, tmp_path: Path
) -> None:
    less = rehearse(
        healthy, tmp_path / "less", schema="tests.models:Product", examples=()
    )
    assert less.rows.fields.keys() == {"rating"}
    assert len(less.rows.changed) > PRODUCTS // 2 and not less.costs
    change = less.rows.changed[0]
    assert (
        change.fields["rating"][0]
        and change.fields["rating"][1] != change.fields["rating"][0]
    )


def test_what_would_be_refused_is_named_with_its_reason(
    healthy: World, tmp_path: Path
) -> None:
    dear = {
        row["_url"]
        for row in family_rows(healthy.project.published, PRODUCT)
        if row["price"] > 300
    }
    trial = rehearse(
        healthy, tmp_path / "bound", schema="tests.models:Cheap", examples=()
    )
    refused = {one.url: one.why for one in trial.refused}
    assert dear and dear <= refused.keys() and trial.costs
    assert "price" in " ".join(refused[min(dear)])


def test_a_crawler_that_misses_a_field_is_seen_before_it_is_promoted(
    healthy: World, tmp_path: Path
) -> None:
    active = healthy.store.active(PRODUCT)
    assert active is not None
    program = Program.from_json(active.body)
    blind = tuple(one for one in program.fields if one.spec.name != "price")
    trial = rehearse(
        healthy,
        tmp_path / "blind",
        crawler=program.model_copy(update={"fields": blind}),
    )
    assert trial.version == 2 and trial.costs and trial.refused
    assert healthy.store.active(PRODUCT) == active
    again = rehearse(healthy, tmp_path / "again", crawler=1)
    assert (again.version, again.rows.same, again.costs) == (1, PRODUCTS, False)


def test_without_stored_pages_there_is_nothing_to_try(
    fresh: World, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="no page of shop/product is stored yet"):
        rehearse(fresh, tmp_path / "trial")


def row(key: str, url: str, **fields: Any) -> dict[str, Any]:
    return {"_key": key, "_url": url, "_run_id": object(), **fields}


def test_rows_are_paired_by_key_then_by_page() -> None:
    before = [row("a", "u1", x=1), row("b", "u2", x=2), row("c", "u3", x=3)]
    after = [row("a", "u1", x=1), row("B", "u2", x=2, y=5), row("d", "u4", x=4)]
    found = diff_rows(before, after)
    assert found.same == 1
    assert found.changed == (RowChange("u2", {"y": ("nothing", "5")}),)
    assert (found.new, found.gone) == (("u4",), ("u3",))


def test_a_row_of_a_list_is_named_by_its_key() -> None:
    """Ten rows of one page by its address alone are ten times the same line."""
    before = [row(f"k{n}", "u1", x=1) for n in range(3)] + [row("u2", "u2", x=1)]
    after = [row("k0", "u1", x=2), row("k9", "u1", x=1), row("u1#7", "u1", x=1)]
    found = diff_rows(before, after)
    assert found.changed[0].row == "k0 on u1"
    assert (found.new, found.gone) == (
        ("k9 on u1", "u1#7"),
        ("k1 on u1", "k2 on u1", "u2"),
    )
