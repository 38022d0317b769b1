"""Texts, numbers and dates that a page says in another way, or of something else."""

from datetime import timedelta
from decimal import Decimal

from tests.drift.market_case import ALL, DETAIL, PAGES, TEXT, Case, Kinds
from tests.drift.market_pages import Look

KINDS = Kinds()


def _price_text(case: Case, text: str, *, sign: str = "€{}") -> None:
    """The true amount in another notation, in the page and in JSON."""
    case.card.texts["price"] = sign.format(text)
    case.card.stated["price"] = text


# -- notation -------------------------------------------------------------------------


@KINDS.of(*TEXT, Look.JSON)
def decimal_comma(case: Case) -> None:
    """1.249,00 for 1,249.00."""
    _price_text(case, f"{case.price:,.2f}".translate(str.maketrans(",.", ".,")))


@KINDS.of(*TEXT, Look.JSON)
def thousands_dot(case: Case) -> None:
    """1.249 for 1,249; only what costs so much."""
    if case.price >= 1000:
        _price_text(case, f"{case.price:,.0f}".replace(",", "."))


@KINDS.of(*TEXT, Look.JSON)
def indian_grouping(case: Case) -> None:
    """1,25,000 for 125,000; only what costs so much."""
    if case.price >= 100_000:
        digits, cents = f"{case.price:.2f}".split(".")
        _price_text(case, f"{digits[:-5]},{digits[-5:-3]},{digits[-3:]}.{cents}")


@KINDS.of(*TEXT, Look.JSON)
def full_width_digits(case: Case) -> None:
    wide = {ord(c): ord(c) + 0xFEE0 for c in "0123456789.,"}
    _price_text(case, f"{case.price:,.2f}".translate(wide))


@KINDS.of(*TEXT, Look.JSON)
def arabic_digits(case: Case) -> None:
    letters = str.maketrans("0123456789.,", "٠١٢٣٤٥٦٧٨٩٫٬")
    _price_text(case, f"{case.price:,.2f}".translate(letters))


@KINDS.of(*TEXT, Look.JSON)
def apostrophe_grouping(case: Case) -> None:
    _price_text(case, f"{case.price:,.2f}".replace(",", "’"))


@KINDS.of(*TEXT, Look.JSON)
def narrow_spaces(case: Case) -> None:
    text = f"{case.price:,.2f}".translate(str.maketrans(",.", "\u202f,"))
    _price_text(case, text)


@KINDS.of(*TEXT)
def raised_cents(case: Case) -> None:
    """24<sup>90</sup>: digits without a point between them."""
    whole, cents = f"{case.price:,.2f}".split(".")
    case.card.texts["price"] = whole
    case.card.inside["price"] = f"€{{}}<sup>{cents}</sup>"


# -- texts ----------------------------------------------------------------------------


def _renamed(case: Case, name: str) -> None:
    case.card.says(name=name)


@KINDS.of(*DETAIL)
def category_as_name(case: Case) -> None:
    """The heading is the last crumb before the product."""
    _renamed(case, case.true["category"])
    case.sheet.crumbs = case.true["name"]


@KINDS.of(*ALL)
def prefix_new(case: Case) -> None:
    _renamed(case, f"NEW! {case.true['name']}")


@KINDS.of(*ALL)
def prefix_sale(case: Case) -> None:
    _renamed(case, f"Sale: {case.true['name']}")


@KINDS.of(*ALL)
def name_with_shop(case: Case) -> None:
    _renamed(case, f"{case.true['name']} | Market")


@KINDS.of(*ALL)
def name_with_brand(case: Case) -> None:
    _renamed(case, f"{case.true['brand']} {case.true['name']}")


@KINDS.of(*ALL)
def name_cut_with_dots(case: Case) -> None:
    _renamed(case, f"{case.true['name'][:11].rstrip()}…")


@KINDS.of(*ALL)
def name_cut(case: Case) -> None:
    """Without its last word, and without dots."""
    _renamed(case, case.true["name"].rsplit(" ", 1)[0])


@KINDS.of(*ALL)
def brand_cut(case: Case) -> None:
    """The first word of a brand of several."""
    case.card.says(brand=case.true["brand"].split()[0])


@KINDS.of(*PAGES)
def brand_cut_in_page(case: Case) -> None:
    """The page shows the first word; JSON-LD, where there is some, has all."""
    case.card.shown["brand"] = case.true["brand"].split()[0]


@KINDS.of(*ALL)
def shop_as_brand(case: Case) -> None:
    case.card.says(brand="Market")


@KINDS.of(*DETAIL)
def description_cut(case: Case) -> None:
    case.card.says(description=case.true["description"][:50].rstrip() + "…")


@KINDS.of(*DETAIL)
def description_of_the_shop(case: Case) -> None:
    case.card.says(description=f"Buy {case.true['name']} at Market. Free delivery.")


@KINDS.of(Look.JSON)
def api_supplier_as_brand(case: Case) -> None:
    """`brand` is who delivers, the maker has a new key."""
    case.card.extra["maker"] = case.true["brand"]
    case.card.stated["brand"] = case.rng.choice(("Nordhandel", "Vesta Trade", "Ostmar"))


@KINDS.of(Look.JSON)
def api_number_as_sku(case: Case) -> None:
    """`sku` is a number of the shop's, the article number has a new key."""
    case.card.extra["code"] = case.true["sku"]
    case.card.stated["sku"] = f"{case.card.product.number + 700_000}"


# -- lists, and what is not read --------------------------------------------------------


@KINDS.of(*DETAIL)
def half_of_the_tags(case: Case) -> None:
    """The others are behind a click."""
    case.card.says(tags=case.true["tags"][:2])


@KINDS.of(*DETAIL)
def tags_of_another(case: Case) -> None:
    case.card.says(tags=case.other.values["tags"])


@KINDS.of(*PAGES)
def tags_in_other_markup(case: Case) -> None:
    """They are there, and no reader finds them."""
    case.card.tag = "<b>{}</b> "


@KINDS.of(Look.LISTING)
def reviews_in_other_markup(case: Case) -> None:
    """Of rows with more than forty; they are in the row, and no reader finds them."""
    if case.true["reviews"] > 40:
        case.card.after["brand"] = f'<em class="said">{case.true["reviews"]}</em>'
        del case.card.shown["reviews"]


@KINDS.of(*DETAIL)
def date_in_words(case: Case) -> None:
    """A date that no reader can read."""
    case.card.says(released=f"in the spring of {case.true['released'].year}")


# -- numbers and dates ----------------------------------------------------------------


@KINDS.of(*DETAIL)
def exchanged_stock_and_reviews(case: Case) -> None:
    case.card.says(stock=case.true["reviews"], reviews=case.true["stock"])


@KINDS.of(*DETAIL)
def stock_of_all_stores(case: Case) -> None:
    case.card.says(stock=case.true["stock"] * 7 + 31)


@KINDS.of(*PAGES)
def stock_said_of_all_stores(case: Case) -> None:
    """The same, and the page says so."""
    stock_of_all_stores(case)
    case.card.inside["stock"] = "{} in all stores"


@KINDS.of(*DETAIL)
def stock_capped(case: Case) -> None:
    """No more than ten are told."""
    case.card.says(stock=min(10, case.true["stock"]))


@KINDS.of(*DETAIL)
def weight_of_the_parcel(case: Case) -> None:
    case.card.says(weight=case.true["weight"] + Decimal("0.4"))


@KINDS.of(*DETAIL)
def weight_in_pounds(case: Case) -> None:
    pounds = (case.true["weight"] * Decimal("2.2")).quantize(Decimal("0.1"))
    case.card.says(weight=pounds)
    case.card.texts["weight"] = f"{pounds} lb"


@KINDS.of(*DETAIL)
def weight_in_grams(case: Case) -> None:
    grams = case.true["weight"] * 1000
    case.card.says(weight=grams)
    case.card.texts["weight"] = f"{grams:.0f} g"


@KINDS.of(*DETAIL)
def day_and_month_exchanged(case: Case) -> None:
    """3 December for 12 March, where there is such a day."""
    day = case.true["released"]
    if day.day <= 12 and day.day != day.month:
        case.card.says(released=day.replace(day=day.month, month=day.day))


@KINDS.of(*DETAIL)
def day_before(case: Case) -> None:
    """Midnight here is the day before in the zone of the server."""
    case.card.says(released=case.true["released"] - timedelta(days=1))


@KINDS.of(*DETAIL)
def day_of_the_page(case: Case) -> None:
    """When the page was made."""
    released = case.true["released"].replace(year=2025, month=11, day=3)
    case.card.says(released=released)


@KINDS.of(*DETAIL)
def hours_shifted(case: Case) -> None:
    """The time of another zone."""
    case.card.says(launch=case.true["launch"] + timedelta(hours=2))


@KINDS.of(*DETAIL)
def hours_of_half_a_day(case: Case) -> None:
    """A clock of twelve hours without am and pm."""
    launch = case.true["launch"]
    if launch.hour > 12:
        case.card.says(launch=launch - timedelta(hours=12))
