"""A field is found again by what it looked like."""

import pytest

from crawloop_assets.crawler.program import FieldProgram, Fingerprint
from crawloop_assets.induce.healing.relocate import RelocatedField, relocate
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.healing.fields import document

MAKER = FieldSpec(name="maker")


def look(**changes: object) -> Fingerprint:
    usual: dict[str, object] = {
        "tag": "b",
        "tokens": ("maker", "name"),
        "label": "maker",
        "shape": "Aa",
        "length": 10,
    }
    return Fingerprint.model_validate(usual | changes)


def found(
    body: str, spec: FieldSpec = MAKER, wanted: Fingerprint | None = None
) -> RelocatedField | None:
    field = FieldProgram(spec=spec, fingerprint=wanted or look())
    return relocate(Index(document(body)), field, spec)


def test_the_likest_element_is_the_field() -> None:
    body = "<p>Maker: <b class='maker-name'>Lumen Works</b></p><b>Other words</b>"
    guess = found(body)
    assert guess is not None and guess.value == "Lumen Works"
    assert guess.score > 0.7 and guess.margin > 0.08


def test_a_rival_as_like_leaves_no_margin() -> None:
    one = "<p>Maker: <b class='maker-name'>{}</b></p>"
    guess = found(one.format("Lumen Works") + one.format("Nordic Oak"))
    assert guess is not None and guess.value == "Lumen Works"
    assert guess.margin < 0.08
    same = found(one.format("Lumen Works") + one.format("Lumen works"))
    assert same is not None and same.margin > guess.margin


def test_without_a_look_nothing_is_found() -> None:
    index = Index(document("<b class='maker-name'>Lumen Works</b>"))
    assert relocate(index, FieldProgram(spec=MAKER), MAKER) is None
    bare = FieldProgram(spec=MAKER, fingerprint=look(tag=""))
    assert relocate(index, bare, MAKER) is None
    record = FieldSpec(
        name="maker", kind=FieldKind.OBJECT, fields=(FieldSpec(name="name"),)
    )
    whole = FieldProgram(spec=record, fingerprint=look())
    assert relocate(index, whole, record) is None


def test_a_page_without_texts_of_that_length_has_no_guess() -> None:
    assert found("<b>x</b>") is None
    assert found(f"<b>{'long words ' * 9}</b>") is None
    assert found("<b>xy</b>") is not None, "a sixth of the length"
    assert found(f"<b>{'y' * 60}</b>") is not None, "six times the length"


def test_a_number_may_stand_in_a_longer_text() -> None:
    price = FieldSpec(name="price", kind=FieldKind.NUMBER)
    body = f"<p>{'now ' * 40}<b>12.50</b></p>"
    guess = found(body, price, look(tag="b", length=5))
    assert guess is not None and guess.value == "12.50"


def test_a_duration_needs_a_unit() -> None:
    minutes = FieldSpec(name="cook_time", kind=FieldKind.MINUTES)
    assert found("<b>20</b>", minutes, look(length=4)) is None
    guess = found("<b>20 min</b>", minutes, look(length=4))
    assert guess is not None and guess.value == 20


def test_an_element_that_holds_many_others_is_no_single_value() -> None:
    wanted = look(length=40)  # no part of it is as long
    eleven, twelve = "<i>abcd</i>" * 11, "<i>abcd</i>" * 12
    guess = found(f"<b>{eleven}</b>", wanted=wanted)
    assert guess is not None and str(guess.value).count("abcd") == 11
    assert found(f"<b>{twelve}</b>", wanted=wanted) is None


IMAGE = FieldSpec(name="image", kind=FieldKind.URL)


@pytest.mark.parametrize(
    ("body", "address"),
    [
        ("<img src='/a.jpg'>", "https://shop.example/a.jpg"),
        ("<img data-src='/b.jpg'>", "https://shop.example/b.jpg"),
        ("<a href='/c'>more</a>", "https://shop.example/c"),
    ],
)
def test_an_address_is_that_of_a_picture_or_a_link(body: str, address: str) -> None:
    guess = found(body, IMAGE, look(tag="img"))
    assert guess is not None and guess.value == address


def test_other_elements_have_no_address() -> None:
    assert found("<p src='/a.jpg' href='/b'>x</p>", IMAGE, look(tag="img")) is None


FEATURES = FieldSpec(name="features", shape=Shape.LIST)
LIST_LOOK = look(tag="li", tokens=("features",), label="", length=8, count=3)


def items(*texts: str, tag: str = "li") -> str:
    inner = "".join(f"<{tag}>{text}</{tag}>" for text in texts)
    return f"<ul class='features'>{inner}</ul>"


def test_a_list_is_a_run_of_like_siblings() -> None:
    body = "<p>one</p><p>two</p>" + items("Dimmable", "Oak foot", "Two cords")
    guess = found(body, FEATURES, LIST_LOOK)
    assert guess is not None
    assert guess.value == ["Dimmable", "Oak foot", "Two cords"]


def test_empty_items_are_left_out() -> None:
    guess = found(items("Dimmable", "", "Two cords"), FEATURES, LIST_LOOK)
    assert guess is not None and guess.value == ["Dimmable", "Two cords"]


@pytest.mark.parametrize("count", [1, 16])
def test_siblings_that_are_too_few_or_too_many_are_no_list(count: int) -> None:
    assert found(items(*["Dimmable"] * count), FEATURES, LIST_LOOK) is None
    assert found(items(*["Dimmable"] * 15), FEATURES, LIST_LOOK) is not None


def test_siblings_of_other_lengths_are_no_list() -> None:
    assert found(items(*["x"] * 3), FEATURES, LIST_LOOK) is None
    assert found(items(*["y" * 33] * 3), FEATURES, LIST_LOOK) is None
    assert found(items(*["y" * 32] * 3), FEATURES, LIST_LOOK) is not None
    assert found(items(*["yy"] * 3), FEATURES, LIST_LOOK) is not None
