"""What the site says twice is news."""

from typing import Any

import pytest

from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.said import (
    SaidBefore,
    excuse_what_was_said_before,
    surprising_shifts,
)
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.spread import Shift
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.drift.small import PRICE, SKU, STOCK, TITLE, WEIGHT, family, outcome, schema

SCHEMA = schema(SKU, TITLE, PRICE, STOCK)


def hits_after(sign: Sign, subject: str, got: str, **page) -> int:
    """How many hits are left of one sign of a page."""
    tallies = Tallies()
    tallies.add(sign, subject, 0, has_sign=True, got=got)
    read = outcome({"title": "Pot", "price": "30.00"}, **page)
    excuse_what_was_said_before(SCHEMA, family(), [read], tallies)
    (tally,) = tallies
    assert tally.rate == (1, 1), "history counts it in any case"
    return tally.bad


SAID = ({"title": "Pot", "price": "30.0"},)
PRICES = (
    *(Sign.REPRICED, Sign.RATIO, Sign.ROUNDED, Sign.WHOLESALE),
    *(Sign.JUMP, Sign.FALLEN, Sign.CURRENCY, Sign.ELSEWHERE),
)


@pytest.mark.parametrize(
    ("sign", "subject", "got"),
    [
        (Sign.CHANGED, "title", "Pot"),
        (Sign.SHAPE, "title", "Pot"),
        (Sign.ASIDE, "title", "Pot"),
        *((sign, "price", "30.00") for sign in PRICES),
    ],
)
def test_what_was_said_before_is_news(sign, subject, got):
    assert hits_after(sign, subject, got, said_before=SAID) == 0
    assert hits_after(sign, subject, got) == 1
    other = ({"title": "Pan", "price": "31.00"},)
    assert hits_after(sign, subject, got, said_before=other) == 1


@pytest.mark.parametrize(("other", "is_news"), [({"new": False}, False), ({}, True)])
def test_a_flag_that_others_say_and_a_page_does_not_is_no_news(other, is_news):
    """That it is not is what the model fills in where nothing is read."""
    known, filled_in = {"sku": "a", "new": True}, {"sku": "a", "new": False}
    silent = outcome({"sku": "a"}, previous=[known], said_before=(filled_in,))
    silent = silent.model_copy(update={"values": (filled_in,)})
    pages = [silent, outcome({"sku": "b", **other}, url="https://shop.example/p/2")]
    flags = schema(SKU, FieldSpec(name="new", kind=FieldKind.BOOLEAN))
    before = SaidBefore(flags, family(), pages)
    assert before.confirms(Sign.CHANGED, "new", Hit(0, True, False)) is is_news


@pytest.mark.parametrize(
    ("years", "is_news"),
    [
        ([2000, 2011, 2003, 2004, 2005, 2006], False),  # each has its own
        ([2000, 2011, 2003, 2003, 2005, 2006], False),
        ([2000, 2011, 2003, 2003, 2003, 2006], True),
        ([2000, 2011, 2003, 2003, None, None], False),  # none is no year they share
        ([2000, 2011, 2011, 2003, 2003, 2006], True),
    ],
)
def test_what_one_other_record_has_is_news_where_many_share_theirs(
    years: list[int | None], is_news: bool
) -> None:
    known = [{"sku": f"K-{at}", "since": year} for at, year in enumerate(years)]
    now = {"sku": "K-0", "since": 2011}
    page = outcome(now, *known[1:], previous=known, said_before=(now,))
    people = schema(SKU, FieldSpec(name="since", kind=FieldKind.INTEGER))
    before = SaidBefore(people, family(), [page])
    assert before.confirms(Sign.CHANGED, "since", Hit(0, 2000, 2011)) is is_news


def test_words_that_one_other_record_has_are_never_news_of_this_one() -> None:
    """Though many records share theirs: what tells things apart is no chance."""
    makers = ["Isola", "Nordlicht", "Feldmann", "Feldmann", "Feldmann", "Isola"]
    known = [{"sku": f"K-{at}", "maker": maker} for at, maker in enumerate(makers)]
    now = {"sku": "K-0", "maker": "Nordlicht"}
    page = outcome(now, *known[1:], previous=known, said_before=(now,))
    goods = schema(SKU, FieldSpec(name="maker"))
    before = SaidBefore(goods, family(), [page])
    assert not before.confirms(Sign.CHANGED, "maker", Hit(0, "Isola", "Nordlicht"))


@pytest.mark.parametrize(("said", "left"), [(60, 0), (40, 0), (20, 1), (0, 1)])
def test_a_count_that_leapt_may_have_moved_since(said, left):
    tallies = Tallies()
    tallies.add(Sign.LEAP, "stock", 0, has_sign=True, got=57)
    read = outcome({"sku": "K", "stock": 57}, said_before=({"stock": said},))
    excuse_what_was_said_before(SCHEMA, family(), [read], tallies)
    (tally,) = tallies
    assert tally.bad == left


def test_what_another_page_of_the_site_says_too_is_news():
    says = ({"title": "Pot"},)
    assert hits_after(Sign.CHANGED, "title", "Pot", elsewhere=says) == 0
    says = ({"title": "Pan"},)
    assert hits_after(Sign.CHANGED, "title", "Pot", elsewhere=says) == 1


@pytest.mark.parametrize("sign", [Sign.STILL, Sign.KEPT, Sign.CUT, Sign.FACTOR])
def test_what_the_page_itself_speaks_against_stays_a_sign(sign):
    assert hits_after(sign, "title", "Pot", said_before=SAID) == 1


def test_all_of_a_page_is_confirmed_by_all_of_it():
    same = ({"title": "Pot", "price": "30.00"},)
    assert hits_after(Sign.SWEPT, "", "other numbers", said_before=same) == 0
    part = ({"title": "Pot"},)
    assert hits_after(Sign.SWEPT, "", "other numbers", said_before=part) == 1


@pytest.mark.parametrize(("still", "left"), [(3, 4), (2, 0)])
def test_what_many_pages_refute_is_not_confirmed_by_being_said_again(still, left):
    """The known price stands on three of four pages: another thing is read."""
    tallies = Tallies()
    read = {"title": "Pot", "price": "30.00"}
    pages = [outcome(read, url=str(at), said_before=SAID) for at in range(4)]
    for at in range(4):
        for sign, has_sign in ((Sign.REPRICED, True), (Sign.KEPT, at < still)):
            tallies.add(sign, "price", at, has_sign=has_sign, got="30.00")
    excuse_what_was_said_before(SCHEMA, family(), pages, tallies)
    repriced = tallies.get(Sign.REPRICED, "price")
    assert repriced is not None and repriced.bad == left


def page_of(url: str, title: str, known: str, **more: Any) -> PageOutcome:
    """A page of one record with a title, and what it was known for."""
    return outcome(
        {"sku": url, "title": title}, url=url, previous=[{"sku": url, "title": known}]
    ).model_copy(update=more)


def renamed(count: int, said: str = "Pot") -> list[PageOutcome]:
    """So many pages that say "Pot" where "Pan" was known; before they said this."""
    said_before = ({"title": said},)
    return [
        page_of(str(at), "Pot", "Pan", said_before=said_before) for at in range(count)
    ]


def shown(sign: Sign, pages: int, hits: int) -> Tallies:
    """A sign of the title that so many of the pages show."""
    tallies = Tallies()
    for at in range(pages):
        tallies.add(sign, "title", at, has_sign=at < hits, expected="Pan", got="Pot")
    return tallies


@pytest.mark.parametrize(("pages", "rate"), [(20, (0, 0)), (2, (2, 2))])
def test_many_that_change_at_once_are_news_and_no_norm(pages, rate):
    tallies = shown(Sign.CHANGED, pages, pages)
    twice = excuse_what_was_said_before(SCHEMA, family(), renamed(pages), tallies)
    (tally,) = tallies
    assert (tally.bad, tally.rate) == (0, rate)
    assert twice == {str(at): frozenset({"title"}) for at in range(pages)}


def test_what_something_else_than_the_past_speaks_against_is_not_said_twice():
    """It is no sign of news that it leaves: the text is cut all the same."""
    tallies = shown(Sign.CHANGED, 4, 4)
    tallies.put(*shown(Sign.CUT, 4, 1))
    twice = excuse_what_was_said_before(SCHEMA, family(), renamed(4), tallies)
    assert sorted(twice) == ["1", "2", "3"]
    cut = tallies.get(Sign.CUT, "title")
    assert cut is not None and cut.bad == 1


def test_another_value_every_day_is_not_said_twice():
    tallies = shown(Sign.CHANGED, 4, 4)
    twice = excuse_what_was_said_before(SCHEMA, family(), renamed(4, "Jug"), tallies)
    (tally,) = tallies
    assert (tally.bad, twice) == (4, {})


def test_what_one_other_record_was_known_for_is_never_news():
    """Two pages have exchanged their titles, and say so again."""
    pages = [
        page_of("1", "Kettle", "Basket", said_before=({"title": "Kettle"},)),
        page_of("2", "Basket", "Kettle", said_before=({"title": "Basket"},)),
    ]
    tallies = Tallies()
    for at, got in enumerate(("Kettle", "Basket")):
        tallies.add(Sign.CHANGED, "title", at, has_sign=True, got=got)
    assert excuse_what_was_said_before(SCHEMA, family(), pages, tallies) == {}
    (tally,) = tallies
    assert tally.bad == 2


@pytest.mark.parametrize(("known", "left"), [("Pan {}", 5), ("Pan", 0)])
def test_different_values_that_all_became_one_are_not_news(known, left):
    pages, tallies = [], Tallies()
    for at in range(5):
        before = known.format(at)
        said = ({"title": "Pot"},)
        pages.append(page_of(str(at), "Pot", before, said_before=said))
        tallies.add(
            Sign.CHANGED, "title", at, has_sign=True, expected=before, got="Pot"
        )
    excuse_what_was_said_before(SCHEMA, family(), pages, tallies)
    (tally,) = tallies
    assert tally.bad == left


@pytest.mark.parametrize(("said", "left"), [(55, 0), (60, 0), (61, 1)])
def test_a_count_that_fell_may_have_risen_since(said, left):
    tallies = Tallies()
    tallies.add(Sign.FALLEN, "stock", 0, has_sign=True, expected=90, got=60)
    page = outcome({"stock": 60}, previous=[{"stock": 90}])
    page = page.model_copy(update={"said_before": ({"stock": said},)})
    excuse_what_was_said_before(SCHEMA, family(), [page], tallies)
    (tally,) = tallies
    assert tally.bad == left


def listed(**titles: str) -> tuple[dict[str, str], ...]:
    """Rows by their key."""
    return tuple({"sku": sku, "title": title} for sku, title in titles.items())


def list_page(said: tuple[dict[str, str], ...]) -> PageOutcome:
    """A list of which two rows say "Pot" now."""
    return outcome(
        *listed(a="Pot", b="Pot", c="Cup"),
        previous=listed(a="Pan", b="Jug", c="Cup", d="Bowl"),
    ).model_copy(update={"said_before": said})


@pytest.mark.parametrize(
    ("said", "confirmed"),
    [
        (listed(a="Pot", b="Pot", c="Cup"), True),
        (listed(a="Pot", b="Jug", c="Cup"), False),
        (listed(c="Pot"), False),
        ((), False),
    ],
)
def test_each_row_of_a_list_speaks_for_itself(said, confirmed):
    before = SaidBefore(SCHEMA, family("listing"), [list_page(said)])
    hit = Hit(0, "Pan", "Pot")
    assert before.confirms(Sign.CHANGED, "title", hit) is confirmed


@pytest.mark.parametrize("beside", [None, Sign.CACHED, Sign.REKEYED])
def test_rows_that_are_gone_twice_are_news_where_nothing_else_is_said_of_records(
    beside,
):
    page, tallies = list_page(listed(a="Pot", b="Pot", c="Cup")), Tallies()
    tallies.add(Sign.REPLACED, "", 0, has_sign=True, expected=("d",), got="nothing")
    if beside:
        tallies.add(beside, "", 0, has_sign=True, expected=("a",), got="nothing")
    twice = excuse_what_was_said_before(SCHEMA, family("listing"), [page], tallies)
    assert ("" in twice[page.url]) is (beside is None)


def test_rows_that_are_gone_once_are_no_news():
    page, tallies = list_page(listed(d="Bowl")), Tallies()
    tallies.add(Sign.REPLACED, "", 0, has_sign=True, expected=("d",), got="nothing")
    twice = excuse_what_was_said_before(SCHEMA, family("listing"), [page], tallies)
    assert "" not in twice.get(page.url, ())


def test_a_row_that_was_not_there_before_either_is_gone():
    gone, back = Hit(0, ("d",), "nothing"), Hit(0, ("a",), "nothing")
    page = list_page(listed(a="Pot", b="Pot", c="Cup"))
    before = SaidBefore(SCHEMA, family("listing"), [page])
    assert before.confirms(Sign.REPLACED, "", gone)
    assert not before.confirms(Sign.REPLACED, "", back)
    unsaid = SaidBefore(SCHEMA, family("listing"), [list_page(())])
    assert not unsaid.confirms(Sign.REPLACED, "", gone)


STATED = {
    name: FieldVote(
        agreement=1.0, live_readers=1, readers=1, reader=f"ld:Product.{name}"
    )
    for name in ("sku", "weight", "title")
}


@pytest.mark.parametrize(
    ("at", "said", "left"),
    [
        ("ld:Product.name", "Pot", 0),
        ("ld:Product.name", "Pan", 1),
        ("ld:Organization.name", "Pot", 1),
        (".title", "Pot", 1),
    ],
)
def test_a_new_layout_says_nothing_against_what_the_known_thing_states(at, said, left):
    """Key and weight are the known ones; only the title is another one, twice."""
    known = {"sku": "K-17", "weight": "2.5", "title": "Kettle"}
    title = STATED["title"].model_copy(update={"reader": at})
    read = outcome(
        known | {"title": "Pot"},
        previous=[known],
        votes=STATED | {"title": title},
        said_before=(known | {"title": said},),
    )
    tallies = Tallies()
    tallies.add(Sign.MOVED, "title", 0, has_sign=True, got="Pot")
    fields = schema(SKU, TITLE, WEIGHT)
    excuse_what_was_said_before(fields, family(), [read], tallies)
    (tally,) = tallies
    assert tally.bad == left


@pytest.mark.parametrize(
    ("known", "said", "sign", "left"),
    [
        (0, 0, Sign.REPRICED, 1),
        (6, 0, Sign.REPRICED, 0),
        (0, 6, Sign.REPRICED, 0),
        (2, 4, Sign.REPRICED, 0),
        (2, 3, Sign.REPRICED, 1),
        (0, 10, Sign.KEPT, 1),
        (0, 10, Sign.JUMP, 1),
    ],
)
def test_sizes_are_no_surprise_where_most_values_are_known_or_said_before(
    known: int, said: int, sign: Sign, left: int
) -> None:
    """But for a field of which nothing is news."""
    tallies, pages = Tallies(), []
    for at in range(10):
        row = {"sku": f"K-{at}", "price": "90.00"}
        page: dict[str, Any] = {"previous": [row]} if at < known else {}
        if at >= known and at - known < said:
            page["said_before"] = (row,)
        pages.append(outcome(row, url=f"https://shop.example/p/{at}", **page))
        tallies.add(sign, "price", at, has_sign=True, expected="9.00", got="90.00")
    shift = Shift("price", "numbers", factor=10.0, limit=8.0, z=9.0)
    found = surprising_shifts(SCHEMA, family(), pages, tallies, [shift])
    assert len(list(found)) == left
    fine = shift._replace(z=1.0)
    assert list(surprising_shifts(SCHEMA, family(), pages, tallies, [fine])) == [fine]


def test_how_many_records_a_list_has_is_a_surprise_however_often_it_is_said() -> None:
    """Another list is read with it today, and will be tomorrow."""
    part = (FieldSpec(name="place"),)
    stock = FieldSpec(
        name="stock", kind=FieldKind.OBJECT, shape=Shape.LIST, fields=part
    )
    row = {"sku": "K", "stock": [{"place": "Hamburg"}] * 9}
    page = outcome(row, previous=[row], said_before=(row,))
    shift = Shift("stock", "lengths", factor=4.0, limit=3.0, z=9.0)
    of_stock = schema(SKU, stock)
    assert list(surprising_shifts(of_stock, family(), [page], Tallies(), [shift]))
