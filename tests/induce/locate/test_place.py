"""Places of numbers in what a page has read aloud."""

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.fits import PageFits
from crawloop_assets.induce.locate.place import Place, behind_their_labels, fitting
from crawloop_assets.induce.locate.typed import ElementText
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec

SEATS = FieldSpec(name="seats", kind=FieldKind.INTEGER)
PIPES = PageFits("https://x.example/").of(34, SEATS)


def aloud(get: str, text: str) -> list[Place]:
    return list(behind_their_labels([ElementText(2, get, text)], PIPES))


def test_a_number_read_aloud_is_cut_off_its_label() -> None:
    (place,) = aloud("@aria-label", "Seats: 34")
    assert apply(place.pipe, ["Seats: 12"]) == ["12"]
    assert apply(place.pipe, ["Published: 23 May 2024"]) == [], "another line"
    assert aloud("@aria-label", "34 seats") == [Place(2, "@aria-label", ())]


def test_the_label_of_other_texts_is_left_to_those_beside_it() -> None:
    (text,) = aloud("text", "Seats: 34")
    assert text == next(fitting([ElementText(2, "text", "Seats: 34")], PIPES))
    assert aloud("@aria-label", "Seats: 35") == []


def test_the_text_of_a_place_is_that_of_its_element_or_attribute() -> None:
    html = b'<html><body><i title="Seats: 34">few</i></body></html>'
    headers = {"content-type": "text/html"}
    shown = Document(Page(url="https://x.example/", body=html, headers=headers))
    number = shown.by_tag["i"][0]
    assert Place(number, "@title", ()).text(shown) == "Seats: 34"
    assert Place(number, "text", ()).text(shown) == "few"
