"""Prices that a page says and that are not the product's: of another kind, unit, customer or day."""

from decimal import Decimal

from tests.drift.market_case import ALL, PAGES, SHOWN, Case, Kinds
from tests.drift.market_pages import Look, money

KINDS = Kinds()


def _first(case: Case, amount: Decimal, words: str, attributes: str = "") -> None:
    """Another amount in an element of the same class, before the price."""
    case.card.before["price"] = (
        f'<span class="price"{attributes}>{money(amount)}</span> <small>{words}</small> '
    )


def _instead(case: Case, amount: Decimal, words: str) -> None:
    """Another amount in the place of the price, with words around it; JSON has a key that says so."""
    case.card.says(price=amount)
    case.card.inside["price"] = words


# -- one kind of evidence against another ---------------------------------------------


@KINDS.of(Look.LINKED)
def stated_price_lower(case: Case) -> None:
    """Only JSON-LD has another price, a tenth lower."""
    case.card.stated["price"] = case.times("0.9")


@KINDS.of(Look.LINKED)
def stated_price_half(case: Case) -> None:
    case.card.stated["price"] = case.times("0.5")


@KINDS.of(Look.LINKED)
def stated_price_hundredth(case: Case) -> None:
    case.card.stated["price"] = case.times("0.01")


@KINDS.of(Look.LINKED)
def shown_price_lower(case: Case) -> None:
    """Only the page shows another price; JSON-LD is right."""
    case.card.shown["price"] = case.times("0.9")


@KINDS.of(Look.LINKED)
def stale_linked_data(case: Case) -> None:
    """JSON-LD is five days old, the page is right."""
    case.card.stated.update(_volatile(case, 5))


@KINDS.of(Look.LINKED)
def stale_page(case: Case) -> None:
    """The page is five days old, JSON-LD is right."""
    case.card.shown.update(_volatile(case, 5))


@KINDS.of(Look.LINKED)
def stated_price_of_yesterday(case: Case) -> None:
    """JSON-LD is made every few hours, the page at once."""
    case.card.stated["price"] = case.card.product.before(1)["price"]


def _volatile(case: Case, days: int) -> dict[str, object]:
    past = case.card.product.before(days)
    return {name: past[name] for name in ("price", "reviews", "rating", "stock")}


@KINDS.of(*ALL)
def cached_page(case: Case) -> None:
    """A cache answers with the whole page of three days ago, and says so."""
    past = dict(case.card.product.before(3))
    past.setdefault("list_price", None)
    for target in (case.card.stated, case.card.shown):
        target.pop("list_price", None)
        target.update({k: v for k, v in past.items() if v is not None})
    case.sheet.headers.update({"age": "259200", "x-cache": "HIT"})


# -- another price than that of one piece for everybody -------------------------------


@KINDS.of(*SHOWN)
def member_price(case: Case) -> None:
    """The price for members stands first, in the same class."""
    _first(case, case.times("0.93"), "for members")
    case.card.stated["price"] = case.times("0.93")


@KINDS.of(Look.JSON)
def api_member_price(case: Case) -> None:
    """`price` is what members pay; the true one has a new key."""
    case.card.extra["regular_price"] = float(case.price)
    case.card.stated["price"] = case.times("0.93")


@KINDS.of(*SHOWN)
def unit_price_first(case: Case) -> None:
    """The price of a kilogram stands before the price, in the same class."""
    _first(case, _per_kilogram(case), "/ kg")
    case.card.stated["price"] = _per_kilogram(case)


@KINDS.of(*ALL)
def unit_price_instead(case: Case) -> None:
    """The price of a kilogram in the place of the price."""
    _instead(case, _per_kilogram(case), "{} / kg")


def _per_kilogram(case: Case) -> Decimal:
    return case.times(1 / max(case.true["weight"], Decimal("0.5")))


@KINDS.of(*ALL)
def price_of_100_grams(case: Case) -> None:
    _instead(case, case.times(Decimal("0.1") / case.true["weight"]), "{} / 100 g")


@KINDS.of(*ALL)
def from_price(case: Case) -> None:
    """The price of the smallest."""
    _instead(case, case.times("0.85"), "from {}")


@KINDS.of(*ALL)
def net_price(case: Case) -> None:
    """Without tax, as for companies."""
    _instead(case, case.times(1 / 1.19), "{} excl. VAT")


@KINDS.of(*ALL)
def net_price_in_silence(case: Case) -> None:
    """Without tax and without a word."""
    case.card.says(price=case.times(1 / 1.19))


@KINDS.of(*ALL)
def monthly_rate(case: Case) -> None:
    _instead(case, case.times(1 / 12), "{} / month")


@KINDS.of(*ALL)
def bundle_price(case: Case) -> None:
    _instead(case, case.times("1.8"), "2 for {}")


@KINDS.of(*ALL)
def coupon_price(case: Case) -> None:
    _instead(case, case.times("0.9"), "{} with SPRING10")


@KINDS.of(*ALL)
def was_price(case: Case) -> None:
    """What it cost before in the place of what it costs."""
    _instead(case, case.times("1.25"), "was {}")


@KINDS.of(*SHOWN)
def list_price_first(case: Case) -> None:
    """The struck price comes first and has the price's class; JSON-LD is right."""
    case.card.before["price"] = (
        f'<s><span class="price">{money(case.times("1.25"))}</span></s> '
    )


@KINDS.of(*PAGES, Look.LISTING)
def hidden_price_first(case: Case) -> None:
    """A trap: an amount nobody sees, in the price's class."""
    _first(
        case, case.times(f"{case.rng.uniform(0.6, 1.6)}"), "", ' style="display:none"'
    )


@KINDS.of(*ALL)
def variant_price(case: Case) -> None:
    """Of the large one, which is chosen now."""
    case.card.says(price=case.times("1.15"))


@KINDS.of(*ALL)
def price_of_another(case: Case) -> None:
    case.card.says(price=case.other.values["price"])


# -- the same goods to another customer -----------------------------------------------


@KINDS.of(*ALL)
def other_country(case: Case) -> None:
    """Another country's price in the same currency."""
    case.card.says(price=case.times("1.08"))


@KINDS.of(*ALL)
def other_currency(case: Case) -> None:
    """In dollars, and all of the page says so."""
    case.card.says(price=case.times("1.08"), currency="USD")
    case.card.texts["price"] = money(case.times("1.08")).replace("€", "$")


@KINDS.of(*ALL)
def other_currency_same_code(case: Case) -> None:
    """In dollars, but the code still says euro."""
    case.card.says(price=case.times("1.08"))
    case.card.texts["price"] = money(case.times("1.08")).replace("€", "$")


@KINDS.of(Look.LINKED, Look.PLAIN, Look.JSON)
def other_code_same_amount(case: Case) -> None:
    """The code says dollar, the amount is the one in euro."""
    case.card.says(currency="USD")


@KINDS.of(*ALL)
def cloaked_price(case: Case) -> None:
    """A crawler is told something up to 15 % beside the truth."""
    case.card.says(price=case.times(f"{case.rng.uniform(0.85, 1.15)}"))


@KINDS.of(*ALL)
def placeholder_price(case: Case) -> None:
    case.card.says(price=Decimal(9999))


@KINDS.of(*ALL)
def rounded_price(case: Case) -> None:
    case.card.says(price=case.price.quantize(Decimal(1)))


# -- an API that changes its keys -----------------------------------------------------


@KINDS.of(Look.JSON)
def api_price_in_cents(case: Case) -> None:
    """`price` is in cents now, the amount has a new key."""
    case.card.extra["amount"] = float(case.price)
    case.card.stated["price"] = int(case.price * 100)


@KINDS.of(Look.JSON)
def api_price_of_supplier(case: Case) -> None:
    """`price` is what the shop pays, the amount has a new key."""
    case.card.extra["amount"] = float(case.price)
    case.card.stated["price"] = case.times("0.8")


@KINDS.of(Look.JSON)
def api_price_left_behind(case: Case) -> None:
    """The old key is no longer written to, a new one of the same shape is."""
    case.card.extra["price_now"] = float(case.price)
    case.card.stated["price"] = case.card.product.before(5)["price"]
