"""What stands around a number."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.context import Context, context_of, has_number
from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, texts_found
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page

PRICE = Reader(src=Source.CSS, at=".price")


def scope(body: str, kind: str = "text/html") -> Scope:
    url = "https://shop.example/p/1"
    headers = {"content-type": kind}
    return Scope(
        Document(
            Page(
                url=url,
                final_url=url,
                status=200,
                headers=headers,
                body=body.encode(),
                fetched_at=datetime.now(UTC),
            )
        )
    )


def found_by(reader: Reader, place: Scope, value: str) -> Context:
    return context_of(texts_found(reader, place), place, value)


def around(inner: str, value: str = "12.50") -> Context:
    return found_by(PRICE, scope(f"<body>{inner}</body>"), value)


@pytest.mark.parametrize(
    ("inner", "words", "beside"),
    [
        ("<p><b class=price>12.50</b></p>", "#", "#"),
        ("<p><b class=price>€ 12.50 / kg</b></p>", "€ # / kg", "#"),
        (
            "<p><b class=price>€ 12.50 incl. taxes plus postage</b></p>",
            "€ # incl taxes plus",
            "#",
        ),
        ("<p>From <b class=price>12.50</b></p>", "#", "from #"),
        ("<p><i>for members</i> <b class=price>12.50</b></p>", "#", "for members #"),
        ("<p><b class=price>2 for 12,50 only</b></p>", "for # only", "#"),
        ("<p>12 years <b class=price>12.50</b></p>", "#", "years #"),
    ],
)
def test_the_words_of_an_element_and_of_the_one_around_it(inner, words, beside):
    assert around(inner) == Context(words=words, beside=beside)


@pytest.mark.parametrize("number", ["1.00", "99.50", "1,267.95", "1,234,567.00"])
def test_the_length_of_a_number_cuts_no_word(number):
    inner = f"<p><b class=price>was € {number} € 1,775.13 inclusive of taxes</b></p>"
    assert around(inner, number.replace(",", "")).words == "was € # € inclusive of"


@pytest.mark.parametrize("mark", ["style='display: none'", "hidden"])
def test_whether_the_page_shows_a_number(mark):
    assert around(f"<p {mark}><i><b class=price>12.50</b></i></p>").hidden
    assert not around("<p><b class=price>12.50</b></p>").hidden


def test_a_long_text_around_a_number_says_nothing_of_it():
    long = "many words " * 20
    assert around(f"<p>{long}<b class=price>12.50</b></p>").beside == ""


def test_how_many_places_the_reader_finds():
    two = "<p><s class=price>15.00</s> <b class=price>12.50</b></p>"
    assert around(two).places == 2


def test_the_other_numbers_of_an_object_of_json():
    body = '{"item": {"price": "12.50", "amount": 9, "name": "x", "sold": true}}'
    reader = Reader(src=Source.JSON, at="body.item.price", get="value")
    found = found_by(reader, scope(body, "application/json"), "12.50")
    assert found == Context(beside="amount price")


def test_a_label_and_its_number():
    reader = Reader(src=Source.LABEL, at="price", get="next")
    page = scope("<dl><dt>Price</dt><dd>12.50 / kg</dd></dl>")
    assert found_by(reader, page, "12.50") == Context(words="# / kg")


def test_a_reader_that_finds_nothing_has_no_context():
    assert found_by(PRICE, scope("<p>no price</p>"), "12.50") == Context(places=0)


@given(st.text(max_size=60), st.text(max_size=12))
def test_no_text_is_too_odd(text: str, value: str):
    safe = text.replace("<", "").replace("&", "").encode("utf-8", "ignore").decode()
    found = around(f"<p><b class=price>{safe}</b></p>", value)
    assert not any(letter.isdecimal() for letter in found.words)


def test_of_items_with_labels_the_one_that_is_read_is_looked_at() -> None:
    behind = Step(op=Op.AFTER, args=("Reads:",))
    reads = Reader(src=Source.CSS, at="p", pipe=(behind,))
    items = "<p>Shares: 7 times</p><p style='{}'>Reads: 12.50 by all</p>"
    shown = found_by(reads, scope(f"<body>{items.format('')}</body>"), "12.50")
    assert (shown.words, shown.places, shown.hidden) == ("reads: # by all", 1, False)
    hidden = items.format("display: none")
    assert found_by(reads, scope(f"<body>{hidden}</body>"), "12.50").hidden
    plain = reads.model_copy(update={"pipe": ()})
    assert found_by(plain, scope(f"<body>{hidden}</body>"), "7").places == 2


def test_items_without_the_words_that_a_reader_asks_for_are_no_places() -> None:
    asked = Step(op=Op.REGEX, args=(r"^read (\d+) times$",))
    reads = Reader(src=Source.CSS, at="span", pipe=(asked,))
    row = "<p><span>read 12 times</span>{}</p>"
    for more in ("", "<span>9.50</span>", "<span>9.50</span><span>€</span>"):
        assert found_by(reads, scope(row.format(more)), "12").places == 1


@pytest.mark.parametrize(
    ("inner", "words", "beside"),
    [
        ("<p>ETA: <b class=price>4 December 2026</b></p>", "#", "eta: #"),
        ("<p class=price>Departed 2026-12-04, late</p>", "departed # late", ""),
        ("<p class=price>May 2020 to 4 December 2026</p>", "may to #", ""),
        ("<p class=price>since 1 May 2020</p>", "since #", ""),
        ("<p class=price>soon</p>", "soon #", ""),
    ],
)
def test_words_stand_around_a_date_too(inner: str, words: str, beside: str) -> None:
    place = scope(f"<body>{inner}<p>x</p></body>")
    found = context_of(texts_found(PRICE, place), place, "2026-12-04", is_date=True)
    assert found.words == words
    assert found.beside.startswith(beside)


def test_a_text_has_a_number_and_not_another_one() -> None:
    assert has_number("14", "in stock: 14")
    assert has_number("12.50", "€12,50")
    assert has_number("3600", "Size 53 cm Driven 3.600 Used")
    assert has_number("14000", "14.000") and has_number("36.00", "€36,00")
    assert has_number("1139.50", "كان ١٬١٣٩٫٥٠ ر.س") and has_number(
        "128000", "12.8万円"
    )
    assert not has_number("3600", "36 cm")
    assert not has_number("14", "€20.00")
    assert not has_number("14", "none")
