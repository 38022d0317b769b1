"""What a page said in the refresh before."""

from dataclasses import replace
from typing import Any

from crawloop_assets.family import Family
from crawloop_assets.serve.reading import Reading
from crawloop_assets.serve.said import said_of
from crawloop_assets.store.past import BatchPast
from tests.serve.readings import reading_of, visit_of

FAMILY = Family.model_validate(
    {
        "family": "shop/row",
        "schema": "tests.models:Numbered",
        "kind": "listing",
        "key": ["sku"],
        "discover": {},
    }
)


def row(sku: str, title: str) -> dict[str, Any]:
    return {"sku": sku, "title": title, "price": "1.00"}


KNOWN = (row("1", "Tea"), row("2", "Cup"))
SAID = (row("1", "Green tea"),)


def reading() -> Reading:
    """A page of which two rows are known."""
    return replace(reading_of(visit_of(1)), previous=KNOWN)


def past(stale: int) -> BatchPast:
    """One row was held, and so many of those that are known are stale."""
    url = reading().url
    return BatchPast(said={url: SAID}, stale={url: stale})


def test_of_a_page_that_was_held_it_is_what_was_held() -> None:
    assert said_of(reading(), past(stale=2), FAMILY) == SAID


def test_of_a_page_whose_other_rows_were_published_it_is_these_too() -> None:
    said = said_of(reading(), past(stale=1), FAMILY)
    assert said == (row("1", "Green tea"), row("2", "Cup"))


def test_where_nothing_was_held_nothing_was_said() -> None:
    assert said_of(reading(), BatchPast(), FAMILY) == ()


def test_what_a_cache_kept_is_not_said_anew() -> None:
    page = reading().visit.page
    assert page is not None
    kept = page.model_copy(update={"headers": {"x-cache": "HIT"}})
    cached = replace(reading(), visit=replace(reading().visit, page=kept))
    assert said_of(cached, past(stale=2), FAMILY) == ()
