"""Where a row comes from, in words, for programs, and as a page; on a shop that was really crawled."""

import json
from dataclasses import replace

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.report.explained import (
    ExplainedRow,
    Explainer,
    minute,
    one_line,
)
from crawloop_assets.report.explained_page import explained_html
from crawloop_assets.sandbox import WorkerPool
from tests.world import World


def explained(world: World, field: str = "") -> ExplainedRow:
    """The first row of the shop."""
    known = world.store.known(world.family)
    with WorkerPool(1) as pool:
        (row,) = Explainer(world.family, world.store, pool).rows(min(known), field)
    return row


def test_a_value_is_explained_from_the_page_to_the_row(healthy: World) -> None:
    row = explained(healthy, "price")
    facts = dict(row.facts())
    (field,) = row.fields
    assert row.row.values["price"] == facts["value"]
    assert float(facts["value"]) == float(field.value)
    assert facts["page"] == row.row.url and "status 200" in facts["fetched"]
    assert (
        facts["read by"].startswith("v1 (active, promoted")
        and facts["served by"] == "crawler"
    )
    assert "passed in batch" in facts["checks"]
    assert any(says.startswith("new by v1: ") for says in facts.values())
    assert field.winner and field.winner.elements
    told = json.loads(json.dumps(row.as_json(), default=str))
    assert (
        float(told["history"][0]["to"]) == float(field.value)
        and told["fields"][0]["name"] == "price"
    )
    page = explained_html("shop/product", row)
    assert (
        "<iframe sandbox " in page
        and "crawloop-read" in page
        and field.winner.line[:20] in page
    )


def test_a_field_of_which_nothing_is_known_yet_says_so(healthy: World) -> None:
    row = explained(healthy)
    since = row.row.verified_at
    kept = {"title": None, "price": since}
    told = dict(replace(row, row=replace(row.row, kept=kept)).facts())
    assert told["kept: title"].endswith("never: nothing is known of it yet")
    assert told["kept: price"].endswith(minute(since))


def test_a_stale_row_says_since_when_and_why(red: World) -> None:
    held = [page.url for page in red.store.quarantine(red.family.family)][:3]
    with WorkerPool(1) as pool:
        explainer = Explainer(red.family, red.store, pool)
        rows = [row for url in held for row in explainer.rows(url)]
    waiting = [dict(row.facts()) for row in rows]
    assert len(waiting) == 3
    assert all("held" in facts["stale since"] for facts in waiting)
    assert all("held now" in facts for facts in waiting)
    assert any(key.startswith("check ") for facts in waiting for key in facts)
    # The values are those of the page before, which is still kept.
    assert all(row.seen and row.fields for row in rows)


def test_what_cannot_be_explained_says_why(healthy: World) -> None:
    with WorkerPool(1) as pool:
        explainer = Explainer(healthy.family, healthy.store, pool)
        with pytest.raises(ConfigError, match="no published row"):
            explainer.rows("https://shop.test/nothing")
        url = min(healthy.store.known(healthy.family))
        with pytest.raises(ConfigError, match="no field 'prize'"):
            explainer.rows(url, "prize")
        (row,) = explainer.rows(url)
        healthy.store.bodies.remove(row.row.page_sha256 or "")
        (gone,) = explainer.rows(url)
    assert gone.seen is None and "no longer kept" in dict(gone.facts())["not shown"]
    assert "no longer kept" in explained_html("shop/product", gone)


def test_a_value_is_one_short_line_without_what_a_terminal_obeys() -> None:
    assert one_line("a\x1b[31m\nb") == "a [31m b" and one_line(None) == "nothing"
    assert one_line(["a"]) == '["a"]' and len(one_line("x" * 900)) == 301
    assert minute(None) == "never"
