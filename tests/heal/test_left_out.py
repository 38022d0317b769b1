"""A first version without the optional fields that its examples do not teach."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import BaseModel, HttpUrl

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.family import Family
from crawloop_assets.heal.left_out import without_fields
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.page import Page
from tests.heal.town import GOODS, Good, Town, good, old


class Linked(BaseModel):
    """A good that is told apart by the address of its page."""

    url: HttpUrl
    title: str
    price: Decimal


LINKED = Family.model_validate(
    {"family": "town/link", "schema": "tests.heal.test_left_out:Linked", "discover": {}}
)
KEYED = GOODS.model_copy(update={"key": ("maker",)})


def learned(tmp_path: Path, *known: dict[str, Any], family: Any = GOODS) -> Any:
    town = Town(tmp_path)
    pages = [old(GOODS, at, good(at)) for at in range(6)]
    return town, town.learn(family, pages, known)


def said(at: int, **more: str) -> dict[str, Any]:
    return {"title": good(at)["title"], "price": good(at)["price"], **more}


def test_what_nothing_reads_of_an_optional_field_leaves_that_field_out(
    tmp_path: Path,
) -> None:
    known = [said(at, stock="many of them") for at in range(3)]
    town, made = learned(tmp_path, *known)
    assert made.outcome is RegenerationOutcome.AWAITING_REVIEW, made.reason
    assert "stock is left out: the example of http://town.test/p/0 says" in made.reason
    assert "write what the page shows, or leave the field out" in made.reason
    assert made.scores.unnamed == ("stock",) and made.scores.probation
    assert made.scores.unread == () and made.scores.preview
    assert "stock is in no example" not in made.reason, "three have it"
    assert '"stock"' not in made.program
    assert town.store.active(GOODS.family) is None, "nothing is published"


class Kept(Good):
    """A good that may be sold by now."""

    stock: str | None = "on the shelf"
    sold: bool = False


def test_what_records_have_of_the_model_where_nothing_is_read_is_said(
    tmp_path: Path,
) -> None:
    """Also of what no example has."""
    kept = GOODS.model_copy(update={"record_schema": "tests.heal.test_left_out:Kept"})
    known = [said(at, sold="False") for at in range(3)]
    _, made = learned(tmp_path, *known, family=kept)
    assert "nothing reads sold: every record has the model's own False" in made.reason
    of_stock = "nothing reads stock: every record has the model's own on the shelf"
    assert of_stock in made.reason
    assert "nothing reads title" not in made.reason


def test_what_is_read_of_one_example_stays_in_doubt(tmp_path: Path) -> None:
    known = [said(at, maker=good(at)["maker"]) for at in range(3)]
    _, whole = learned(tmp_path / "a", *known)
    assert whole.outcome is RegenerationOutcome.PROMOTED
    assert "stock is in no example and read nowhere" in whole.reason
    _, made = learned(tmp_path / "b", *known, said(3, stock="none at all"))
    assert made.outcome is RegenerationOutcome.AWAITING_REVIEW
    assert made.scores.unnamed == ("stock",)
    assert '"maker"' in made.program


def rejected(made: Regeneration) -> bool:
    return made.outcome is RegenerationOutcome.REJECTED and made.scores is not None


def test_a_value_that_is_read_otherwise_a_required_one_and_a_key_reject(
    tmp_path: Path,
) -> None:
    right = [said(at, maker=good(at)["maker"]) for at in range(3)]
    wrong = said(3, maker="Somebody Else")
    _, made = learned(tmp_path / "a", *right, wrong)
    assert rejected(made) and [one.got != "" for one in made.scores.unread] == [True]
    _, made = learned(tmp_path / "b", *right, {"title": "No such thing", "price": "1"})
    assert rejected(made) and made.scores.unread
    nowhere = [said(at, maker=f"Nobody {at}") for at in range(3)]
    _, made = learned(tmp_path / "c", *nowhere)
    assert made.outcome is RegenerationOutcome.AWAITING_REVIEW
    _, made = learned(tmp_path / "d", *nowhere, family=KEYED)
    assert rejected(made)


def stating(at: int, label: str) -> Page:
    """A page of a good; every other one states the name of a thing, and no address."""
    thing = " itemscope itemtype='https://schema.org/Product'"
    thing, name = (thing, " itemprop='name'") if at % 2 else ("", "")
    row = good(at)
    body = (
        f"<html><head><title>{row['title']}</title></head><body><main{thing}><h1{name}>{row['title']}"
        f"</h1><dl><dt>{label}</dt><dd>${row['price']}</dd></dl></main></body></html>"
    )
    url = f"http://town.test/l/{at}"
    return Page(url=url, body=body.encode(), headers={"content-type": "text/html"})


def test_an_address_that_no_page_ever_stated_is_not_lost(tmp_path: Path) -> None:
    town = Town(tmp_path)
    town.learn(LINKED, [stating(at, "Price") for at in range(8)], [said(0), said(1)])
    (first,) = town.store.crawlers(LINKED.family)
    assert "md:Product.url" in first.body, "it has a reader, of what may be stated"
    town.refresh(LINKED, [stating(at, "Price") for at in range(8)])
    assert town.refresh(LINKED, [stating(at, "Our offer") for at in range(8)])
    made = town.regenerate(LINKED)
    assert made.outcome is RegenerationOutcome.PROMOTED, made.reason


def test_a_sample_may_know_nothing_of_some_fields() -> None:
    sample = HealSample((), (Example(page=0, records=(said(0, stock="3"),)),))
    (left,) = without_fields(sample, frozenset({"stock"})).known
    assert left.records == (said(0),)
