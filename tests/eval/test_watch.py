"""The drift checks over pages as a family with a quiet past sees them."""

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.eval.lost import PAGES
from crawloop_assets.eval.schemas import Product
from crawloop_assets.eval.watch import QUIET_DAYS, Watch
from crawloop_assets.page import Page, Verdict
from crawloop_assets.schema import schema_of

SCHEMA = schema_of(Product)


def page(number: int, price: str = "12.50") -> Page:
    html = (
        f"<html><body><h1>Kettle {number}</h1><p>One of many kettles on sale here.</p>"
        f"<b class='price'>{price}</b><i>Acme</i></body></html>"
    )
    headers = {"content-type": "text/html; charset=utf-8"}
    url = f"https://shop.example/{number}"
    return Page(url=url, body=html.encode(), headers=headers)


def reading(**values: str) -> Extraction:
    return Extraction(records=(ExtractedRecord(values=dict(values)),))


@pytest.fixture
def watch() -> Watch:
    return Watch(SCHEMA, FamilyKind.DETAIL, {"price"})


def test_required_fields_are_added_to_those_of_the_schema(watch: Watch) -> None:
    assert watch.schema.field("price").required
    assert not watch.schema.field("brand").required
    assert not SCHEMA.field("price").required


def test_a_record_without_a_required_field_is_no_value(watch: Watch) -> None:
    good = watch.outcome(page(1), reading(price="12.50", brand="Acme"))
    assert good.values == ({"price": "12.50", "brand": "Acme"},)
    assert good.verdict is Verdict.OK
    assert watch.outcome(page(1), reading(brand="Acme")).values == ()
    assert watch.outcome(page(1), reading(price="")).values == ()


def test_a_page_read_again_knows_its_own_last_record(watch: Watch) -> None:
    again = watch.again(page(1), reading(price="12.50"))
    assert again.previous == again.values == ({"price": "12.50"},)


def test_captures_of_one_url_are_pages_of_their_own(watch: Watch) -> None:
    one = watch.outcome(page(1, "12.50"), reading(price="12.50"))
    other = watch.outcome(page(1, "13.00"), reading(price="13.00"))
    assert one.url != other.url


def test_quiet_days_make_a_history_without_drift(watch: Watch) -> None:
    pages = [(page(n), reading(price="12.50", brand="Acme")) for n in range(3)]
    first = [watch.outcome(*one) for one in pages]
    later = [watch.again(*one) for one in pages]
    history = watch.quiet_days(first, later)
    assert len(history) == QUIET_DAYS
    assert not any(day.drifted for day in history)
    noticed = watch.noticed(history, later)
    assert [one.held for one in noticed] == [False] * 3


def test_pages_whose_price_is_gone_are_noticed(watch: Watch) -> None:
    pages = [(page(n), reading(price="12.50", brand="Acme")) for n in range(3)]
    history = watch.quiet_days(
        [watch.outcome(*one) for one in pages], [watch.again(*one) for one in pages]
    )
    empty = [watch.outcome(page(n), reading(brand="Acme")) for n in range(3)]
    noticed = watch.noticed(history, empty)
    assert all(one.held and one.kept is None for one in noticed)
    assert any("error" in word for word in noticed[0].why)


def test_pages_whose_brand_alone_is_gone_are_served_in_part(watch: Watch) -> None:
    pages = [
        (page(n), reading(price="12.50", brand="Acme", sku=f"K{n}")) for n in range(8)
    ]
    history = watch.quiet_days(
        [watch.outcome(*one) for one in pages], [watch.again(*one) for one in pages]
    )
    known = [{"price": "12.50", "brand": "Acme", "sku": f"K{n}"} for n in range(8)]
    bare = [
        watch.outcome(page(n), reading(price="12.50", sku=f"K{n}"), [known[n]])
        for n in range(8)
    ]
    noticed = watch.noticed(history, bare)
    assert [(one.held, one.kept) for one in noticed] == [(False, {"brand"})] * 8
    assert any("coverage" in word for word in noticed[0].why)


def test_what_is_no_page_is_held(watch: Watch) -> None:
    headers = {"content-type": "text/html; charset=utf-8"}
    login = Page(url="https://shop.example/1", body=PAGES["login"], headers=headers)
    assert watch.held(login, Extraction())
    assert not watch.held(page(1), reading(price="12.50"))
