"""Known pictures that stand under another host now."""

import pytest

from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.healing.decision import HealDecision
from crawloop_assets.induce.healing.field import heal_field
from crawloop_assets.induce.healing.served import delivered_now
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.healing.fields import css, document, witnesses

IMAGE = FieldSpec(name="image", kind=FieldKind.URL)
OLD = css(".c1")
PATH = "/media/2021/04/harbour-lamp-7731.jpg"
KNOWN = f"https://img.maple.example{PATH}"
NOW = f"https://maple.example{PATH}"
LINK = '<p>Lamp</p><a class="save" data-of="{}">Save</a>'


def addresses(*bodies: str, spec: FieldSpec = IMAGE, known: str = KNOWN) -> set[str]:
    """What the readers found lead by, of a picture that is known of each page."""
    pages = [
        KnownValue(Index(document(body, at)), known) for at, body in enumerate(bodies)
    ]
    return {one.candidate.reader.at for one in delivered_now(pages, spec)}


@pytest.mark.parametrize(
    "address", [NOW, PATH, f"{NOW}?w=300", NOW.replace("media", "m%65dia")]
)
def test_the_path_of_a_picture_says_which_it_is(address: str) -> None:
    assert ".save" in addresses(LINK.format(address))


@pytest.mark.parametrize(
    "body",
    [
        LINK.format(NOW.replace("7731", "7732")),  # another picture
        LINK.format(NOW.replace("/04/", "/05/")),
        LINK.format(NOW.replace(".jpg", "-300x300.jpg")),  # another size of it
        LINK.format(f"https://pins.example/save?of={NOW}"),  # in another address
        LINK.format(NOW) + f'<img src="https://b.example{PATH}">',  # which of two?
        LINK.format("http://[oops" + PATH),
        LINK.format(KNOWN),  # where it was
        LINK.format(KNOWN.replace("https:", "http:")),
        "<p>Lamp</p>",
    ],
)
def test_anything_else_is_not_that_picture(body: str) -> None:
    assert addresses(body) == set()


def test_what_the_address_is_written_on_goes_before_a_position() -> None:
    body = '<div id="x"><p>' + LINK.format(NOW) + "</p></div>"
    assert not any("nth-of-type" in one for one in addresses(body))


def test_a_short_name_and_what_is_no_address_say_nothing() -> None:
    body = LINK.format("https://maple.example/media/1.jpg")
    assert addresses(body, known="https://img.maple.example/media/1.jpg") == set()
    several = IMAGE.model_copy(update={"shape": Shape.LIST})
    text = FieldSpec(name="image")
    assert addresses(LINK.format(NOW), spec=several) == set()
    assert addresses(LINK.format(NOW), spec=text) == set()
    assert delivered_now([KnownValue(Index(document(LINK)), None)], IMAGE) == []


def test_a_heal_takes_it_as_one_guess_where_nothing_else_speaks() -> None:
    made = heal_field(witnesses(IMAGE, OLD, [LINK.format(NOW)], [KNOWN]))
    assert made.decision.decision is HealDecision.REALIGNED
    assert len(made.program.readers) == 1
    lost = heal_field(witnesses(IMAGE, OLD, ["<p>Lamp</p>"], [KNOWN]))
    assert lost.decision.decision is HealDecision.ABSTAINED
