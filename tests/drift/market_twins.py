"""Honest changes of the small shop: what looks like the untrue kinds and is true."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from decimal import Decimal

from tests.drift import false_values
from tests.drift.market import Market, Product
from tests.drift.market_case import ALL, DETAIL, PAGES, SHOWN, TEXT, Case, Change
from tests.drift.market_pages import Look, money

Night = Callable[[Market], object]


@dataclass(frozen=True)
class Twin:
    """An honest change: what is true from one night on, what pages say from then on.

    `before` happens four nights earlier.
    """

    name: str
    looks: tuple[Look, ...]
    night: Night | None = None
    says: Change | None = None
    before: Night | None = None

    @property
    def words(self) -> str:
        """Its name for people."""
        return self.name.replace("_", " ")


TWINS: dict[str, Twin] = {}


def twins(
    looks: Collection[Look] = ALL, names: Collection[str] = ()
) -> Iterator[tuple[Look, Twin]]:
    """Every twin in every family it is made for, family by family; `names` of none are all."""
    for look in looks:
        for twin in TWINS.values():
            if look in twin.looks and (not names or twin.name in names):
                yield look, twin


def _true(*looks: Look, before: Night | None = None) -> Callable[[Night], Night]:
    """Register what becomes true."""

    def register(function: Night) -> Night:
        name = function.__name__
        TWINS[name] = Twin(name, looks, night=function, before=before)
        return function

    return register


def _said(*looks: Look) -> Callable[[Change], Change]:
    """Register what pages say from now on."""

    def register(function: Change) -> Change:
        name = function.__name__
        TWINS[name] = Twin(name, looks, says=function)
        return function

    return register


def _reprice(product: Product, factor: Decimal) -> None:
    product.base = (product.base * factor).quantize(Decimal("0.01"))
    for name in ("price", "list_price"):
        if name in product.values:
            amount = product.values[name] * factor
            product.values[name] = amount.quantize(Decimal("0.01"))


# -- prices ---------------------------------------------------------------------------


@_true(*ALL)
def everything_dearer(market: Market) -> None:
    """By 8 %."""
    for product in market.products:
        _reprice(product, Decimal("1.08"))


@_true(*ALL)
def tax_changed(market: Market) -> None:
    """From 19 to 21 %."""
    for product in market.products:
        _reprice(product, Decimal("1.21") / Decimal("1.19"))


@_true(*ALL)
def a_third_dearer(market: Market) -> None:
    """By 8 %: one category."""
    for product in market.products[::3]:
        _reprice(product, Decimal("1.08"))


@_true(*ALL)
def prices_end_in_99(market: Market) -> None:
    """All rounded up to so many euro and 99 cents."""
    for product in market.products:
        product.base = Decimal(int(product.base)) + Decimal("0.99")
        market.end_sale(product)


@_true(*ALL)
def prices_rounded(market: Market) -> None:
    """All to whole euro, for a night."""
    for product in market.products:
        product.base = product.base.quantize(Decimal(1)).quantize(Decimal("0.01"))
        market.end_sale(product)


@_true(*ALL)
def a_sale_begins(market: Market) -> None:
    """Everything is reduced, and says what it cost."""
    for product in market.products:
        if not product.sale_days:
            market.begin_sale(product)


def _sale_of_a_third(market: Market) -> None:
    for product in market.products[::3]:
        market.begin_sale(product)
        product.sale_days = 9


@_true(*ALL, before=_sale_of_a_third)
def a_sale_ends(market: Market) -> None:
    for product in market.products:
        market.end_sale(product)


@_true(*ALL)
def old_prices_added(market: Market) -> None:
    """Everything has a struck recommended price; prices stay."""
    for product in market.products:
        dearer = (product.values["price"] * Decimal("1.2")).quantize(Decimal("0.01"))
        product.values["list_price"] = dearer
        product.sale_days = 9


@_true(*ALL)
def currency_changed(market: Market) -> None:
    """The shop sells in dollars from now on, for a little more."""
    for product in market.products:
        _reprice(product, Decimal("1.08"))
        product.values["currency"] = "USD"


@_true(*ALL)
def one_price_halved(market: Market) -> None:
    """Of a single product, without the old one."""
    _reprice(market.products[7], Decimal("0.5"))


@_true(*ALL)
def one_price_raised(market: Market) -> None:
    _reprice(market.products[7], Decimal("1.15"))


# -- names and numbers ----------------------------------------------------------------


@_true(*ALL)
def a_brand_renamed(market: Market) -> None:
    """Everywhere."""
    for product in market.products:
        if product.values["brand"] == "Birka":
            product.values["brand"] = "Birka Home"


@_true(*ALL)
def all_names_prefixed(market: Market) -> None:
    """The shop calls its goods differently, everywhere."""
    for product in market.products:
        product.values["name"] = f"Market {product.values['name']}"


@_true(*ALL)
def one_name_corrected(market: Market) -> None:
    values = market.products[7].values
    values["name"] = f"{values['name']} with cord"


@_true(*ALL)
def one_brand_corrected(market: Market) -> None:
    market.products[7].values["brand"] = "Lindqvist"


@_true(*DETAIL)
def a_category_renamed(market: Market) -> None:
    for product in market.products:
        if product.values["category"] == "Garden":
            product.values["category"] = "Garden and Balcony"


@_true(*DETAIL)
def descriptions_rewritten(market: Market) -> None:
    for product in market.products:
        words = product.values["description"].split()
        product.values["description"] = " ".join([*words[:4], "new", *words[:3:-1]])


@_true(*DETAIL)
def images_moved(market: Market) -> None:
    """To another host."""
    for product in market.products:
        file = product.values["image"].rsplit("/", 1)[1]
        product.values["image"] = f"https://cdn.example/market/{file}"


@_true(*DETAIL)
def restocked(market: Market) -> None:
    for product in market.products:
        product.values["stock"] = 100


@_true(*DETAIL)
def a_tenth_sold_out(market: Market) -> None:
    for product in market.products[::10]:
        product.values["stock"] = 0


@_true(*ALL)
def reviews_withdrawn(market: Market) -> None:
    """A tenth of the goods cannot be reviewed any more."""
    for product in market.products[::10]:
        product.values.pop("reviews", None)


@_true(*ALL)
def reviews_cleared(market: Market) -> None:
    """Only those of buyers are kept."""
    for product in market.products:
        product.values["reviews"] = product.values["reviews"] * 3 // 5


@_true(*DETAIL)
def dates_corrected(market: Market) -> None:
    """Of a twentieth of the products."""
    for product in market.products[::20]:
        product.values["released"] = product.values["released"].replace(day=15)


# -- rows -----------------------------------------------------------------------------


@_true(Look.LISTING)
def twenty_new_rows(market: Market) -> None:
    market.grow(20)


@_true(Look.LISTING)
def twenty_rows_gone(market: Market) -> None:
    market.unlisted.update(range(30, 130, 5))


@_true(Look.LISTING)
def reviews_taken_away(market: Market) -> None:
    """Of four rows: the shop no longer believes them."""
    for product in market.products[5:200:50]:
        del product.values["reviews"]


@_true(Look.LISTING)
def rows_sorted_by_price(market: Market) -> None:
    market.by_price = True


@_true(Look.LISTING)
def dearer_goods_instead(market: Market) -> None:
    """The list has other goods from one night on, all twelve times as dear."""
    former = market.listed()
    market.unlisted.update(product.number for product in former)
    market.grow(len(former))
    for product in market.listed():
        _reprice(product, Decimal(12))


# -- what stands beside, around and above ---------------------------------------------


@_said(*SHOWN)
def unit_price_beside(case: Case) -> None:
    """Small, behind the price, in an element of its own."""
    amount = money(case.times(1 / case.true["weight"]))
    case.card.after["price"] = f' <small class="unit">{amount} / kg</small>'


@_said(*SHOWN)
def member_price_beside(case: Case) -> None:
    amount = money(case.times("0.93"))
    case.card.after["price"] = f' <small class="member">{amount} for members</small>'


@_said(*SHOWN)
def monthly_rate_beside(case: Case) -> None:
    amount = money(case.times(1 / 12))
    case.card.after["price"] = f' <small class="rate">or {amount} / month</small>'


@_said(*SHOWN)
def coupon_beside(case: Case) -> None:
    case.card.after["price"] = " <small>10% off with SPRING10</small>"


@_said(*SHOWN)
def a_word_from(case: Case) -> None:
    """Before every price, which stays."""
    case.card.inside["price"] = "from {}"


@_said(*SHOWN)
def words_a_piece(case: Case) -> None:
    case.card.inside["price"] = "{} / piece"


@_said(*SHOWN)
def words_on_tax(case: Case) -> None:
    case.card.inside["price"] = "{} incl. VAT"


@_said(*SHOWN)
def code_for_sign(case: Case) -> None:
    """EUR 24.90 for €24.90."""
    for name in ("price", "list_price"):
        if name in case.card.shown:
            case.card.texts[name] = case.card.text(name).replace("€", "EUR ")


@_said(*PAGES)
def labels_renamed(case: Case) -> None:
    case.card.labels.update(sku="Item no.", released="On sale since", weight="Heft")


@_said(Look.PLAIN)
def linked_data_added(case: Case) -> None:
    case.sheet.islands = True


@_said(Look.LINKED)
def linked_data_removed(case: Case) -> None:
    case.sheet.islands = False


@_said(*PAGES, Look.LISTING)
def titles_changed(case: Case) -> None:
    case.sheet.title = "{} – Market Online: good things"


@_said(*PAGES, Look.LISTING)
def a_banner(case: Case) -> None:
    case.sheet.notice = (
        '<p class="notice">Our warehouse moves: delivery takes 8 days. €5.00 off.</p>'
    )


@_said(*DETAIL)
def related_removed(case: Case) -> None:
    case.sheet.related = ()


@_said(*PAGES, Look.LISTING)
def young_in_a_cache(case: Case) -> None:
    """A cache answers with what is true."""
    case.sheet.headers.update({"age": "30", "x-cache": "HIT"})


@_said(Look.JSON)
def keys_added(case: Case) -> None:
    case.card.extra.update(eco_score="B", price_level=3, colour="oak")


@_said(Look.JSON)
def recommended_price_added(case: Case) -> None:
    """A new key of the price's shape."""
    case.card.extra["recommended_price"] = float(case.times("1.2"))


@_said(Look.LISTING)
def sponsored_beside_the_list(case: Case) -> None:
    """In a box of its own above the list."""
    name = case.other.values["name"]
    case.sheet.notice = f'<div class="promo"><a href="https://ads.example/1">{name}</a> <b>€9.99</b></div>'


for _name in ("apostrophe_grouping",):
    # Another notation that is read as what it says; of others the family's is learned.
    TWINS[_name] = Twin(_name, TEXT, says=false_values.KINDS[_name].change)
