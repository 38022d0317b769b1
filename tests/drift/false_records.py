"""Pages that speak of another product than theirs, and lists that are not what they were."""

from copy import deepcopy
from decimal import Decimal

from tests.drift.market import BASE, Product
from tests.drift.market_case import ALL, DETAIL, PAGES, Case, Kinds
from tests.drift.market_pages import Card, Look, card_of, money

KINDS = Kinds()
_IDENTITY = ("name", "brand", "description", "image", "category", "released", "launch")


def _take(case: Case, source: Product | None, *names: str) -> None:
    """The page says another product's values."""
    if source is not None:
        case.card.says(**{name: source.values[name] for name in names})


# -- whose record ---------------------------------------------------------------------


@KINDS.of(*DETAIL)
def key_taken_over(case: Case) -> None:
    """The page states the key of another product, and is right in all else."""
    _take(case, case.following, "sku")


@KINDS.of(Look.LISTING)
def link_taken_over(case: Case) -> None:
    """The row leads to another product."""
    case.card.shown["url"] = case.following.url


@KINDS.of(*DETAIL)
def substitute(case: Case) -> None:
    """Sold out: the page shows another product instead, and says so."""
    card = card_of(case.other)
    case.sheet.cards[0] = card
    case.sheet.notice = (
        '<p class="notice">This article is sold out. You may like this one:</p>'
    )


@KINDS.of(*DETAIL)
def substitute_under_own_key(case: Case) -> None:
    """Another product's values under the own article number."""
    _take(case, case.other, *_IDENTITY, "price", "weight", "reviews", "rating")


@KINDS.of(*PAGES)
def featured_first(case: Case) -> None:
    """A product of the day before the own one, in the same classes."""
    values = case.other.values
    case.sheet.notice = (
        f'<section class="product"><h2 class="name">{values["name"]}</h2>'
        f'<span class="price">{money(values["price"])}</span></section>'
    )


@KINDS.of(*DETAIL)
def reviews_of_another(case: Case) -> None:
    _take(case, case.other, "reviews", "rating")


@KINDS.of(*DETAIL)
def reviews_of_the_shop(case: Case) -> None:
    """The badge of the shop: the same for all."""
    case.card.says(reviews=48_211, rating=Decimal("4.8"))


@KINDS.of(*DETAIL)
def description_of_another(case: Case) -> None:
    _take(case, case.other, "description")


@KINDS.of(*DETAIL)
def image_of_another(case: Case) -> None:
    _take(case, case.other, "image")


# -- exchanged, shifted ---------------------------------------------------------------


@KINDS.of(*ALL)
def exchanged_names(case: Case) -> None:
    _take(case, case.pair, "name")


@KINDS.of(*ALL)
def exchanged_brands(case: Case) -> None:
    _take(case, case.pair, "brand")


@KINDS.of(*ALL)
def exchanged_prices(case: Case) -> None:
    _take(case, case.pair, "price")


@KINDS.of(*ALL)
def exchanged_all(case: Case) -> None:
    """All but the key, the link and the picture."""
    _take(case, case.pair, "name", "brand", "price")


@KINDS.of(*ALL)
def shifted_names(case: Case) -> None:
    """Every product has the name of the next one."""
    _take(case, case.following, "name")


@KINDS.of(*ALL)
def shifted_brands(case: Case) -> None:
    _take(case, case.following, "brand")


@KINDS.of(*ALL)
def shifted_prices(case: Case) -> None:
    _take(case, case.following, "price")


# -- lists ----------------------------------------------------------------------------


@KINDS.of(Look.LISTING, whole=True)
def half_of_the_rows(case: Case) -> None:
    """The others are loaded by a script."""
    del case.sheet.cards[len(case.sheet.cards) // 2 :]


@KINDS.of(Look.LISTING, whole=True)
def rows_without_content(case: Case) -> None:
    """Half of the rows are there, and filled by a script."""
    for card in case.sheet.cards[len(case.sheet.cards) // 2 :]:
        card.row = '<li class="item"><i class="skeleton"></i></li>'


@KINDS.of(Look.LISTING, whole=True)
def hidden_rows(case: Case) -> None:
    """Two traps among the rows, which nobody sees."""
    for number in range(2):
        card = _advert(case, number, f"{BASE}/p/trap-{case.rng.randrange(10**6)}")
        card.row = '<li class="item" style="display:none">{}</li>'
        case.sheet.cards.insert(4 + 9 * number, card)


@KINDS.of(Look.LISTING, whole=True)
def sponsored_of_other_host(case: Case) -> None:
    """Two rows that lead to other shops, with a label."""
    for number in range(2):
        url = f"https://ads.example/go?id={case.rng.randrange(10**6)}"
        card = _advert(case, number, url)
        card.row = '<li class="item"><em>Sponsored</em>{}</li>'
        case.sheet.cards.insert(3 + 7 * number, card)


@KINDS.of(Look.LISTING, whole=True)
def sponsored_of_own_host(case: Case) -> None:
    """Two rows by a counter of the shop, without a label and without reviews."""
    for number in range(2):
        url = f"{BASE}/go/{case.rng.randrange(10**6)}"
        card = _advert(case, number, url)
        del card.shown["reviews"]
        case.sheet.cards.insert(3 + 7 * number, card)


def _advert(case: Case, number: int, url: str) -> Card:
    """A row of a product that the shop does not have."""
    source = case.market.products[case.rng.randrange(60)]
    card = card_of(source)
    card.shown = deepcopy(source.values)
    card.shown.pop("list_price", None)
    card.shown.update(
        url=url,
        name=f"{source.values['name'].rsplit(' ', 1)[0]} Extra {case.rng.randrange(900)}",
        price=source.values["price"] + number + 1,
    )
    return card


@KINDS.of(Look.LISTING, whole=True)
def first_price_for_all(case: Case) -> None:
    """A mistake in the template."""
    first = case.sheet.card.shown["price"]
    for card in case.sheet.cards:
        card.shown["price"] = first


@KINDS.of(Look.LISTING, whole=True)
def first_page_again(case: Case) -> None:
    """The number of the page is not looked at."""
    newest = case.market.products[::-1][: len(case.sheet.cards)]
    case.sheet.cards[:] = [card_of(product) for product in newest]
