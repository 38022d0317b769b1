"""Forms of texts: brought into form together, they are what each is by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.document import Document
from crawloop_assets.drift.forms import net_form, number_form, page_forms, text_form, value_forms
from crawloop_assets.page import Page

TEXTS = st.lists(
    st.text(max_size=12)
    | st.sampled_from(["12.50", "1 234,5", "Straße 7", "e\u0301", "a\u200b\u0301", "½", "x\0y", "٣", "\u00a0", "a_b"]),
    max_size=20,
)


@given(TEXTS)
def test_forms_of_many_texts_are_the_forms_of_each(texts):
    assert value_forms(texts) == set().union(*(value_forms([text]) for text in texts))


@given(TEXTS)
def test_every_text_can_be_looked_up(texts):
    assert {text_form(text) for text in texts} - {""} <= value_forms(texts)


def test_long_texts_are_no_values():
    assert value_forms(["a" * 3_001]) == set()
    assert value_forms(["7" + "a" * 300]) == {"7" + "a" * 300}


def test_what_stands_on_a_page_in_pieces_is_found_whole():
    name = "<p><b>Copper</b> <i>Kettle</i> No. 7</p>"
    body = f"{name}<p>in stock</p><p>plus VAT</p><p>10.40</p><img alt='12,5 cm' class='c9'>".encode()
    forms = page_forms(Document(Page(url="https://shop.example/p/1", body=body)))
    assert {text_form("Copper Kettle No. 7"), number_form("7"), number_form("12.5"), net_form("10.40")} <= forms
    assert not {number_form("9"), net_form("7"), text_form("c9")} & forms


@pytest.mark.parametrize(
    "text", ["excl. tax", "exkl. moms", "WITHOUT TAX", "plus VAT", "zzgl. MwSt.", "sans TVA", "bez DPH", "net", "Netto",
             "12 € HT", "hors taxes", "sin IVA", "before any tax"]
)  # fmt: skip
def test_a_number_beside_words_for_net_is_net(text):
    page = Page(url="https://shop.example/p/1", body=f"<p>10.40</p><p>{text}</p>".encode())
    assert net_form("10.40") in page_forms(Document(page))
    page = Page(url="https://shop.example/p/1", body=b"<p>10.40</p><p>The right exchange for networks and rust.</p>")
    assert net_form("10.40") not in page_forms(Document(page))


def test_space_between_the_nodes_of_a_value_does_not_change_it():
    page = Page(url="https://shop.example/p/1", body="<p>1\n <b>234</b>\t,  5 é</p><p>Size\n <b>7</b></p>".encode())
    forms = page_forms(Document(page))
    assert {
        text_form("1 234 ,5é"),
        number_form("1234"),
        number_form("5"),
        text_form("size7"),
        number_form("7"),
    } <= forms
