"""A list of which a name leads to the first part is read whole on every page."""

from collections.abc import Sequence

from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.healing.going_on import gone_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, Shape
from crawloop_assets.values.value import Value

STEPS = FieldSpec(name="steps", shape=Shape.LIST, aliases=("instructions",))
WHOLE = ["Boil the water", "Add the leaves", "Wait for three minutes"]
PARTS = ["Grind the beans", "Heat the jug"], ["Pour it slowly", "Stir it once"]


def index(*groups: Sequence[str]) -> Index:
    """A page of recipe steps in groups."""
    lists = (
        "<ul class='steps'>{}</ul>".format("".join(f"<li>{one}</li>" for one in group))
        for group in groups
    )
    body = f"<body><h1>A drink</h1><h2>Instructions</h2>{''.join(lists)}</body>"
    document = Document(Page(url="https://x.example/", body=body.encode()))
    return Index(document, "Recipe")


def guessed(second: Value, spec: FieldSpec = STEPS, *, sure: bool = False) -> Value:
    """What becomes of the guess of a page of two groups, beside a page of one."""
    pages = [KnownValue(index(WHOLE), WHOLE), KnownValue(index(*PARTS), second)]
    _, found = gone_on(pages, spec, [sure, False])
    return found


def test_the_other_groups_are_part_of_the_list() -> None:
    first, second = PARTS
    assert guessed(first) == [*first, *second]
    assert guessed(second) == [*first, *second], "or what comes before"


def test_a_guess_that_is_in_no_list_stays_as_it_is() -> None:
    other = ["Grind the beans", "Stir it once"]
    assert guessed(other) == other, "not in one piece"
    assert guessed(None) is None, "nothing was guessed"


def test_what_two_names_say_and_what_is_no_list_stays_as_it_is() -> None:
    first, _ = PARTS
    assert guessed(first, sure=True) == first
    bag = STEPS.model_copy(update={"shape": Shape.SET})
    assert guessed(first, bag) == first
