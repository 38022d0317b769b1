"""The part of a page that a model gets to see."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.document.trim import WHOLE, Sought, islands, trimmed
from tests.document.build import document

PAGE = """<html><head><title>T</title></head><body><div id=top><nav>menu</nav></div>
<div class=a><section><p class="price-box">5.00</p><p>other</p></section><p>beside</p></div>
<div class=b><h1>Lamp</h1></div></body></html>"""
PRICE = Sought(name="price", values=("5.00", "five euros"))


def trim(html: str, *sought: Sought, levels: int = 0, chars: int = 9999) -> str:
    return trimmed(document(html).tree, sought, levels, chars)[0]


def test_without_a_field_it_is_the_page_without_its_noise() -> None:
    html = """<html><head><title>T</title></head><body onload=x data-k=v
    class=c>a<!-- c --> b<script>s</script> tail<style>y</style><p style=z href=u>p</p></body></html>"""
    text, was_cut = trimmed(document(html).tree, [], 0, 9999)
    assert text == (
        '<html><head><title>T</title></head><body data-k="v" class="c">a b tail'
        '<p href="u">p</p></body></html>'
    )
    assert not was_cut


HIDDEN = ('style="Display : none"', "hidden", "style='visibility:hidden'")


@pytest.mark.parametrize("how", HIDDEN)
def test_what_a_reader_cannot_see_is_not_shown(how: str) -> None:
    assert trim(f"<p>5.00</p><p {how}>price is <b>1.00</b></p> tail") == (
        "<html><body><p>5.00</p> tail</body></html>"
    )


def test_long_texts_and_attributes_are_shortened() -> None:
    html = f"<p title={'t' * 161} alt={'a' * 160}>{'x ' * 300}y<b></b>{'z' * 600}</p>"
    text = trim(html)
    assert f'title="{"t" * 160}…"' in text and f'alt="{"a" * 160}"' in text
    assert f">{('x ' * 300)}…<" in text and f"</b>{'z' * 600}</p>" in text


def test_only_what_is_around_a_known_value_is_shown() -> None:
    assert trim(PAGE, PRICE) == '<p class="price-box">5.00</p>'
    assert trim(PAGE, PRICE, levels=1).startswith("<section>")
    assert trim(PAGE, PRICE, levels=2).startswith('<div class="a">')
    assert trim(PAGE, PRICE, levels=9) == trim(PAGE, PRICE, levels=2)
    assert trimmed(document(PAGE).tree, [PRICE], 0, 9999)[1]


def test_what_is_taken_out_leaves_no_empty_text_behind() -> None:
    assert "<ul><li></ul>" in trim("<ul><li><iframe></iframe></li></ul>")
    assert "<p>a</p>" in trim("<p><script>x</script>a</p>")


def test_parts_inside_each_other_are_shown_once_in_document_order() -> None:
    title = Sought(name="title")
    text = trim(PAGE, title, PRICE, levels=1)
    assert text == trim(PAGE, PRICE, levels=1) + "\n" + trim(PAGE, title, levels=1)
    inner = Sought(name="x", values=("in",))
    assert trim("<div>long <p>in</p> text <b>in</b></div>", inner, levels=1) == (
        "<div>long <p>in</p> text <b>in</b></div>"
    )


def test_a_field_that_is_not_found_shows_the_page_in_short() -> None:
    absent = Sought(name="zzz", values=("none",))
    assert trim(PAGE, absent) == trim(PAGE).replace(
        '<div id="top"><nav>menu</nav></div>', ""
    )
    assert not trimmed(document(PAGE).tree, [absent], 0, 9999)[1]


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("<b>5.00</b>", "<b class=price>x</b>"),
        ("<b>about five euros</b>", "<b class=price>x</b>"),
        ("<b class=price>x</b>", "<b>price</b>"),
        ("<b class=price>price</b>", "<b class=price>x</b>"),
    ],
)
def test_likelier_elements_come_before_others(better: str, worse: str) -> None:
    html = f"<div>{worse * 4}{better}</div>"
    shown = trim(html, PRICE, chars=len(better) + 4)
    assert shown.replace('"', "") == better


def test_at_most_four_places_are_shown_per_field() -> None:
    html = "<div>" + "<b>5.00</b>" * 6 + "</div>"
    assert trim(html, PRICE).count("<b>") == 4
    assert trim(html, PRICE, chars=30).count("<b>") == 2
    assert trim(html, PRICE, chars=5) == "<b>5."


@given(st.integers(0, 9), st.integers(12, 400))
def test_what_was_found_is_never_cut_for_what_is_around_it(
    levels: int, chars: int
) -> None:
    html = "<div><b>5.00</b></div>" + "<p>other</p>" * 9
    for _ in range(8):
        html = f"<div>{html}<p>beside</p></div>"
    shown = trim(html, PRICE, levels=levels, chars=chars)
    assert "<b>5.00</b>" in shown and len(shown) <= chars
    assert len(shown) >= len(trim(html, PRICE, levels=0, chars=chars))


def test_a_place_is_widened_alone_where_there_is_no_room_for_all() -> None:
    html = f"<div><i>{'x' * 300}</i><b>5.00</b></div><div><u>y</u><h1>Lamp</h1></div>"
    shown = trim(html, PRICE, Sought(name="title"), levels=1, chars=99)
    assert shown == "<b>5.00</b>\n<div><u>y</u><h1>Lamp</h1></div>"


def test_pictures_and_what_the_head_says_are_shown() -> None:
    html = """<html><head><meta property="og:image" content="/a.jpg"></head><body><picture><source srcset="/b.jpg 2x">
    </picture><div style="color: red; background: url(/c.jpg)"></div><p style="color: red">p</p></body></html>"""
    for address in ("/a.jpg", "/b.jpg", "/c.jpg"):
        assert address in trim(html)
    assert "<p>p</p>" in trim(html)


def test_short_words_and_values_find_nothing_by_accident() -> None:
    html = "<p class=prize>abc 12345</p><i>no</i>"
    assert trim(html, Sought(name="pr")) == trim(html)
    assert trim(html, Sought(name="x", values=("123",))) == trim(html)
    assert trim(html, Sought(name="x", values=("1234",))) != trim(html)
    assert trim(html, Sought(name="pri")) != trim(html)
    assert trim("<p>12</p><i>no</i>", Sought(name="x", values=("12",))) == "<p>12</p>"


def test_a_long_text_is_no_label_and_an_address_no_name() -> None:
    word = Sought(name="price")
    assert trim(f"<p>price {'x' * 34}</p><i>a</i>", word).startswith("<p>")
    assert trim(f"<p>price {'x' * 35}</p><i>a</i>", word).startswith("<html>")
    assert trim("<a href=/price>a</a><i>b</i>", word).startswith("<html>")


def test_json_is_shown_whole_while_it_fits_and_facts_before_code() -> None:
    roots = [("js:a", [1]), ("ld:P", {"n": "é"}), ("js:b", [2])]
    whole = (("ld:P", '{"n":"é"}'), ("js:a", "[1]"), ("js:b", "[2]"))
    assert islands(roots, 99) == whole
    assert islands(roots, 11) == (("ld:P", '{"n":"é"}'), ("js:a", "[1"))
    assert islands(roots, 9) == whole[:1]
    assert islands(roots, 0) == ()


@given(st.lists(st.tuples(st.sampled_from(["js:a", "ld:b"]), st.integers()), max_size=8), st.integers(0, 60))  # fmt: skip
def test_json_never_takes_more_than_its_room(
    roots: list[tuple[str, int]], chars: int
) -> None:
    shown = islands(roots, chars)
    assert sum(len(text) for _, text in shown) <= chars
    for _, text in shown[:-1]:
        json.loads(text)


def test_the_whole_page_may_be_shown_in_short() -> None:
    shown = trim(PAGE, PRICE, levels=WHOLE)
    assert "menu" not in shown and "Lamp" in shown and "5.00" in shown
