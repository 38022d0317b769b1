"""For every sign a batch of ten pages that show it, and a past in which it was never seen."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.outcome import BatchStats, OldCopy, PageOutcome
from crawloop_assets.drift.sign import Sign
from tests.drift import small
from tests.drift.shown_prices import (
    frozen,
    kettles,
    late_again,
    late_prices,
    outvoted,
    overlooked,
    prices_in_dollars,
    prices_with,
)

PAGES = 10
SCHEMA = small.schema(
    small.SKU,
    small.TITLE,
    small.STATE,
    small.PRICE,
    small.LIST_PRICE,
    small.WEIGHT,
    small.STOCK,
    small.TAGS,
    small.LINK,
)
_OLD_LAYOUT = tuple(range(1000, 1060))
_NEW_LAYOUT = tuple(range(5000, 5060))

Values = dict[str, Any]


class Shown(NamedTuple):
    """Pages (by number) that show a sign of a subject, and what else the past knew."""

    subject: str
    page: Callable[[int], PageOutcome]
    knew: Mapping[str, Any] = {}
    kind: str = "detail"

    def pages(self) -> list[PageOutcome]:
        """The batch."""
        return [self.page(number) for number in range(PAGES)]

    def past(self, sign: Sign) -> list[BatchStats]:
        """Thirty batches of a hundred units each that never showed the sign."""
        knew = dict(self.knew)
        rates = {f"{sign}:{self.subject}": (0, 100), **knew.pop("rates", {})}
        return small.past(30, batch="b", version=1, pages=100, rates=rates, **knew)


def _reads(values: Values, **looks: Any) -> Callable[[int], PageOutcome]:
    """Every page gives these values and looks like that."""

    def page(number: int) -> PageOutcome:
        return kettles(number, values, facts=small.facts(**looks) if looks else None)

    return page


def _rereads(before: Values, now: Values, **looks: Any) -> Callable[[int], PageOutcome]:
    """Every page gives other values than those it is known for."""

    def page(number: int) -> PageOutcome:
        known = {"sku": f"K-{number}-0", **before}
        facts = small.facts(**looks) if looks else None
        return kettles(number, now, previous=[known], facts=facts)

    return page


def _votes(**vote: Any) -> Callable[[int], PageOutcome]:
    """Every title was voted on like this."""
    made = FieldVote(**{"agreement": 1.0, "live_readers": 3, "readers": 3, **vote})

    def page(number: int) -> PageOutcome:
        return kettles(number, {"title": f"Kettle {number}"}, votes={"title": made})

    return page


def _lists(
    rows: int, next_url: str | None = None, **looks: Any
) -> Callable[[int], PageOutcome]:
    """Every page is a list of so many rows."""

    def page(number: int) -> PageOutcome:
        records = [{"title": f"Kettle {number} {row}"} for row in range(rows)]
        following = next_url and next_url.format(number)
        return kettles(number, *records, next_url=following, facts=small.facts(**looks))

    return page


def _all_rows_are_others(number: int) -> PageOutcome:
    """Three known rows are gone and three others came."""
    known = [{"sku": f"OLD-{number}-{row}"} for row in range(3)]
    return kettles(number, {}, {}, {}, previous=known)


def _named_after_another(number: int) -> PageOutcome:
    """New rows that lead to other things than they name."""
    link = f"https://shop.example/p/copper-kettle-{number}"
    return kettles(number, *({"title": "Oak shelf", "link": link},) * 2)


def _titles_shifted(number: int) -> PageOutcome:
    """Each row has the title of the row after it."""
    titles = ("Copper kettle", "Oak shelf", "Tin lantern", "Wool blanket")
    known = [
        {"sku": f"K-{number}-{row}", "title": title} for row, title in enumerate(titles)
    ]
    shifted = [{"title": title} for title in (*titles[1:], "Clay bowl")]
    return kettles(number, *shifted, previous=known)


def _same_key(number: int) -> PageOutcome:
    """Every record has one and the same key."""
    return kettles(number, {"sku": "K"})


def _all_prices_other(number: int) -> PageOutcome:
    """Six known rows, each with another price."""
    known = [
        {"sku": f"K-{number}-{row}", "price": f"{10 + row}.50"} for row in range(6)
    ]
    now = [{"price": f"{11 + 3 * row}.20"} for row in range(6)]
    return kettles(number, *now, previous=known)


def _heavier_by_the_same(number: int) -> PageOutcome:
    """Every weight has grown by one and the same step."""
    known = {"sku": f"K-{number}-0", "weight": f"{number}.5"}
    return kettles(number, {"weight": f"{number}.9"}, previous=[known])


def _dearer_by_one_ratio(number: int) -> PageOutcome:
    """Every price is another one, 1.08 times what it was."""
    known = {"sku": f"K-{number}-0", "price": f"{100 + number}.00"}
    dearer = f"{(100 + number) * 1.08:.2f}"
    return kettles(number, {"price": dearer}, previous=[known])


def _at_the_price_of_the_next(number: int) -> PageOutcome:
    """Each record costs what the record of the next page did."""
    known = {"sku": f"K-{number}-0", "price": f"{100 + number}.50"}
    return kettles(number, {"price": f"{101 + number}.50"}, previous=[known])


def _far_at_the_price_of_the_next(number: int) -> PageOutcome:
    """The same, and no price ever moved as far."""
    known = {"sku": f"K-{number}-0", "price": f"{100 + 2 * number}.50"}
    return kettles(number, {"price": f"{102 + 2 * number}.50"}, previous=[known])


def _given_by_a_cache(number: int) -> PageOutcome:
    """An old copy with another price."""
    page = _rereads({"price": "10.50"}, {"price": f"{number}.70"})(number)
    return page.model_copy(update={"old_copy": OldCopy.OTHER})


def _contradicted_elsewhere(number: int) -> PageOutcome:
    """A new price of which another page says another one."""
    page = kettles(number, {"price": f"{number}.50"})
    return page.model_copy(update={"elsewhere": ({"price": "99.00"},)})


def _links_to(url: str) -> Callable[[int], PageOutcome]:
    """Every page is a list of two rows with such links."""

    def page(number: int) -> PageOutcome:
        rows = [{"link": url.format(f"{number}-{row}")} for row in range(2)]
        return kettles(number, *rows)

    return page


_OWN_LINKS = {"categories": {"link:link": {"shop.example/p": 100}}}


def _lacks_the_title(number: int) -> PageOutcome:
    """Every row is new, and none says what all known ones said."""
    known = [{"sku": f"OLD-{number}-{row}", "title": "Kettle"} for row in range(5)]
    return kettles(number, *({} for _ in known), previous=known)


def _rekeyed(number: int) -> PageOutcome:
    """Every row is there under another key."""
    rows = [
        {"title": f"Kettle {number}-{row}", "weight": f"{number}.{row}"}
        for row in range(4)
    ]
    known = [{**row, "sku": f"OLD-{number}-{at}"} for at, row in enumerate(rows)]
    return kettles(number, *rows, previous=known)


def _usually(trait: str, category: str) -> dict[str, Any]:
    """A past in which that was what stood around prices."""
    return {"categories": {f"{trait}:price": {category: 100}}}


def _next_ones_title(number: int) -> PageOutcome:
    """Each record has the title that the record of the next page had."""
    titles = [f"Copper kettle {at}" for at in range(PAGES)]
    known = {"sku": f"K-{number}-0", "title": titles[number]}
    return kettles(number, {"title": titles[(number + 1) % PAGES]}, previous=[known])


SHOWN: dict[Sign, Shown] = {
    Sign.DISAGREE: Shown("title", _votes(agreement=0.4, rivals=("Pot",))),
    Sign.RIVAL: Shown("title", _votes(agreement=0.9, rivals=("Pot",))),
    Sign.OUTVOTED: Shown("price", outvoted),
    Sign.SILENT: Shown("title", _votes(live_readers=1)),
    Sign.READER: Shown(
        "title",
        _votes(reader="og:title"),
        {"categories": {"reader:title": {"h1": 100}}},
    ),
    Sign.CONTRADICTION: Shown("title", _votes(against={Kind.SHOWN: "Pot"})),
    Sign.LATE: Shown("price", late_prices),
    Sign.UNTIMELY: Shown("price", late_again),
    Sign.WORDS: Shown(
        "price", prices_with(words="# / kg"), _usually("words", "words #")
    ),
    Sign.BESIDE: Shown(
        "price", prices_with(beside="from #"), _usually("beside", "beside #")
    ),
    Sign.PLACES: Shown("price", prices_with(places=2), _usually("places", "places 1")),
    Sign.HIDDEN: Shown(
        "price", prices_with(hidden=True), _usually("hidden", "hidden False")
    ),
    Sign.HEAD: Shown(
        "title",
        _votes(head="judge"),
        {"categories": {"head:title": {"title": 100}}},
    ),
    Sign.ABROAD: Shown("link", _links_to("https://ads.example/p/{}"), _OWN_LINKS),
    Sign.ASIDE: Shown("link", _links_to("https://shop.example/go/{}"), _OWN_LINKS),
    Sign.OFF_LINK: Shown("title", _named_after_another),
    Sign.ROWS: Shown(
        "", _lists(3, groups=((7, 5),)), {"groups": {"7": (9, 9)}}, "listing"
    ),
    Sign.SHORT: Shown(
        "",
        _lists(3, next_url="https://shop.example/all?after={}"),
        {"categories": {"page_size": {"20": 100}}},
        "listing",
    ),
    Sign.UNPAGED: Shown("", _lists(3, next_link=True), kind="listing"),
    Sign.LOOP: Shown(
        "", _lists(3, next_url="https://shop.example/all"), kind="listing"
    ),
    Sign.MISSING: Shown("title", _reads({})),
    Sign.SCARCE: Shown("state", _reads({})),
    Sign.LOST: Shown("title", _rereads({"title": "Copper kettle"}, {})),
    Sign.VANISHED: Shown(
        "price",
        _rereads({"price": "12.50"}, {}),
        {"rates": {"scarce:price": (0, 100)}},
    ),
    Sign.EMPTIED: Shown("title", _lacks_the_title, kind="listing"),
    Sign.UNREAD: Shown(
        "price",
        _rereads({"price": "12.50"}, {}, stands={"#12.5": True}),
    ),
    Sign.OVERLOOKED: Shown("", overlooked, kind="listing"),
    Sign.REPLACED: Shown("", _all_rows_are_others, kind="listing"),
    Sign.REKEYED: Shown("", _rekeyed, kind="listing"),
    Sign.CHANGED: Shown("title", _rereads({"title": "Kettle"}, {"title": "Pot"})),
    Sign.MOVED: Shown(
        "title",
        _rereads({"title": "Kettle"}, {"title": "Pot"}, template=_NEW_LAYOUT),
        {"layouts": (_OLD_LAYOUT,)},
    ),
    Sign.STILL: Shown(
        "title",
        _rereads({"title": "Kettle"}, {"title": "Basket"}, stands={"kettle": True}),
    ),
    Sign.ELSEWHERE: Shown("price", _contradicted_elsewhere),
    Sign.JUMP: Shown("price", _rereads({"price": "10"}, {"price": "30"})),
    Sign.REPRICED: Shown("price", _rereads({"price": "10"}, {"price": "11"})),
    Sign.STRIDE: Shown(
        "price",
        _rereads({"price": "10"}, {"price": "15"}),
        {"rates": {"repriced:price": (20, 100)}, "strides": {"price": 0.05}},
    ),
    Sign.AFAR: Shown(
        "stock",
        _rereads({"price": "10", "stock": 16}, {"price": "15", "stock": 64}),
        {
            "rates": {"repriced:price": (20, 100)},
            "strides": {"price": 0.05, "stock": 0.5},
        },
    ),
    Sign.EXACTLY: Shown("price", _dearer_by_one_ratio),
    Sign.BORROWED: Shown("price", _at_the_price_of_the_next),
    Sign.LENT: Shown(
        "price",
        _far_at_the_price_of_the_next,
        {"rates": {"repriced:price": (20, 100)}, "strides": {"price": 0.001}},
    ),
    Sign.RATIO: Shown("price", _rereads({"price": "10.50"}, {"price": "11.34"})),
    Sign.ROUNDED: Shown("price", _rereads({"price": "10.50"}, {"price": "11"})),
    Sign.WHOLESALE: Shown("price", _all_prices_other),
    Sign.KEPT: Shown(
        "price",
        _rereads({"price": "10.50"}, {"price": "9.25"}, stands={"#10.5": True}),
    ),
    Sign.UNENDED: Shown(
        "price",
        _rereads(
            {"price": "9.25", "list_price": "10.50"},
            {"price": "10.50"},
            stands={"#9.25": True},
        ),
    ),
    Sign.EXCHANGED: Shown("title", _next_ones_title),
    Sign.RETOLD: Shown("weight", _heavier_by_the_same),
    Sign.CACHED: Shown("", _given_by_a_cache),
    Sign.FROZEN: Shown(
        "price",
        frozen,
        {
            "categories": {
                "shown:price": {"shown": 100},
                "rest:price": {"moved": 80, "rests": 20},
            }
        },
    ),
    Sign.LEAP: Shown("stock", _rereads({"stock": 12}, {"stock": 48})),
    Sign.FACTOR: Shown("price", _rereads({"price": "10"}, {"price": "1000"})),
    Sign.FALLEN: Shown("stock", _rereads({"stock": 50}, {"stock": 30})),
    Sign.SWEPT: Shown(
        "",
        _rereads(
            {"price": "10", "weight": "3.5", "stock": 5},
            {"price": "11", "weight": "4.5", "stock": 7},
        ),
    ),
    Sign.CUT: Shown(
        "title", _rereads({"title": "Copper kettle of oak"}, {"title": "Copper kettle"})
    ),
    Sign.UNGROUNDED: Shown(
        "title", _reads({"title": "Kettle"}, stands={"kettle": False})
    ),
    Sign.STRAY: Shown(
        "price", _rereads({"price": "10"}, {"price": "11"}, stands={"#11": False})
    ),
    Sign.NET: Shown(
        "price", _reads({"price": "10"}, stands={"#10": True, "net#10": True})
    ),
    Sign.ABOVE: Shown(
        "price is more than list_price", _reads({"price": "20", "list_price": "10"})
    ),
    Sign.EQUAL: Shown(
        "price equals list_price", _reads({"price": "20", "list_price": "20"})
    ),
    Sign.OFF_TITLE: Shown("title", _reads({"title": "Kettle"}, title="Our shop")),
    Sign.OFF_URL: Shown("title", _reads({"title": "Oak shelf"})),
    Sign.CURRENCY: Shown(
        "page",
        _reads({}, currency="USD"),
        {"categories": {"currency": {"EUR": 100}}},
    ),
    Sign.NOTATION: Shown("price", prices_in_dollars),
    Sign.THOUSANDS: Shown(
        "price",
        _reads({"price": "2.014"}),
        {"categories": {"decimals:price": {"2": 100}}},
    ),
    Sign.DUPLICATE: Shown("key", _same_key),
    Sign.SHARED: Shown("title", _reads({"title": "Kettle"})),
    Sign.COPIED: Shown("title", _reads({"title": "Kettle"})),
    Sign.NEIGHBOUR: Shown("title", _titles_shifted, kind="listing"),
    Sign.PLACEHOLDER: Shown("title", _reads({"title": "undefined"})),
    Sign.GARBLED: Shown("title", _reads({"title": "K\u00c3\u00bcche &amp; Bad"})),
    Sign.WHOLE: Shown("weight", _reads({"weight": "3"})),
    Sign.BROKEN: Shown("weight", _reads({"weight": "3.5"})),
    Sign.SHAPE: Shown(
        "title",
        _reads({"title": "Kettle"}),
        {"categories": {"shape:title": {"a-9": 100}}},
    ),
    Sign.ADDED: Shown(
        "title",
        _reads({"title": "24-117 - Published"}),
        {"categories": {"shape:title": {"9-9": 100}}},
    ),
    Sign.LAYOUT: Shown(
        "", _reads({}, template=_NEW_LAYOUT), {"layouts": (_OLD_LAYOUT,)}
    ),
}
"""A new sign without a line here fails its test."""
