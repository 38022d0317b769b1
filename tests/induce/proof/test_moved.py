"""A volatile value that moved is told from one that is read wrong."""

import json
from itertools import chain

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.moved import (
    Contradicted,
    are_moved,
    are_strays,
    has_changed,
    is_stated_anew,
    is_stated_retold,
    may_have_moved,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value
from tests.document.build import document, json_document

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
STOCK = FieldSpec(name="stock", kind=FieldKind.INTEGER, volatile=True)


def seen(
    known: dict[str, Value], read: dict[str, Value], *beside: dict[str, Value]
) -> Contradicted:
    record = ExtractedRecord(values=read)
    others = tuple(ExtractedRecord(values=values) for values in beside)
    return Contradicted(known, record, (record, *others))


def may_be_moved(spec: FieldSpec, now: Contradicted) -> bool:
    """Of a page on which people see all that was known."""
    page = document("".join(map("<p>{}</p>".format, now.known.values())))
    return may_have_moved(spec, Index(page), now)


def test_what_is_only_stated_for_machines_may_be_yesterdays() -> None:
    page = '<meta itemprop="price" content="1180.00"><p>Price: {}</p>'
    now = seen({"price": "1180.00"}, {"price": "1195.00"})
    assert may_have_moved(PRICE, Index(document(page.format("1195.00"))), now)
    far = seen({"price": "1180.00"}, {"price": "590.00"})
    assert not may_have_moved(PRICE, Index(document(page.format("590.00"))), far)
    assert not may_be_moved(PRICE, now), "people see it, too"


def test_what_was_the_price_is_the_former_price_now() -> None:
    begun = seen({"price": "100.00"}, {"price": "85.00", "was": "100.00"})
    assert may_be_moved(PRICE, begun)


def test_a_bid_that_was_the_estimate_by_chance_stands_there_as_the_estimate() -> None:
    known: dict[str, Value] = {"price": "1875.00", "estimate": "1875.00"}
    bid = seen(known, {"price": "2100.00", "estimate": "1875.00"})
    assert may_be_moved(PRICE, bid)
    assert not may_be_moved(PRICE, seen(known, {"price": "2100.00"}))


def test_two_fields_that_were_exchanged_are_wrong() -> None:
    known: dict[str, Value] = {"price": "85.00", "was": "100.00"}
    assert not may_be_moved(PRICE, seen(known, {"price": "100.00", "was": "85.00"}))


def test_the_yes_that_a_flag_was_is_another_flags_now() -> None:
    known: dict[str, Value] = {"free": True, "stove": False}
    changed = seen(known, {"free": False, "stove": False})
    free = FieldSpec(name="free", kind=FieldKind.BOOLEAN, volatile=True)
    assert may_be_moved(free, changed)
    lasting = free.model_copy(update={"volatile": False})
    assert not may_be_moved(lasting, changed)


def test_another_row_may_have_the_price_now() -> None:
    known: dict[str, Value] = {"price": "19.90"}
    assert may_be_moved(PRICE, seen(known, {"price": "21.00"}, {"price": "19.90"}))
    assert not may_be_moved(PRICE, seen(known, {"price": "21.00"}, {"price": "5.00"}))


def in_rows(*rows: str, known: str, read: str) -> bool:
    """Whether the price of the first of some rows may have moved."""
    page = document(f"<table>{''.join(map('<tr>{}</tr>'.format, rows))}</table>")
    places = tuple(Scope(page, (row,)) for row in page.by_tag["tr"])
    record = ExtractedRecord(values={"price": read})
    known_now: dict[str, Value] = {"price": known}
    return may_be_moved(
        PRICE, Contradicted(known_now, record, (record,), places=places)
    )


def test_a_price_that_stands_in_cells_of_other_rows_says_nothing_of_this_one() -> None:
    own, other = "<td>0.1691</td><td>0.2046</td>", "<td>0.1404</td><td>0.1699</td>"
    assert in_rows(own, other, known="0.1699", read="0.1691")
    # It stands in its own row, too; in no row at all.
    kept = "<td>0.1691</td><td>0.1699</td>"
    assert not in_rows(kept, other, known="0.1699", read="0.1691")
    assert not in_rows(own, "<td>0.1404</td>", known="0.1699", read="0.1691")


def test_an_object_of_an_api_is_a_row_as_well() -> None:
    page = json_document(
        '{"rows": [{"p": 19.5, "q": 3}, {"p": 21.25, "q": "18.75 €"}]}'
    )
    places = tuple(Scope(page, (0,), row) for row in page.json_nodes("body.rows[*]"))
    record = ExtractedRecord(values={"price": "19.50"})
    seen_there = Contradicted({"price": "18.75"}, record, (record,), places=places)
    assert may_be_moved(PRICE, seen_there)
    own = Contradicted(
        {"price": "21.25"},
        record.model_copy(update={"row": 1}),
        (record,),
        places=places,
    )
    assert not may_be_moved(PRICE, own)


@pytest.mark.parametrize(
    ("own", "read", "may_be"),
    [
        ("<td>9/12/2026</td>", "2026-12-09", True),
        (
            "<td>9/12/2026</td><td>30/11/2026</td>",
            "2026-12-09",
            False,
        ),  # in its own row
        ("<td>9/12/2026</td>", "2026-11-01", False),  # it is known as another day
    ],
)
def test_a_day_that_other_rows_have_and_its_own_no_more_was_put_off(
    own: str, read: str, may_be: bool
) -> None:
    page = document(f"<table><tr>{own}</tr><tr><td>30/11/2026</td></tr></table>")
    places = tuple(Scope(page, (row,)) for row in page.by_tag["tr"])
    spec = FieldSpec(name="closes", kind=FieldKind.DATE, date_order="DMY")
    known: dict[str, Value] = {"closes": "2026-11-30", "opens": "2026-11-01"}
    record = ExtractedRecord(values={"closes": read})
    now = Contradicted(known, record, (record,), places=places)
    assert may_be_moved(spec, now) == may_be
    text = now._replace(known={"closes": "30/11/2026"})
    assert not may_be_moved(FieldSpec(name="closes"), text), "no day"
    alone = Contradicted(known, record, (record,), places=places[:1])
    assert not may_be_moved(spec, alone), "no row has it"


def _points(head: str, row: str, known: str, read: str | None) -> bool:
    """Whether the points of the first of two rows have changed."""
    page = document(f"<table><tr>{row}</tr><tr><td>7</td><td>4</td></tr></table>")
    places = tuple(Scope(page, (at,)) for at in page.by_tag["tr"])
    vote = FieldVote(agreement=1.0, live_readers=1, readers=1, head=head)
    values: dict[str, Value] = {"name": "Tern"} | ({"points": read} if read else {})
    record = ExtractedRecord(values=values, votes={"points": vote})
    spec = PRICE.model_copy(update={"name": "points"})
    schema = RecordSchema(name="Row", fields=(spec, FieldSpec(name="name")))
    seen_there = Contradicted({"points": known}, record, (record,), places=places)
    return has_changed(spec, Index(page), seen_there, schema)


def test_under_its_own_name_a_number_moves_if_its_row_says_the_known_one_no_more() -> (
    None
):
    row = "<td>5.5</td><td>9</td>"
    assert _points("Points", row, "4", "5.5")
    assert not _points("Performance", row, "4", "5.5")
    assert not _points("Points", row, "9", "5.5"), "it stands in the row"


def test_a_number_that_only_other_rows_say_is_not_missed() -> None:
    row = "<td>5.5</td><td>9</td>"
    assert _points("", row, "4", None)
    assert not _points("", row, "9", None)


@pytest.mark.parametrize(
    ("body", "read", "has_changed_now"),
    [
        ("<s>97.01 €</s> <b>77.61 €</b>", "77.61", True),
        ("<s>97.01 €</s> <b>77.61 €</b>", "98.00", False),  # no sale makes it dearer
        ("<i>97.01 €</i> <b>77.61 €</b>", "77.61", False),
        ("<s>97.01 €</s> <b>77.61 €</b></p><p>in a set 97.01 €", "77.61", False),
        ("<s>97.01 €</s>, sold", "77.61", False),
    ],
)
def test_a_price_that_is_crossed_out_is_the_former_one(
    body: str, read: str, has_changed_now: bool
) -> None:
    page = document(f"<h1>Stamp</h1><div><p>{body}</p></div>")
    schema = RecordSchema(name="Good", fields=(PRICE,))
    begun = seen({"price": "97.01"}, {"price": read})
    assert has_changed(PRICE, Index(page), begun, schema) is has_changed_now
    steady = PRICE.model_copy(update={"volatile": False})
    assert not has_changed(steady, Index(page), begun, schema)


def test_a_short_number_is_another_fields_by_chance() -> None:
    stars = PRICE.model_copy(update={"name": "stars"})
    known: dict[str, Value] = {"stars": "4.5", "games": 5}
    assert may_be_moved(stars, seen(known, {"stars": "5.0", "games": 6}))
    far: dict[str, Value] = {"stars": "4.5", "games": 1250}
    assert not may_be_moved(stars, seen(far, {"stars": "1250", "games": 6}))


def test_a_count_may_be_the_year_of_another_row() -> None:
    views = STOCK.model_copy(update={"name": "views"})
    known: dict[str, Value] = {"views": 1993, "built": 1971}
    now: dict[str, Value] = {"views": 2004, "built": 1971}
    assert may_be_moved(views, seen(known, now, {"built": 1993}))
    assert not may_be_moved(views, seen(known, now, {"built": 1994}))


def test_a_small_number_stands_anywhere() -> None:
    assert may_be_moved(STOCK, seen({"stock": 14}, {"stock": 12}))
    steady = STOCK.model_copy(update={"volatile": False})
    assert not may_be_moved(steady, seen({"stock": 14}, {"stock": 12}))


@pytest.mark.parametrize(
    ("moved", "right", "believed"),
    [(1, 3, True), (1, 2, False), (3, 6, True), (3, 5, False), (0, 3, True)],
)
def test_most_known_values_have_to_be_right(
    moved: int, right: int, believed: bool
) -> None:
    assert are_moved(STOCK, moved, right) is believed


def test_what_does_not_move_by_nature_may_have_moved_on_one_page_of_many() -> None:
    steady = STOCK.model_copy(update={"volatile": False})
    assert are_moved(steady, 1, 8)
    assert not are_moved(steady, 1, 7) and not are_moved(steady, 3, 7)


@pytest.mark.parametrize(
    ("kind", "left", "gone", "by_chance"),
    [
        (FieldKind.DATE, 3, 100, True),
        (FieldKind.DATE, 4, 100, False),
        (FieldKind.INTEGER, 0, 0, True),
        (FieldKind.DATE, 1, 10, False),
        (FieldKind.TEXT, 1, 100, False),
    ],
)
def test_a_few_dates_of_many_rows_that_are_gone_stand_there_by_chance(
    kind: FieldKind, left: int, gone: int, by_chance: bool
) -> None:
    assert are_strays(FieldSpec(name="day", kind=kind), left, gone) is by_chance


RATING = FieldSpec(name="rating", kind=FieldKind.NUMBER)
DISH = RecordSchema(
    name="Dish",
    fields=(RATING, FieldSpec(name="title"), FieldSpec(name="cook")),
)
BROTH: dict[str, Value] = {"rating": "4.1", "title": "Leek Broth", "cook": "Ada Marsh"}


def stated(read: dict[str, Value], at: str = "ld:Recipe") -> Contradicted:
    """What linked data states of the broth, but for its rating, steps and host, which stand
    `at` a place."""
    votes = {
        name: FieldVote(
            agreement=1.0,
            live_readers=1,
            readers=1,
            reader=f"{at if name in ('rating', 'steps', 'host') else 'ld:Recipe'}.{name}",
        )
        for name in read
    }
    record = ExtractedRecord(values=read, votes=votes)
    return Contradicted(BROTH, record, (record,))


@pytest.mark.parametrize(
    ("read", "at", "anew"),
    [
        ({**BROTH, "rating": "4.3"}, "ld:Recipe", True),
        ({**BROTH, "rating": "4.3"}, "ld:Product", False),
        ({**BROTH, "rating": "4.3", "cook": "Bo"}, "ld:Recipe", False),
        ({"rating": "4.3"}, "ld:Recipe", False),
    ],
)
def test_a_small_number_says_nothing_against_what_the_known_thing_states(
    read: dict[str, Value], at: str, anew: bool
) -> None:
    assert is_stated_anew(RATING, stated(read, at), DISH) is anew


STEPS = FieldSpec(name="steps", shape=Shape.LIST)


@pytest.mark.parametrize(
    ("steps", "at", "anew"),
    [
        (["Broth", "Chop.", "Boil."], "ld:Recipe", True),
        (["Chop.", "Fry."], "ld:Recipe", True),
        (["Fry.", "Serve."], "ld:Recipe", False),
        (["Broth", "Chop.", "Boil."], ".broth", False),
    ],
)
def test_items_of_a_stated_list_that_has_others_besides_say_nothing_against_it(
    steps: list[Value], at: str, anew: bool
) -> None:
    dish = RecordSchema(name="Dish", fields=(*DISH.fields, STEPS))
    read = stated({**BROTH, "steps": steps}, at)
    known = {**BROTH, "steps": ["Chop.", "Boil."]}
    assert is_stated_anew(STEPS, read._replace(known=known), dish) is anew


HOST = FieldSpec(name="host")


@pytest.mark.parametrize(
    ("host", "at", "anew"),
    [
        ("Mira Holm", "ld:Recipe", True),
        ("Otto Vale", "ld:Recipe", False),
        ("Mira Holm", ".host", False),
    ],
)
def test_a_stated_text_that_was_completed_has_the_known_one_in_it(
    host: str, at: str, anew: bool
) -> None:
    dish = RecordSchema(name="Dish", fields=(*DISH.fields, HOST))
    read = stated({**BROTH, "host": host}, at)
    known = {**BROTH, "host": "Mira"}
    assert is_stated_anew(HOST, read._replace(known=known), dish) is anew
    assert is_stated_retold(HOST, read._replace(known=known), dish) is anew


@pytest.mark.parametrize(
    ("sections", "is_news"),
    [
        ([("Broth", ["Chop.", "Boil."])], False),
        ([("Broth", ["Chop.", "Boil.", "Strain."])], True),
        ([("Broth", ["Chop."]), ("Serving", ["Boil."])], False),
    ],
)
def test_the_name_of_a_section_is_no_item_that_is_new(
    sections: list[tuple[str, list[str]]], is_news: bool
) -> None:
    dish = RecordSchema(name="Dish", fields=(*DISH.fields, STEPS))
    parts = [
        {"name": name, "itemListElement": [{"text": text} for text in texts]}
        for name, texts in sections
    ]
    data = {"@type": "Recipe", "recipeInstructions": parts}
    html = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    page = Document(Page(url="http://broth.test/leek", body=html.encode()))
    steps = list(chain.from_iterable((name, *texts) for name, texts in sections))
    read = stated({**BROTH, "steps": steps})
    known = {**BROTH, "steps": ["Chop.", "Boil."]}
    changed = has_changed(STEPS, Index(page), read._replace(known=known), dish)
    assert changed is is_news


@pytest.mark.parametrize(
    ("read", "stated_too", "is_news"),
    [
        ("Leeks for all.", "Leeks for all.", True),
        ("Leeks for all.", "A broth for cold days.", False),
        ("Leek Broth", "Leek Broth", False),
    ],
)
def test_a_summary_of_which_another_one_is_stated_is_written_anew(
    read: str, stated_too: str, is_news: bool
) -> None:
    """The known one is the first paragraph of the page all the while."""
    about = FieldSpec(name="about", aliases=("description",))
    dish = RecordSchema(name="Dish", fields=(*DISH.fields, about))
    known = {**BROTH, "about": "A broth for cold days."}
    head = f"<meta name='description' content='{stated_too}'>"
    page = document(f"{head}<p>{known['about']}</p>")
    now = stated({**BROTH, "about": read})._replace(known=known)
    assert has_changed(about, Index(page), now, dish) is is_news


def test_what_is_another_rows_now_weighs_less() -> None:
    assert not are_moved(STOCK, 6, 4)
    assert are_moved(STOCK, 6, 4, beside=6)
    assert not are_moved(STOCK, 6, 2, beside=6)
