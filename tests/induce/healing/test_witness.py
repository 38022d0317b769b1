"""What speaks for a field on all pages together."""

import json
from dataclasses import replace

import pytest

from crawloop_assets.crawler.program import Source
from crawloop_assets.induce.healing.witness import Witnesses
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.healing.fields import css, json_reader, witnesses

BRAND = FieldSpec(name="brand")
WEIGHT = FieldSpec(name="weight", kind=FieldKind.NUMBER, aliases=("mass",))
LIST = "<ul><li>Oak</li><li>{} total mass</li></ul>"
TAGS = FieldSpec(name="tags", shape=Shape.SET)
OLD = css(".maker", ".by")
GOOD = "<p class='maker'>{0}</p><p class='by'>{0}</p>"


def linked(**data: object) -> str:
    told = json.dumps({"@type": "Product", **data})
    return f"<script type='application/ld+json'>{told}</script>"


def pages(*bodies: str, known: tuple[str | None, ...] = ()) -> Witnesses:
    return witnesses(BRAND, OLD, bodies, known)


def test_pages_that_still_give_the_known_value_are_counted() -> None:
    bodies = [GOOD.format("Vela"), GOOD.format("Hesper"), "<p>x</p>", GOOD.format("A")]
    made = pages(*bodies, known=("Vela", "Hesper", "Vela", "Other"))
    assert made.confirmed() == 2


def test_all_pages_have_to_speak_and_to_be_settled() -> None:
    good, single = GOOD.format("Vela"), "<p class='maker'>Vela</p>"
    assert pages(good, good).is_speaking() and pages(good, good).is_settled()
    assert pages(good, single).is_speaking() and not pages(good, single).is_settled()
    assert not pages(good, "<p>x</p>").is_speaking()


def test_one_page_is_enough_to_contradict_or_to_state() -> None:
    good = GOOD.format("Vela")
    other = good + linked(brand="Hesper")
    made = witnesses(
        BRAND,
        OLD,
        [good, other + "<i id='q'>Hesper</i>"],
        ["Otto", "Hesper"],
        css("#q"),
    )
    assert made.is_contradicted() and made.is_known_stated()
    calm = pages(good, other, known=("Otto", "Otto"))
    assert not calm.is_contradicted() and not calm.is_known_stated()


def test_a_known_value_elsewhere_on_one_page_is_enough() -> None:
    away, there = GOOD.format("Vela"), GOOD.format("Vela") + "<p>By Hesper Co</p>"
    assert pages(away, there, known=("Hesper Co",) * 2).is_known_elsewhere()
    assert not pages(away, away, known=("Hesper Co",) * 2).is_known_elsewhere()


def test_a_field_drifted_if_it_is_like_the_known_value_and_nowhere_the_same() -> None:
    longer, same = linked(brand="Vela Works Ltd"), GOOD.format("Hesper")
    assert pages(longer, known=("Vela Works",)).is_drifted()
    assert not pages(longer, same, known=("Vela Works", "Hesper")).is_drifted()
    assert not pages(longer, known=("Otto",)).is_drifted()
    assert not pages(longer, known=(None,)).is_drifted()


def test_readers_are_dead_that_give_nothing_anywhere() -> None:
    (gone,) = css(".gone")
    half = "<p class='by'>Vela</p>"
    bodies = ["<p class='maker'>Vela</p>", "<p>x</p>", half]
    made = witnesses(BRAND, (*OLD, gone), bodies)
    assert made.dead() == (gone,)
    assert made.living() == ()
    two = witnesses(BRAND, (*OLD, gone), [half, "<p>x</p>"])
    assert two.living() == OLD[1:]
    assert two.dead() == (OLD[0], gone)


def test_readers_of_an_optional_field_live_where_it_is_known() -> None:
    bodies = ["<p class='by'>Vela</p>", "<p>x</p>", "<p>x</p>"]
    made = witnesses(BRAND, OLD, bodies, ("Vela", None, None))
    assert made.living() == OLD[1:]
    needed = BRAND.model_copy(update={"required": True})
    assert witnesses(needed, OLD, bodies, ("Vela", None, None)).living() == ()


def test_a_reader_that_is_silent_where_others_speak_is_told_from_one_that_speaks() -> (
    None
):
    made = pages(GOOD.format("Vela"), "<p class='by'>Otto</p>", "<p>x</p>")
    by, maker = OLD[1], OLD[0]
    assert made.speaks_where(by, [maker])
    assert not made.speaks_where(maker, [by])
    assert made.speaks_where(maker, [])


def test_what_comes_and_goes_speaks_where_it_still_stands() -> None:
    bodies = ["<p class='by'>Vela</p>", "<p>x</p>", "<p>x</p>", "<p>x</p>"]
    known = ("Vela", "Hesper", "Otto", "Calluna")
    assert witnesses(BRAND, OLD, bodies, known).living() == ()
    moving = BRAND.model_copy(update={"volatile": True})
    assert witnesses(moving, OLD, bodies, known).living() == OLD[1:]
    assert witnesses(moving, OLD, bodies[1:], known[1:]).living() == ()


def test_pages_of_which_nothing_is_known_do_not_speak_against_a_reader() -> None:
    here = "<p class='brand-now'>Vela Works</p><p class='brand'>Vela Works</p>"
    bodies = [here, "<p class='brand'>Hesper</p>", "<p class='brand'>Otto</p>"]
    made = pages(*bodies, known=("Vela Works", None, None))
    best = made.aligned()[0].candidate.reader
    read_there = [page.value_of(best) for page in made.pages]
    assert read_there == ["Vela Works", "Hesper", "Otto"]
    absent = replace(made, recorded=frozenset({0, 1, 2}))
    best = absent.aligned()[0].candidate.reader
    assert [page.value_of(best) for page in absent.pages][1:] == [None, None]


def test_readers_agree_somewhere_if_they_give_the_same_on_one_page() -> None:
    made = pages("<p class='maker'>A</p><p class='by'>B</p>", GOOD.format("Vela"))
    assert made.agree_somewhere(*OLD)
    apart = pages("<p class='maker'>A</p><p class='by'>B</p>", "<p>x</p>")
    assert not apart.agree_somewhere(*OLD)


def test_known_values_are_completed_by_what_the_witnesses_agree_on() -> None:
    made = pages(GOOD.format("Vela"), GOOD.format("Hesper"), "<p>x</p>")
    values = [page.value for page in made.known_or_agreed()]
    assert values == ["Vela", "Hesper", None]
    told = pages(GOOD.format("Vela"), GOOD.format("Hesper"), known=("Otto", None))
    assert [page.value for page in told.known_or_agreed()] == ["Otto", "Hesper"]
    assert [page.index for page in told.known_or_agreed()] == [
        page.index for page in told.pages
    ]


def test_readers_are_aligned_to_known_values_and_taught_by_agreed_ones() -> None:
    body = "<p>Brand: <b class='brand-box'>Vela Works</b></p>"
    made = pages(body, known=("Vela Works",))
    places = {tried.candidate.reader.at for tried in made.aligned()}
    assert any("brand" in at for at in places)
    assert all(tried.right == 1 for tried in made.aligned())
    assert pages(body).aligned() == []
    assert pages("<p>x</p>").taught() == []
    stated = pages(linked(brand="Vela Works") + "<b class='brand-box'>Vela Works</b>")
    sources = {tried.candidate.reader.src for tried in stated.taught()}
    assert {Source.JSON, Source.CSS} <= sources


def test_a_number_without_a_name_is_a_chance_hit() -> None:
    count = FieldSpec(name="stock", kind=FieldKind.INTEGER)
    named = "<p class='stock'>12</p>"
    assert witnesses(count, (), [named], ["12"]).aligned()
    assert not witnesses(count, (), ["<p class='q7'>12</p>"], ["12"]).aligned()


def test_readers_of_siblings_are_tried_too() -> None:
    body = "<div><i id='q'>Vela Works</i></div>"
    alone = pages(body, known=("Vela Works",))
    helped = witnesses(BRAND, OLD, [body], ["Vela Works"], css("#q"))
    places = [tried.candidate.reader.at for tried in helped.aligned()]
    assert "#q" in places
    assert len(places) >= len(alone.aligned())


def test_numbers_of_data_are_rounded_as_known_ones() -> None:
    rating = FieldSpec(name="rating", kind=FieldKind.NUMBER)
    made = witnesses(rating, (), ["<p>x</p>"], ["4.63"])
    assert made.rounded(json_reader("Product.rating")).pipe[0].args == (2,)


@pytest.mark.parametrize(
    ("spec", "value", "body", "is_found"),
    [
        # Nothing names the place: three digits are no chance, two are.
        (WEIGHT, "290", f"<p>Mass</p><div>{LIST.format(290)}</div>", True),
        (WEIGHT, "29", f"<p>Mass</p><div>{LIST.format(29)}</div>", False),
        # One tag may be any word of the page.
        (TAGS, ["Chicken"], "<a class='jump'>Chicken</a>", False),
        (TAGS, ["Chicken", "Rice"], "<a class='jump'>Chicken, Rice</a>", True),
    ],
)
def test_what_stands_on_pages_by_chance_needs_a_name(
    spec: FieldSpec, value: Value, body: str, is_found: bool
) -> None:
    made = witnesses(spec, OLD, [f"<main>{body}</main>"], [value])
    assert bool(made.aligned()) is is_found


def test_what_another_field_is_read_as_is_not_what_this_one_looks_like() -> None:
    """But what the page states speaks for itself."""
    bodies = ["<p class='brand' itemprop='brand'>Vela</p>", linked(brand="Vela")]
    made = pages(*bodies)
    assert [page.agreed_value for page in made.pages] == ["Vela", "Vela"]
    taken = replace(made, taken={0: ("Vela",), 1: ("Vela",)})
    assert [page.agreed_value for page in taken.pages] == [None, "Vela"]
    others = replace(made, taken={0: ("Hesper",)})
    assert others.pages[0].agreed_value == "Vela"


def test_a_volatile_value_that_moved_speaks_against_no_reader() -> None:
    price = FieldSpec(name="price", kind=FieldKind.NUMBER, volatile=True)
    rows = ["120.50", "75.25", "310.75", "88.40", "95.10", "64.30"]
    bodies = [f"<h2>Ware</h2><p class='big'>{row}</p><p>Rates</p>" for row in rows]
    known = [*rows[:3], "11.11", "22.22", "33.33"]
    tried = witnesses(price, (), bodies, known).aligned()
    assert tried and (tried[0].right, tried[0].wrong) == (3, 0)
    steady = price.model_copy(update={"volatile": False})
    assert not any(
        one.right > one.wrong for one in witnesses(steady, (), bodies, known).aligned()
    )


def test_a_number_that_moved_is_not_read_in_another_line() -> None:
    spec = FieldSpec(name="queue", kind=FieldKind.INTEGER, volatile=True)
    line = "<li>Room {}</li><li>Open 24 h</li><li>Queue: {} min</li>"
    bodies = [
        f"<ul>{line.format(at, wait)}</ul>" for at, wait in enumerate((134, 45, 57))
    ]
    shifted = f"<ul><li>New</li>{line.format(4, 12)}</ul>"
    made = witnesses(spec, (), [*bodies, shifted], [134, 45, 57, 80])
    found = [one.candidate.reader for one in made.aligned()]
    assert 24 not in {made.pages[3].value_of(reader) for reader in found}
