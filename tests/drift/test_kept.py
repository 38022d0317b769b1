"""What of a page in doubt is served all the same: each field that proves itself, with the known values of the others."""

from collections.abc import Mapping
from typing import Any

import pytest

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.drift.check import CheckName, Finding, Severity
from crawloop_assets.drift.kept import InPart, KeptRecord, lasting_required
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import OldCopy, PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift import small

SCHEMA = small.schema(
    small.SKU,
    small.TITLE,
    small.PRICE.model_copy(update={"required": True}),
    small.LIST_PRICE,
    small.STOCK,
    small.IMAGE,
)
KNOWN = {
    "sku": "K-1",
    "title": "Kettle",
    "price": "12.50",
    "list_price": "15.00",
    "stock": 7,
    "image": "https://shop.example/k.jpg",
}
AGREED = FieldVote(agreement=1.0, live_readers=2, readers=2)
ALONE = FieldVote(agreement=1.0, live_readers=1, readers=1)
NONE = Norms(())
URL = "https://shop.example/p/1"


def read(changes: Mapping[str, Any], **votes: FieldVote) -> PageOutcome:
    """The known page; None is what is not read, and a price has two readers."""
    values = {k: v for k, v in (KNOWN | changes).items() if v is not None}
    return small.outcome(
        values, url=URL, previous=[KNOWN], votes={"price": AGREED, **votes}
    )


def against(*fields: str) -> dict[str, list[Finding]]:
    """One finding against the page for each field."""
    return {
        URL: [
            Finding(
                check=CheckName.COVERAGE,
                severity=Severity.WARN,
                message="gone",
                field=field,
            )
            for field in fields
        ]
    }


def parts(
    page: PageOutcome,
    *fields: str,
    everywhere: frozenset[str] = frozenset(),
    signs: Mapping[str, Sign] = {},
    said_twice: frozenset[str] = frozenset(),
) -> tuple[KeptRecord, ...] | None:
    """What is served of the page if it is held for these fields and shows these signs; None if nothing is."""
    tallies = Tallies()
    for field, sign in signs.items():
        tallies.add(sign, field, 0, has_sign=True)
    held = against(*fields) if fields else {}
    twice = {URL: said_twice}
    found = InPart(SCHEMA, small.family(), NONE, tallies, held, everywhere, twice)
    records = found.of([page]).get(URL)
    return None if records is None else tuple(records.values())


@pytest.mark.parametrize(
    ("completed", "changes", "kept"),
    [
        ({"title"}, {}, {"title"}),
        ({"title"}, {"price": "13.00"}, {"title"}),
        (set(), {}, None),
        ({"title"}, {"image": "https://shop.example/l.jpg"}, None),
    ],
)
def test_what_a_record_must_have_and_nothing_reads_is_kept_where_the_rest_is_its_own(
    completed: set[str], changes: dict[str, Any], kept: set[str] | None
) -> None:
    """What was read, and contradicts what is known, is not kept; nor is it where most of what lasts is another's."""
    page = read(changes).model_copy(update={"completed": (frozenset(completed),)})
    needed = [
        spec.model_copy(update={"required": spec.required or spec.name == "title"})
        for spec in SCHEMA.fields
    ]
    held = against("title")
    in_part = InPart(small.schema(*needed), small.family(), NONE, Tallies(), held)
    found = in_part.of([page]).get(URL)
    assert (set(found[0].kept) if found else None) == kept


def test_neither_a_key_nor_money_nor_what_moves_is_kept_where_it_is_required() -> None:
    moves = small.STOCK.model_copy(update={"volatile": True})
    specs = (small.SKU, small.TITLE, small.PRICE, moves, small.IMAGE)
    needed = [spec.model_copy(update={"required": True}) for spec in specs[:-1]]
    schema = small.schema(*needed, small.IMAGE)
    family = small.family(key=["sku"])
    assert lasting_required(schema, family) == {"title"}


def test_an_optional_field_that_is_gone_keeps_its_value_beside_the_fresh_ones() -> None:
    (record,) = parts(read({"title": None, "stock": 5}, stock=AGREED), "title") or ()
    assert record.values == KNOWN | {"stock": 5}
    assert record.kept == {"title"}


def test_what_the_site_said_twice_is_served_beside_what_is_kept() -> None:
    page = read({"title": "Pan", "image": None})
    (before,) = parts(page, "image") or ()
    assert before.kept == {"title", "image"}
    (record,) = parts(page, "image", said_twice=frozenset({"title"})) or ()
    assert (record.values["title"], record.kept) == ("Pan", {"image"})
    (doubted,) = parts(page, "image", "title", said_twice=frozenset({"title"})) or ()
    assert doubted.kept == {"title", "image"}


def test_a_page_that_nobody_doubts_has_no_part() -> None:
    assert parts(read({"title": None})) is None


@pytest.mark.parametrize("copy", OldCopy)
def test_nothing_of_an_old_copy_is_fresh(copy: OldCopy) -> None:
    """Also where it is what was fetched last: nobody has asked the site."""
    page = read({"title": None, "stock": 5}, stock=AGREED)
    assert parts(page, "title")
    assert parts(page.model_copy(update={"old_copy": copy}), "title") is None


def test_where_two_kinds_are_of_different_days_nothing_has_one() -> None:
    """What is known of an optional field is kept, and said to be of the day it is of."""
    late = AGREED.model_copy(update={"against": {Kind.STATED: "14.00"}})
    (record,) = parts(read({"image": None}, list_price=late), "image") or ()
    assert record.values == KNOWN and record.kept == {"image", "list_price", "stock"}
    steady = AGREED.model_copy(update={"against": {Kind.STATED: "Pot"}})
    (record,) = parts(read({"image": None}, title=steady), "image") or ()
    assert record.kept == {"image"}
    assert parts(read({}, list_price=late)) is None, "nobody doubts the page"


def test_what_holds_the_whole_batch_is_kept_on_every_page() -> None:
    page = read({"image": "https://shop.example/other.jpg"})
    (record,) = parts(page, everywhere=frozenset(("image",))) or ()
    assert record.values == KNOWN and record.kept == {"image"}


@pytest.mark.parametrize("field", ["price", "sku", "", "price is less than list_price"])
def test_a_page_with_a_sign_against_its_core_or_itself_is_held(field: str) -> None:
    assert parts(read({"title": None}), field, "title") is None
    assert parts(read({"title": None}), "title", everywhere=frozenset((field,))) is None


@pytest.mark.parametrize(
    "changes",
    [{"sku": "K-2"}, {"price": None}, {"price": "13.00"}],
    ids=[
        "another key",
        "no price",
        "a bound list price would stand beside another price",
    ],
)
def test_a_core_that_cannot_prove_itself_holds_the_page(
    changes: dict[str, Any],
) -> None:
    assert parts(read(changes | {"list_price": None}), "list_price") is None


def test_a_new_price_that_two_readers_say_is_served() -> None:
    before = {"title": None, "list_price": "15.00", "price": "13.00"}
    (record,) = parts(read(before), "title") or ()
    assert record.values["price"] == "13.00" and record.kept == {"title"}
    assert parts(read(before, price=ALONE), "title") is None
    rival = AGREED.model_copy(update={"rivals": ("14.00",)})
    assert parts(read(before, price=rival), "title") is None
    assert parts(read(before), "title", signs={"price": Sign.KEPT}) is None
    assert parts(read(before), "title", signs={"price": Sign.REPRICED}) is not None


def test_what_a_law_binds_to_a_kept_value_is_kept_with_it() -> None:
    """Of an optional price, both are kept; of a required one, the page is held."""
    optional = small.schema(small.SKU, small.TITLE, small.PRICE, small.LIST_PRICE)
    page = read({"list_price": None, "price": "13.00"})
    found = InPart(optional, small.family(), NONE, Tallies(), against("list_price"))
    (record,) = found.of([page])[URL].values()
    assert record.kept == {"list_price", "price"}
    assert record.values["price"] == "12.50"
    assert parts(page, "list_price") is None


def test_a_bound_value_that_is_as_known_needs_no_keeping() -> None:
    (record,) = parts(read({"list_price": None}), "list_price") or ()
    assert record.values == KNOWN and record.kept == {"list_price"}


def test_every_other_field_of_such_a_page_proves_itself_too() -> None:
    page = read(
        {"title": None, "stock": 5, "image": "https://shop.example/x.jpg"}, stock=ALONE
    )
    (record,) = parts(page, "title") or ()
    assert record.values == KNOWN
    assert record.kept == {"title", "stock", "image"}


def test_without_a_known_value_it_stays_empty() -> None:
    """Nothing known and nothing read needs no proof; a doubted value with nothing known is left out, and named."""
    nothing = small.outcome({"sku": "K-1"}, url=URL, previous=[{"sku": "K-1"}])
    schema = small.schema(small.SKU, small.TITLE)
    without = {0: KeptRecord(values={"sku": "K-1"}, kept=frozenset(["title"]))}
    found = InPart(schema, small.family(), NONE, Tallies(), against("title")).of(
        [nothing]
    )
    assert found[URL] == without
    new = small.outcome(
        {"sku": "K-1", "title": "?"}, url=URL, previous=[{"sku": "K-1"}]
    )
    found = InPart(schema, small.family(), NONE, Tallies(), against("title")).of([new])
    assert found[URL] == without
    unknown = small.outcome({"sku": "K-1"}, url=URL)
    assert (
        InPart(schema, small.family(), NONE, Tallies(), against("title")).of([unknown])
        == {}
    )


@pytest.mark.parametrize(("vote", "is_served"), [(AGREED, True), (ALONE, False)])
def test_what_is_new_to_a_record_in_doubt_is_served_if_two_readers_say_it(
    vote: FieldVote, is_served: bool
) -> None:
    known = {name: value for name, value in KNOWN.items() if name != "stock"}
    votes = {"price": AGREED, "stock": vote}
    values = {name: value for name, value in KNOWN.items() if name != "image"}
    page = small.outcome(values, url=URL, previous=[known], votes=votes)
    (record,) = parts(page, "image") or ()
    assert ("stock" in record.values) is is_served
    assert record.kept == ({"image"} if is_served else {"image", "stock"})


def test_a_record_that_shows_nothing_of_the_known_one_is_held() -> None:
    """Its own url is on every page, and a price that two readers say may be another product's."""
    price = small.PRICE.model_copy(update={"required": True})
    url = small.LINK.model_copy(update={"name": "url"})
    schema = small.schema(url, price, small.TITLE)
    old = {"url": URL, "price": "1.00", "title": "Tea"}
    new = {"url": URL, "price": "2.00"}
    page = small.outcome(new, url=URL, previous=[old], votes={"price": AGREED})
    family = small.family(key=["url"])
    assert InPart(schema, family, NONE, Tallies(), against("title")).of([page]) == {}


def test_numbers_may_have_been_exchanged() -> None:
    """A count that two readers say is no proof while another number is read otherwise, and one while it is gone."""
    schema = small.schema(small.SKU, small.TITLE, small.WEIGHT, small.STOCK)
    old = {"sku": "K-1", "title": "Kettle", "weight": "2.5", "stock": 7}
    for weight, kept in (({"weight": "7"}, {"weight", "stock"}), ({}, {"weight"})):
        new = {"sku": "K-1", "title": "Kettle", "stock": 9} | weight
        page = small.outcome(new, url=URL, previous=[old], votes={"stock": AGREED})
        found = InPart(schema, small.family(), NONE, Tallies(), against("weight"))
        (record,) = found.of([page])[URL].values()
        assert record.kept == kept


def test_a_sign_that_healthy_values_often_show_is_none_against_one_of_them() -> None:
    """Counts fall day by day where they do, though only once in a family that is new."""
    page = read({"title": None, "stock": 5}, stock=AGREED)
    tallies = Tallies()
    tallies.add(Sign.FALLEN, "stock", 0, has_sign=True)
    for fell, kept in ((2, {"title", "stock"}), (3, {"title"})):
        norms = Norms(small.past(1, pages=9, rates={"fallen:stock": (fell, 9)}))
        made = InPart(SCHEMA, small.family(), norms, tallies, against("title"))
        (record,) = made.of([page])[URL].values()
        assert record.kept == kept


def test_what_is_known_to_be_gone_is_not_kept() -> None:
    """By a person, by a heal, by an earlier refresh; or because a sale is over."""
    page = read({"title": None, "image": None})
    family = small.family(gone=("image",))
    by_person = InPart(SCHEMA, family, NONE, Tallies(), against("title")).of([page])
    earlier = page.model_copy(update={"gone_before": frozenset(("image",))})
    healed = page.model_copy(update={"gone_since": frozenset(("image",))})
    person = by_person[URL].values()
    for (record,) in (person, parts(earlier, "title"), parts(healed, "title")):
        assert record.kept == {"title"} and "image" not in record.values
    over = read({"title": None, "price": "15.00", "list_price": None})
    (record,) = parts(over, "title") or ()
    assert record.kept == {"title"} and record.values["price"] == "15.00"


def test_rows_are_served_in_part_if_most_of_them_can_be() -> None:
    rows = [KNOWN | {"sku": f"K-{n}"} for n in range(3)]
    fresh = [{k: v for k, v in row.items() if k != "title"} for row in rows]
    page = small.outcome(*fresh, url=URL, previous=rows)
    records = parts(page, "title") or ()
    assert [record.values for record in records] == rows
    others = [row | {"price": "99.00"} for row in fresh]
    one = small.outcome(*fresh[:2], others[2], url=URL, previous=rows)
    assert [record.values for record in parts(one, "title") or ()] == rows[:2]
    most = small.outcome(fresh[0], *others[1:], url=URL, previous=rows)
    assert parts(most, "title") is None


def test_a_new_row_waits_while_the_known_ones_are_served() -> None:
    """Wherever in the batch they were; without a key of theirs nobody knows which is new."""
    rows = [KNOWN | {"sku": f"K-{n}"} for n in range(3)]
    new, *fresh = [
        {name: value for name, value in row.items() if name != "title"}
        for row in [KNOWN | {"sku": "K-9"}, *rows]
    ]
    agreed = {"price": AGREED}
    first = small.outcome(
        new, *fresh[:2], url=URL, previous=[rows[0], rows[2]], votes=agreed
    )
    moved = small.outcome(fresh[2], url=f"{URL}2", previous=[rows[1]] * 2)
    held = against("title") | {f"{URL}2": against("title")[URL]}
    found = InPart(SCHEMA, small.family(), NONE, Tallies(), held).of([first, moved])
    values = {
        url: {at: one.values for at, one in of_url.items()}
        for url, of_url in found.items()
    }
    assert values == {URL: {1: rows[0], 2: rows[1]}, f"{URL}2": {0: rows[2]}}
    schema = small.schema(small.TITLE, small.STOCK)
    counts = [{"title": "Pan", "stock": n} for n in range(3)]
    keyless = small.outcome(*counts, url=URL, previous=counts[:2])
    family = small.family(key=["url"])
    assert InPart(schema, family, NONE, Tallies(), against("stock")).of([keyless]) == {}
