"""What is said of the page of an example where a value is not read."""

from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.seen import seen_there
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.detail.documents import document

STATE = FieldSpec(name="state", kind=FieldKind.CHOICE, choices=("new", "used"))
FLAG = FieldSpec(name="ships", kind=FieldKind.BOOLEAN)
AGE = FieldSpec(name="age", kind=FieldKind.INTEGER)
SHOWN = [
    document(
        f"<h1>Lamp {'abcdef'[at]}</h1><dl><dt>Zustand</dt><dd>{('Neu', 'Gebraucht')[at % 2]}</dd>"
        f"<dt>Farbe</dt><dd>{at} rot</dd></dl><p>ab {at + 3} Jahren, {'seit langem ' * 12}</p>"
        "<p>Hallo</p>"
    )
    for at in range(6)
]


def seen(value: Value, spec: FieldSpec, pages: int = 6) -> str:
    return seen_there(Index(SHOWN[0]), value, spec, SHOWN[:pages])


def test_of_a_choice_the_words_that_come_and_go_are_shown_beside_their_label() -> None:
    shown = 'there stand "Neu" beside "Zustand"'
    assert seen("new", STATE) == f"state is new or used, and {shown}"
    assert seen(True, FLAG) == f"ships is yes or no, and {shown}"


def test_two_pages_do_not_tell_what_comes_and_goes() -> None:
    assert seen("new", STATE, pages=2) == ""


def test_of_a_value_that_stands_there_the_shortest_text_is_shown_cut() -> None:
    said = seen(3, AGE)
    assert said.startswith('it stands in "ab 3 Jahren, seit langem')
    assert said.endswith('…"') and len(said) < 110
    assert seen(77, AGE) == ""


def test_of_a_list_its_items_are_looked_for_and_of_objects_nothing_is() -> None:
    names = FieldSpec(name="names", shape=Shape.LIST)
    assert seen(["Lamp a", "Nowhere"], names) == 'it stands in "Lamp a"'
    parts = FieldSpec(name="parts", kind=FieldKind.OBJECT, shape=Shape.LIST)
    assert seen([{"name": "Lamp a"}], parts) == ""
