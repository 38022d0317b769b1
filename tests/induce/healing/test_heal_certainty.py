"""What is healed, but not for certain."""

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import (
    Program,
)
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value
from tests.induce.healing.test_heal import linked
from tests.induce.pages import page

RECIPE = RecordSchema(
    name="Recipe",
    fields=(
        FieldSpec(name="title"),
        FieldSpec(name="image", kind=FieldKind.URL),
        FieldSpec(name="ingredients", shape=Shape.LIST),
        FieldSpec(name="author"),
        FieldSpec(name="rating", kind=FieldKind.NUMBER),
    ),
)


def recipe(**values: Value) -> Example:
    return Example(page=0, records=({"title": "Walnut bread", **values},))


def compiled(body: str, known: Example) -> Program:
    made = compile_program(
        RECIPE, [page(0, f"<h1 class='title'>Walnut bread</h1>{body}")], [known]
    ).program
    assert made is not None
    return made


def test_readers_that_left_the_known_value_behind_are_not_certain() -> None:
    known = recipe(author="Ada Byron")
    old = compiled("<p>Author: <b class='author'>Ada Byron</b></p>", known)
    changed = "<h1 class='title'>Walnut bread</h1><p>Author: <b class='author'>The kitchen team</b></p>{}"
    away = heal_program(RECIPE, old, [page(0, changed.format(""))], [known])
    elsewhere = heal_program(
        RECIPE, old, [page(0, changed.format("<p>Tested with Ada Byron</p>"))], [known]
    )
    assert away.program is not None and elsewhere.program is not None
    assert away.fields["author"].readers > 1
    assert elsewhere.fields["author"].readers == 1


def test_a_list_whose_items_lost_a_part_is_not_certain() -> None:
    whole = ["200 g walnuts", "1 kg flour", "20 g yeast"]
    known = recipe(ingredients=whole)
    items = "".join(f"<li class='ingredient'>{text}</li>" for text in whole)
    old = compiled(f"<h2>Ingredients</h2><ul class='ingredients'>{items}</ul>", known)
    healed = heal_program(
        RECIPE,
        old,
        [
            linked(
                "", name="Walnut bread", recipeIngredient=["walnuts", "flour", "yeast"]
            )
        ],
        [known],
    )
    assert healed.program is not None
    assert healed.fields["ingredients"].readers == 1


def test_a_rating_is_rounded_also_if_the_page_healed_from_shows_a_short_one() -> None:
    known = recipe(rating="4.63")
    old = compiled("<p class='rating'>4.63</p>", known)
    first, second = (
        linked(
            "",
            name="Walnut bread",
            author={"name": "Ada Byron"},
            aggregateRating={"ratingValue": value},
        )
        for value in (4.5, 4.338461538)
    )
    healed = heal_program(RECIPE, old, [first], [known])
    assert healed.program is not None
    assert run(healed.program, Document(second)).records[0].values["rating"] == "4.34"
