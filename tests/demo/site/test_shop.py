import json
import re
from collections.abc import Callable
from decimal import Decimal
from html import unescape
from urllib.parse import urlsplit

import pytest

from crawloop_assets.demo.site import Break, Layout, Only, Shop, ShopPart
from crawloop_assets.demo.site.views import english, german
from schemas.api_product import ApiProduct
from schemas.offer import Offer
from schemas.product import Product

EVERY_LAYOUT = pytest.mark.parametrize("layout", list(Layout))


def get(shop: Shop, url: str, **headers: str) -> str:
    parts = urlsplit(url)
    answer = shop.respond(
        "GET", parts.path + (f"?{parts.query}" if parts.query else ""), headers
    )
    assert answer.status == 200
    return answer.body.decode()


def visible(html: str) -> str:
    html = re.sub(r"<(script|style|svg|head)\b.*?</\1>", "", html, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", html)).split())


def classes(html: str) -> set[str]:
    return {
        name for value in re.findall(r'class="([^"]*)"', html) for name in value.split()
    }


@pytest.fixture
def shop() -> Shop:
    return Shop()


def products(shop: Shop) -> dict[str, Product]:
    return {url: records[0] for url, records in shop.truth(Product).items()}


def test_the_goods_are_many_distinct_and_always_the_same(shop: Shop) -> None:
    known = products(shop)
    assert len(known) == 300
    assert (
        len({one.sku for one in known.values()})
        == len({one.title for one in known.values()})
        == 300
    )
    assert shop.truth(Product) == Shop().truth(Product) != Shop(8).truth(Product)
    sale = [one for one in known.values() if one.list_price]
    assert 60 < len(sale) < 120 and all(
        one.list_price and one.list_price > one.price for one in sale
    )
    assert {one.availability.value for one in known.values()} == {
        "in stock",
        "out of stock",
        "pre-order",
    }
    assert 5 < sum(one.rating is None for one in known.values()) < 40


@EVERY_LAYOUT
def test_every_true_value_stands_on_its_page(shop: Shop, layout: Layout) -> None:
    shop.redesign(layout)
    money = german if layout is Layout.B else english
    for url, one in products(shop).items():
        html = get(shop, url)
        text = visible(html)
        for value in (
            one.title,
            one.brand,
            one.sku,
            one.description,
            one.availability.capitalize(),
            money(one.price),
        ):
            assert value in text, (url, value)
        assert one.list_price is None or money(one.list_price) in text
        assert one.rating is None or any(
            f"{one.rating} {of} 5" in html + text for of in ("of", "out of")
        )
        assert one.reviews is None or str(one.reviews) in text
        assert one.currency in html
        assert urlsplit(str(one.image)).path in html


@EVERY_LAYOUT
def test_pages_weigh_and_mislead_like_real_ones(shop: Shop, layout: Layout) -> None:
    shop.redesign(layout)
    for url, one in list(products(shop).items())[::40]:
        html = get(shop, url)
        assert 14_000 < len(html) < 45_000
        assert len(re.findall(r"\d+[.,]\d\d\b", visible(html))) > 8, (
            "other prices than the right one"
        )
        assert visible(html).count(one.brand) >= 1


def test_layouts_have_nothing_in_common_but_the_content(shop: Shop) -> None:
    urls = [next(iter(shop.truth(Product))), next(iter(shop.truth(Offer)))]
    for url in urls:
        seen = []
        for layout in Layout:
            shop.redesign(layout)
            html = get(shop, url)
            assert get(shop, url) == html
            seen.append(classes(html))
        assert not (seen[0] & seen[1] or seen[1] & seen[2] or seen[0] & seen[2])


def test_only_layout_a_has_json_ld_and_only_c_microdata(shop: Shop) -> None:
    url = next(iter(shop.truth(Product)))
    found = {}
    for layout in Layout:
        shop.redesign(layout)
        html = get(shop, url)
        found[layout.value] = ("ld+json" in html, "itemprop" in html)
    assert found == {"A": (True, False), "B": (False, False), "C": (False, True)}


@EVERY_LAYOUT
def test_listings_have_all_products_in_order(shop: Shop, layout: Layout) -> None:
    shop.redesign(layout)
    listed = []
    for url, offers in shop.truth(Offer).items():
        html = get(shop, url)
        assert 14_000 < len(html) < 50_000
        places = [
            html.rindex(f'href="{urlsplit(str(offer.url)).path}"') for offer in offers
        ]
        assert len(offers) <= 20
        if layout is Layout.C:
            assert places == sorted(places)
        money = german if layout is Layout.B else english
        assert all(money(offer.price) in visible(html) for offer in offers)
        listed += [str(offer.url) for offer in offers]
    assert sorted(listed) == sorted(shop.truth(Product))


@EVERY_LAYOUT
def test_listings_link_to_the_next_page(shop: Shop, layout: Layout) -> None:
    shop.redesign(layout)
    path, seen = "/category/kitchen", []
    while path:
        seen.append(path)
        html = get(shop, path)
        found = re.search(r'rel="next" href="([^"]+)"', html)
        path = found[1] if found else ""
    assert seen == [
        "/category/kitchen",
        "/category/kitchen?page=2",
        "/category/kitchen?page=3",
    ]
    assert shop.respond("GET", "/category/kitchen?page=4", {}).status == 404


ROWS: dict[Layout, tuple[Callable[[dict], list], Callable[[dict], tuple]]] = {  # type: ignore[type-arg]
    Layout.A: (
        lambda data: data["items"],
        lambda row: (row["sku"], row["name"], row["price"]["amount"], row["stock"]),
    ),
    Layout.B: (
        lambda data: data["data"],
        lambda row: (
            row["attributes"]["articleNumber"],
            row["attributes"]["title"],
            row["attributes"]["pricing"]["current"],
            row["attributes"]["inventory"]["quantity"],
        ),
    ),
    Layout.C: (
        lambda data: [edge["node"] for edge in data["result"]["catalogue"]["edges"]],
        lambda row: (
            row["code"],
            row["productTitle"],
            row["priceRange"]["min"]["amount"],
            row["availableQuantity"],
        ),
    ),
}


@EVERY_LAYOUT
def test_the_api_says_the_same_under_other_names(shop: Shop, layout: Layout) -> None:
    shop.redesign(layout)
    rows_of, facts_of = ROWS[layout]
    pages = shop.truth(ApiProduct)
    assert len(pages) == 15
    for url, records in pages.items():
        facts = [facts_of(row) for row in rows_of(json.loads(get(shop, url)))]
        assert [
            (sku, name, Decimal(str(price)), stock) for sku, name, price, stock in facts
        ] == [(one.sku, one.name, one.price, one.stock) for one in records]
    first = shop.items[0]
    assert facts_of(json.loads(get(shop, f"/api/products/{first.id}")))[0] == first.sku


def test_a_partial_redesign_keeps_to_its_part(shop: Shop) -> None:
    urls = list(shop.truth(Product))
    before = {url: get(shop, url) for url in urls}
    shop.redesign(
        "B", Only(parts=frozenset({ShopPart.PRODUCT}), categories=frozenset({"audio"}))
    )
    audio = {
        url
        for url, one in zip(urls, shop.items, strict=True)
        if one.category.slug == "audio"
    }
    assert {url for url in urls if get(shop, url) != before[url]} == audio
    assert "product-grid" in get(shop, "/category/audio")
    shop.redesign("C", Only(parts=frozenset({ShopPart.PRODUCT}), share=0.3))
    in_c = {url for url in urls if "itemprop" in get(shop, url)}
    assert 60 < len(in_c) < 120
    assert audio - in_c and all("data-testid" in get(shop, url) for url in audio - in_c)
    shop.redesign("A")
    assert {url: get(shop, url) for url in urls} == before


def test_prices_change_with_the_pages_and_the_truth_together(shop: Shop) -> None:
    before = products(shop)
    changed = shop.change_prices(0.25)
    after = products(shop)
    assert {
        one.sku for url, one in after.items() if one.price != before[url].price
    } == set(changed)
    assert 45 < len(changed) < 105
    assert all(
        english(one.price) in visible(get(shop, url)) for url, one in after.items()
    )
    other = Shop()
    assert other.change_prices(0.25) == changed and products(other) == after


@pytest.mark.parametrize(
    "kind",
    ["net_price", "swapped_prices", "neighbour", "one_price", "cents", "cut_titles"],
)
def test_a_value_break_changes_pages_but_not_the_truth(shop: Shop, kind: str) -> None:
    known = products(shop)
    healthy = {url: get(shop, url) for url in known}
    shop.break_(kind, Only(parts=frozenset({ShopPart.PRODUCT})))
    wrong = [url for url in known if get(shop, url) != healthy[url]]
    assert len(wrong) > 40
    assert products(shop) == known
    shop.mend()
    assert all(get(shop, url) == healthy[url] for url in known)


def test_troubles_answer_as_sites_in_trouble_do(shop: Shop) -> None:
    path = shop.items[0].path
    told = {}
    for kind in (
        "soft_404",
        "login",
        "consent",
        "challenge",
        "shell",
        "maintenance",
        "error",
        "throttled",
    ):
        shop.break_(kind, Only(parts=frozenset({ShopPart.PRODUCT})))
        answer = shop.respond("GET", path, {})
        told[kind] = answer.status
        assert shop.items[0].title not in answer.body.decode()
        assert shop.respond("GET", "/category/audio", {}).status == 200
        shop.mend()
    assert (
        told["challenge"] == 403
        and told["maintenance"] == 503
        and told["throttled"] == 429
        and told["error"] == 500
    )
    shop.break_(Break.EMPTY)
    assert (
        shop.items[0].title not in get(shop, "/category/audio").split("bestsellers")[0]
    )


def test_what_is_discontinued_is_gone(shop: Shop) -> None:
    item = shop.items[0]
    shop.discontinue(item.sku)
    assert shop.respond("GET", item.path, {}).status == 410
    assert item.path not in get(
        shop, "/sitemap.xml"
    ) and shop.base_url + item.path not in shop.truth(Product)
    with pytest.raises(KeyError):
        shop.discontinue(item.sku)


def test_unchanged_pages_are_not_sent_again(shop: Shop) -> None:
    path = shop.items[0].path
    first = shop.respond("GET", path, {})
    again = shop.respond("GET", path, {"if-none-match": first.headers["ETag"]})
    assert (again.status, again.body, again.headers["ETag"]) == (
        304,
        b"",
        first.headers["ETag"],
    )
    shop.redesign("B")
    assert (
        shop.respond("GET", path, {"if-none-match": first.headers["ETag"]}).status
        == 200
    )


def test_the_map_of_the_site(shop: Shop) -> None:
    sitemap = get(shop, "/sitemap.xml")
    assert all(
        f"<loc>{url}</loc>" in sitemap
        for url in [*shop.truth(Product), *shop.truth(Offer)]
    )
    assert f"Sitemap: {shop.base_url}/sitemap.xml" in get(shop, "/robots.txt")
    assert shop.respond("GET", "/product/nothing-1001", {}).status == 404
    assert shop.respond("GET", "/none", {}).status == 404
    assert shop.respond("DELETE", "/", {}).status == 405


def test_every_request_is_noted(shop: Shop) -> None:
    shop.respond("GET", "/category/audio?page=2", {"user-agent": "crawloop"})
    shop.respond("GET", "/nothing", {})
    assert [(hit.path, hit.status, hit.agent) for hit in shop.hits] == [
        ("/category/audio?page=2", 200, "crawloop"),
        ("/nothing", 404, ""),
    ]
