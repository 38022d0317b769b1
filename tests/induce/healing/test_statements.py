"""What structured data states of a field."""

import json

import pytest

from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.healing.statements import Statements
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.healing.fields import witnesses

BRAND = FieldSpec(name="brand")
IMAGE = FieldSpec(name="image", kind=FieldKind.URL)


def linked(**data: object) -> str:
    told = json.dumps({"@type": "Product", **data})
    return f"<script type='application/ld+json'>{told}</script>"


def stating(spec: FieldSpec, *bodies: str) -> Statements:
    return witnesses(spec, (), bodies).statements


def test_each_statement_is_one_reader_however_many_pages_make_it() -> None:
    made = stating(BRAND, linked(brand="Vela"), linked(brand="Hesper"))
    keys = [candidate.key for candidate in made.candidates]
    assert keys and len(set(keys)) == len(keys)
    priors = [candidate.prior for candidate in made.candidates]
    assert priors == sorted(priors, reverse=True)
    assert made.best == made.candidates[:4]


def test_a_page_states_its_own_value() -> None:
    made = stating(BRAND, linked(brand="Vela"), linked(brand="Hesper"), "<p>none</p>")
    values = [made.value_on(index) for index in made.indexes]
    assert values == ["Vela", "Hesper", None]


def test_pages_without_structured_data_state_nothing() -> None:
    made = stating(BRAND, "<p class='brand'>Vela</p>")
    assert made.candidates == []
    assert made.value_on(made.indexes[0]) is None


def test_what_is_to_be_shared_is_not_what_the_record_states_itself() -> None:
    shared = (
        "<meta property='og:brand' content='Vela'><meta name='brand' content='Vela'>"
    )
    made = stating(BRAND, shared, shared + linked(brand="Hesper"))
    assert [made.own_on(index) for index in made.indexes] == [None, "Hesper"]


def test_another_thing_states_nothing_where_the_record_lacks_a_field() -> None:
    def dish(**data: object) -> str:
        return linked(**{"@type": "Recipe", "name": "Broth", **data})

    soups = dish(recipeCategory=["Soups"])
    story = linked(**{"@type": "Article", "articleSection": ["Autumn"]})
    field = FieldSpec(name="category", shape=Shape.LIST)
    made = stating(field, soups, soups, soups, soups + story, dish() + story, story)
    stated = [made.value_on(index) for index in made.indexes]
    assert stated == [["Soups"]] * 4 + [None, ["Autumn"]]
    assert [made.own_on(index) for index in made.indexes] == stated


PICTURE = "https://pics.example/{}.jpg"


def pictures(wide: str, square: str) -> str:
    meta = f"<meta property='og:image' content='{PICTURE.format(wide)}'>"
    return meta + linked(image=PICTURE.format(square))


def most_like(spec: FieldSpec, known: list[str | None], *bodies: str) -> str | None:
    made = stating(spec, *bodies)
    pages = [
        KnownValue(index, value)
        for index, value in zip(made.indexes, known, strict=True)
    ]
    reader = made.most_like(pages)
    return None if reader is None else reader.src.value


@pytest.mark.parametrize(
    ("known", "source"), [("tea-square", "json"), ("tea-wide", "css")]
)
def test_of_several_addresses_the_likest_is_meant(known: str, source: str) -> None:
    body = pictures("tea-wide", "tea-square")
    assert most_like(IMAGE, [PICTURE.format(known)], body) == source


def test_the_mean_over_all_known_pages_decides() -> None:
    bodies = [pictures("x", "tea"), pictures("mug", "y"), pictures("pot", "z")]
    known: list[str | None] = [PICTURE.format(name) for name in ("tea", "mug", "pot")]
    assert most_like(IMAGE, known, *bodies) == "css"
    assert most_like(IMAGE, [known[0], None, None], *bodies) == "json"


def test_without_a_known_address_or_a_choice_none_is_meant() -> None:
    body = pictures("tea-wide", "tea-square")
    assert most_like(IMAGE, [None], body) is None
    known: list[str | None] = [PICTURE.format("tea-square")]
    assert most_like(IMAGE, known, "<p>no picture</p>") is None
    single = "<meta property='og:image' content='/tea.jpg'>"
    assert len(stating(IMAGE, single).candidates) < 2
    assert most_like(IMAGE, known, single) is None


def test_only_single_addresses_are_compared() -> None:
    body = pictures("tea-wide", "tea-square")
    several = IMAGE.model_copy(update={"shape": Shape.LIST})
    known: list[str | None] = [PICTURE.format("tea-square")]
    assert most_like(several, known, body) is None
    text = FieldSpec(name="image")
    assert most_like(text, known, body) is None
