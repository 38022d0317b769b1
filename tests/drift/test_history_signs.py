"""Signs on records that were known before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.drift.changes import record_pairs
from crawloop_assets.drift.forms import (
    as_part,
    inside_form,
    list_form,
    numeral_form,
    text_form,
)
from crawloop_assets.drift.history_signs import count_history_signs
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.rates import EventRate
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Hit, Tallies
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.drift.small import (
    IMAGE,
    PRICE,
    SKU,
    STATE,
    STOCK,
    TAGS,
    TITLE,
    WEIGHT,
    counted,
    facts,
    family,
    outcome,
    schema,
)

LAYOUT, NEW_LAYOUT = tuple(range(10)), tuple(range(50, 60))
PAST = BatchStats(version=1, layouts=(LAYOUT,))
NUMBERS = (PRICE, WEIGHT, STOCK)


def signs(
    *pages: PageOutcome,
    fields: tuple[FieldSpec, ...],
    policy: Family | None = None,
    past: BatchStats = PAST,
    batches: int = 1,
) -> Tallies:
    tallies = Tallies()
    norms = Norms([past] * batches, version=1)
    of_family = policy or family()
    pairs = record_pairs(schema(*fields), of_family, pages)
    count_history_signs(schema(*fields), of_family, pages, pairs, norms, tallies)
    return tallies


def changed(spec: FieldSpec, before: object, after: object, **page) -> Tallies:
    """A page of one record of which one field was known."""
    read = outcome({spec.name: after}, previous=[{spec.name: before}], **page)
    return signs(read, fields=(spec,))


def of(tallies: Tallies, sign: Sign, subject: str) -> tuple[int, int] | None:
    return counted(tallies).get((sign, subject))


def test_a_steady_value_that_is_the_same():
    found = counted(changed(TITLE, "Kettle", "kettle "))
    assert found == {
        (Sign.LOST, "title"): (0, 1),
        (Sign.CHANGED, "title"): (0, 1),
        (Sign.CUT, "title"): (0, 1),
    }


def test_a_steady_value_that_is_another_one():
    tallies = changed(TITLE, "Kettle", "Pot")
    assert of(tallies, Sign.CHANGED, "title") == (1, 1)
    tally = tallies.get(Sign.CHANGED, "title")
    assert tally is not None and tally.hits == [Hit(0, "Kettle", "Pot")]


@pytest.mark.parametrize("after", [None, "", []])
def test_a_value_that_is_gone(after):
    assert counted(changed(TITLE, "Kettle", after)) == {(Sign.LOST, "title"): (1, 1)}
    assert counted(changed(STATE, "sold", after)) == {(Sign.VANISHED, "state"): (1, 1)}


@pytest.mark.parametrize(
    ("before", "after", "stands", "expected"),
    [
        ("74.26", None, True, (1, 1)),
        ("74.26", None, False, (0, 1)),
        ("74.26", "70.10", True, (0, 1)),
        ("74.26", None, None, None),
        ("74", None, True, None),
    ],
)
def test_a_known_number_that_stands_there_and_is_not_read(
    before: str, after: str | None, stands: bool | None, expected: tuple[int, int]
) -> None:
    told = {} if stands is None else {numeral_form(before): stands}
    page = outcome(
        {"price": after}, previous=[{"price": before}], facts=facts(stands=told)
    )
    tallies = signs(page, fields=(PRICE,))
    assert of(tallies, Sign.UNREAD, "price") == expected


def test_a_value_that_was_not_known_is_no_unit():
    assert counted(changed(TITLE, None, "Kettle")) == {}


def test_a_volatile_value_that_is_another_one_is_no_sign():
    assert counted(changed(STATE, "sold", "in stock")) == {
        (Sign.VANISHED, "state"): (0, 1)
    }


def test_a_field_declared_stable_is_steady():
    page = outcome({"price": "9"}, previous=[{"price": "12"}])
    tallies = signs(page, fields=(PRICE,), policy=family(stable=("price",)))
    assert of(tallies, Sign.LOST, "price") == (0, 1)
    assert of(tallies, Sign.CHANGED, "price") == (1, 1)
    assert of(tallies, Sign.FACTOR, "price") == (0, 1)


@pytest.mark.parametrize(
    ("after", "cut"),
    [
        ("Copper Ket", 1),
        ("Copper Ket…", 1),
        ("Copper Ket...", 1),
        ("Copper Kettle of th", 0),
        ("Kettle", 0),
        ("Copper Kettle of the", 0),
    ],
)
def test_a_text_of_which_only_the_beginning_is_left(after, cut):
    tallies = changed(TITLE, "Copper Kettle of the", after)
    assert of(tallies, Sign.CUT, "title") == (cut, 1)


def test_files_that_moved_are_the_same_file():
    old = "https://a.example/v1/k.jpg?w=200"
    moved = changed(IMAGE, old, "https://cdn.example/v2/k.jpg")
    other = changed(IMAGE, old, "https://a.example/v1/p.jpg")
    assert of(moved, Sign.CHANGED, "image") == (0, 1)
    assert of(other, Sign.CHANGED, "image") == (1, 1)


def test_lists_have_no_beginning():
    tallies = changed(TAGS, ["a", "b"], ["a"])
    assert of(tallies, Sign.CHANGED, "tags") == (1, 1)
    assert of(tallies, Sign.CUT, "tags") is None


@pytest.mark.parametrize(
    ("changes", "moved"),
    [
        ({"facts": facts(template=NEW_LAYOUT)}, (1, 1)),
        ({"facts": facts(template=LAYOUT)}, None),
        ({"facts": facts(template=NEW_LAYOUT), "version": 2}, None),
        ({}, None),
    ],
)
def test_a_change_on_a_new_layout_that_an_old_version_reads(changes, moved):
    assert of(changed(TITLE, "Kettle", "Pot", **changes), Sign.MOVED, "title") == moved
    assert of(changed(TITLE, "Kettle", "", **changes), Sign.MOVED, "title") == moved
    same = of(changed(TITLE, "Kettle", "Kettle", **changes), Sign.MOVED, "title")
    assert same == (moved and (0, 1))


def asked(**answers: bool):
    return facts(stands=answers)


def test_a_changed_value_that_is_not_on_the_page_strays():
    answers = asked(pot=False, kettle=False, lid=True)
    for before, after, stray in (
        ("Kettle", "Pot", (1, 1)),
        ("Kettle", "kettle!", (0, 1)),
        ("Kettle", "Lid", (0, 1)),
        ("Kettle", "Pan", None),
    ):
        tallies = changed(STATE, before, after, facts=answers)
        assert of(tallies, Sign.STRAY, "state") == stray
        tallies = changed(TITLE, before, after, facts=answers)
        assert of(tallies, Sign.STRAY, "title") == stray
    other = changed(STATE, "Kettle", "Pot", facts=answers, version=2)
    assert of(other, Sign.STRAY, "state") is None


@pytest.mark.parametrize(("off", "stray"), [(40, (0, 1)), (2, (1, 1))])
def test_a_value_strays_from_no_page_where_a_version_reads_another_unit(off, stray):
    usual = {"ungrounded:price": EventRate(off, 40)}
    past = PAST.model_copy(update={"rates": usual})
    answers = facts(stands={numeral_form("21.50"): False})
    read = outcome({"price": "21.50"}, previous=[{"price": "23.00"}], facts=answers)
    assert of(signs(read, fields=(PRICE,), past=past), Sign.STRAY, "price") == stray


def test_the_known_text_is_still_on_the_page():
    answers = asked(kettle=True, teapot=False)
    for before, after, still in (
        ("Kettle", "Pot", (1, 1)),
        ("Kettle", "Kettle", (0, 1)),
        ("Teapot", "Pot", (0, 1)),
        ("Garden Hose", "Pot", None),
        ("Garden Hose", "Garden Hose", (0, 1)),
        ("Pot", "Kettle", None),
    ):
        tallies = changed(TITLE, before, after, facts=answers)
        assert of(tallies, Sign.STILL, "title") == still, (before, after)


def test_the_known_text_is_still_there_as_a_part_of_a_longer_one() -> None:
    """A line more moves what is counted from the end: a part of another line is read."""
    answers = asked(**{"oaktable": False, as_part(inside_form("Oak Table")): True})
    for after, still in (("8,700", (1, 1)), ("Oak Table, large", (0, 1))):
        tallies = changed(TITLE, "Oak Table", after, facts=answers)
        assert of(tallies, Sign.STILL, "title") == still, after


def test_a_part_tells_nothing_of_one_of_few_texts_such_as_a_category() -> None:
    """One may be a part of a menu, on the pages of others too."""
    answers = asked(gardentools=False, **{as_part(inside_form("Garden Tools")): True})
    pages = [
        outcome({"title": after}, previous=[{"title": "Garden Tools"}], facts=answers)
        for after in ("Kitchen", "Garden Tools")
    ]
    assert of(signs(*pages, fields=(TITLE,)), Sign.STILL, "title") == (0, 2)


@pytest.mark.parametrize(
    ("after", "still"),
    [
        (["Copper", "iron", "stove"], (0, 1)),
        (["Materials", "stove", "copper", "iron"], (1, 1)),
        (["stove"], (1, 1)),
    ],
)
def test_the_known_list_is_still_stated_on_the_page(after: list[str], still) -> None:
    known = ["stove", "copper", "iron"]
    stated = facts(stands={list_form(reversed(known)): True})
    tags = TAGS.model_copy(update={"shape": Shape.SET})
    assert of(changed(tags, known, after, facts=stated), Sign.STILL, "tags") == still
    silent = changed(tags, known, after, facts=facts())
    assert of(silent, Sign.STILL, "tags") == (0, 1)


@pytest.mark.parametrize(
    ("after", "still"),
    [
        (["iron, stove, copper"], (1, 1)),
        (["iron, stove, copper, tin"], (0, 1)),
        (["irony, stove, cops"], (0, 1)),
        (["iron, stove", "copper"], (0, 1)),
    ],
)
def test_a_known_list_is_not_taken_apart_any_more(after: list[str], still) -> None:
    tallies = changed(TAGS, ["stove", "copper", "iron"], after, facts=facts())
    assert of(tallies, Sign.STILL, "tags") == still


@pytest.mark.parametrize(
    ("after", "still"),
    [("Sato, Jun; Byron, Ada", (1, 1)), ("Sato, Jun; Byron, Eve", (0, 1))],
)
def test_nor_are_names_whose_words_are_in_another_order(after: str, still) -> None:
    tallies = changed(TAGS, ["Jun Sato", "Ada Byron"], [after], facts=facts())
    assert of(tallies, Sign.STILL, "tags") == still


def test_a_list_of_one_is_no_list_that_stands_whole() -> None:
    tallies = changed(TAGS, ["stove"], ["tin"], facts=facts())
    assert of(tallies, Sign.STILL, "tags") is None


@pytest.mark.parametrize(
    ("before", "still"),
    [("shop.example", (0, 1)), ("Shop-Example", (0, 1)), ("Shop Exam", (1, 1))],
)
def test_the_name_of_the_site_stands_on_all_its_pages(before, still):
    answers = asked(shopexample=True, shopexam=True)
    tallies = changed(TITLE, before, "Pot", facts=answers)
    assert of(tallies, Sign.STILL, "title") == still


@pytest.mark.parametrize(
    ("after", "swept"),
    [
        ({"price": "2", "weight": "3", "stock": 4}, (1, 1)),
        ({"price": "1", "weight": "3", "stock": 4}, (0, 1)),
        ({"price": "1.10", "weight": "2.2", "stock": 4}, (0, 1)),
        ({"price": "1.10", "weight": "2.2", "stock": 0}, (0, 1)),
        ({"price": "2", "weight": "3"}, None),
    ],
)
def test_all_numbers_at_once_are_another_things(after, swept):
    before = {"price": "1", "weight": "2", "stock": 3}
    tallies = signs(outcome(after, previous=[before]), fields=(*NUMBERS, TITLE))
    assert of(tallies, Sign.SWEPT, "") == swept
    tally = tallies.get(Sign.SWEPT, "")
    if tally is not None and tally.hits:
        assert tally.hits == [
            Hit(0, "some of the known numbers", "other price, weight, stock")
        ]


def rows(*skus: str, **values: str) -> list[dict[str, str]]:
    return [{"sku": sku, "title": values.get(sku, sku)} for sku in skus]


@given(st.text("abcdef ", min_size=1), st.text("abcdef ", min_size=1))
def test_a_text_that_is_the_same_shows_no_sign(before: str, after: str):
    tallies = changed(TITLE, before, after, facts=asked(**{text_form(before): True}))
    found = counted(tallies)
    is_other = found.get((Sign.CHANGED, "title"), (0, 0))[0]
    for sign in (Sign.CUT, Sign.STILL):
        assert found.get((sign, "title"), (0, 0))[0] <= is_other


SINCE = FieldSpec(name="since", kind=FieldKind.DATE)
DAY, OTHER = "2025-03-04", "2025-06-01"


@pytest.mark.parametrize(
    ("after", "on_page", "still"),
    [(OTHER, True, (1, 1)), (OTHER, False, (0, 1)), (DAY, True, (0, 1))],
)
def test_the_known_day_is_still_on_the_page(after, on_page, still):
    page = facts(stands={f"date#{DAY}": on_page})
    assert of(changed(SINCE, DAY, after, facts=page), Sign.STILL, "since") == still


def test_a_day_that_another_field_has_or_another_row_may_have_says_nothing():
    page = facts(stands={f"date#{DAY}": True})
    made = FieldSpec(name="made", kind=FieldKind.DATE)
    known, now = {"since": DAY, "made": DAY}, {"since": OTHER, "made": DAY}
    read = outcome(now, previous=[known], facts=page)
    assert of(signs(read, fields=(SINCE, made)), Sign.STILL, "since") == (0, 1)
    rows = outcome(
        {"sku": "1", "since": OTHER},
        {"sku": "2", "since": OTHER},
        previous=[{"sku": "1", "since": DAY}, {"sku": "2", "since": OTHER}],
        facts=page,
    )
    assert of(signs(rows, fields=(SKU, SINCE)), Sign.STILL, "since") is None


DEPOTS = FieldSpec(
    name="stock",
    kind=FieldKind.OBJECT,
    shape=Shape.LIST,
    fields=(FieldSpec(name="place"), FieldSpec(name="left", kind=FieldKind.INTEGER)),
)


@pytest.mark.parametrize("volatile", [True, False])
@pytest.mark.parametrize(
    ("read", "stands", "expected"),
    [
        (("Category", "Voltage"), True, (1, 1)),
        (("Category", "Voltage"), False, (0, 1)),
        (("Hamburg", "Voltage"), True, (0, 1)),
        ((), True, None),
    ],
)
def test_another_list_of_records_where_the_known_ones_still_stand(
    read, stands, expected, volatile
):
    """Their numbers may be others every day; of what they are does not change so."""
    spec = DEPOTS.model_copy(update={"volatile": volatile})
    before = [{"place": "Hamburg", "left": 7}, {"place": "Rotterdam", "left": None}]
    after = [{"place": place, "left": 5} for place in read]
    shown = {text_form("Hamburg"): True, text_form("Rotterdam"): stands}
    tallies = changed(spec, before, after, facts=facts(stands=shown))
    assert of(tallies, Sign.STILL, "stock") == expected
    rows = outcome({}, {}, previous=[{"stock": before}] * 2, facts=facts(stands=shown))
    assert of(signs(rows, fields=(spec,)), Sign.STILL, "stock") is None
