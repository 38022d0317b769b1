"""What stands on a page: the look-up says of every form what reading all texts of the page one by one says."""

from itertools import chain
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawloop_assets.document.document import Document, clean_markup
from crawloop_assets.drift import presence
from crawloop_assets.drift.forms import (
    FEW_PIECES,
    LONGEST,
    NEAR,
    UNREAD,
    is_net,
    list_form,
    net_form,
    numeral_form,
    numeral_forms,
    shown_form,
    shown_text_form,
    stated_forms,
    struck_form,
    text_form,
)
from crawloop_assets.drift.presence import Presence
from crawloop_assets.page import Page


def test_what_stands_in_json_alone_is_shown_to_nobody() -> None:
    script = (
        '<script type="application/json" id="s">{"price": 12.5, "old": 13}</script>'
    )
    page = Presence(document(f"<p>now <b>13</b></p><i data-n='7'>x</i>{script}"))
    assert page.holds(numeral_form("12.50")) and not page.holds(shown_form("12.50"))
    assert page.holds(shown_form("13")) and page.holds(shown_form("7"))
    stated = Presence(document("<meta itemprop='price' content='12.50'><p>13</p>"))
    assert stated.holds(numeral_form("12.50")) and stated.holds(shown_form("13"))
    assert not stated.holds(shown_form("12.50"))
    body = Presence(document('{"price": 12.5}', "application/json"))
    assert body.holds(shown_form("12.50")), "a page of JSON has nothing else to show"


def test_a_text_is_shown_where_people_see_it_and_not_in_data_beside_it() -> None:
    data = '{"items": [{"name": "Oak shelf"}, {"name": "Brass hook"}]}'
    page = Presence(
        document(
            f"<script type='application/json'>{data}</script><ul><li>Oak shelf</li></ul>"
        )
    )
    assert page.holds(text_form("Brass hook"))
    assert page.holds(shown_text_form("Oak shelf"))
    assert not page.holds(shown_text_form("Brass hook"))


def document(body: str, kind: str = "text/html") -> Document:
    headers = {"content-type": f"{kind}; charset=utf-8"}
    return Document(
        Page(
            url="https://shop.example/p/1",
            body=body.encode("utf-8", "replace"),
            headers=headers,
        )
    )


def forms_of(page: Document) -> set[str]:
    """The forms of all that stands on a page, as defined."""
    nodes = page.columns.texts
    spans = [
        slice(*span) for span in zip(page.columns.first, page.columns.last, strict=True)
    ]
    small = [nodes[span] for span in spans if 1 < span.stop - span.start <= FEW_PIECES]
    attributes = [
        value for each in page.attributes for name, value in each if name not in UNREAD
    ]
    leaves = list(chain.from_iterable(page.leaves.values()))
    texts = [*nodes, *attributes, *leaves]
    whole = {text_form(text) for text in texts} | {
        "".join(map(text_form, pieces)) for pieces in small
    }
    joined = [clean_markup("".join(pieces)) for pieces in small]
    return (
        {form for form in whole if 0 < len(form) <= LONGEST}
        | {form for text in (*texts, *joined) for form in numeral_forms(text)}
        | {form for text in (*attributes, *leaves) for form in stated_forms(text)}
        | net_forms_of([text for text in nodes if not text.isspace()])
    )


def net_forms_of(texts: list[str]) -> set[str]:
    found = set()
    for before, text, after in zip(["", *texts], texts, [*texts[1:], ""], strict=False):
        if is_net(text) or is_net(before[-NEAR:]) or is_net(after[:NEAR]):
            found.update(f"net{form}" for form in numeral_forms(text))
    return found


WORDS = st.sampled_from(
    ["Copper", "kettle", "No.", "7", "12.50", "12,5", "1", "234", "1.234,5", "£9.99", "excl. tax", "plus VAT", "Straße",
     "e", "\u0301", "½", "2 ½", "٣", "４", "0.0", "-3", "C++", "  ", "\u00a0", "a_b", "ﬁn", "™", "x" * 290, "y" * 2_990]
)  # fmt: skip
TEXTS = st.lists(WORDS, max_size=3).map(" ".join)
HTML = st.recursive(
    TEXTS,
    lambda inside: st.builds(
        lambda tag, name, value, parts: (
            f'<{tag} {name}="{value}">{"".join(parts)}</{tag}>'
        ),
        st.sampled_from(
            ["div", "p", "b", "span", "script type=application/json", "script", "li"]
        ),
        st.sampled_from(["alt", "class", "data-x", "content"]),
        TEXTS,
        st.lists(inside, max_size=5),
    ),
    max_leaves=12,
)
ASKED = st.lists(
    TEXTS | st.text(max_size=6) | st.decimals(-20, 2_000, places=2).map(str),
    max_size=12,
)


def differ(page: Document, asked: list[str]) -> set[str]:
    """The forms of which the look-up says something else than the definition does: of all that stand there, and of
    any others."""
    known = forms_of(page)
    others = chain.from_iterable(
        (text_form(one), numeral_form(one), net_form(one)) for one in asked
    )
    parts = [form[:-1] for form in known] + [
        f"net{form}" for form in known if form.startswith("#")
    ]
    forms = {*known, *others, *parts}
    wrong = set()
    for many in (0, 10**9):
        with patch.object(presence, "_MANY", many):
            page_says = Presence(page)
            wrong |= {
                form for form in forms if page_says.holds(form) != (form in known)
            }
    return wrong


@settings(max_examples=300, deadline=None)
@given(HTML, ASKED)
def test_the_look_up_finds_what_reading_everything_finds(body, asked):
    assert differ(document(body), asked) == set()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(TEXTS | st.sampled_from(["a\\u0000b", "1\\u0000234", "12.5"]), max_size=8),
    ASKED,
)
def test_the_same_in_json(texts, asked):
    listed = ", ".join(f'"{text}"' for text in texts)
    page = document(
        f'{{"a": [{listed}, 12.5, 1e-7, 0.0000001, -4], "b": {{"c": [{listed}]}}}}',
        "application/json",
    )
    assert differ(page, asked) == set()


HTML_PAGE = """<html><head><title>Copper Kettle | Shop</title>
<script type="application/ld+json">{"@type": "Product", "sku": "K-77", "offers": {"price": 12.5}}</script></head>
<body><h1 data-sku="Q-5">Copper <em>Kettle</em></h1><p class="price">£12.50 <small>incl. VAT</small></p>
<p class="net">£10.42 <span>excl. tax</span></p><ul><li>kitchen</li><li>copper</li></ul></body></html>"""


@pytest.mark.parametrize(
    ("form", "stands"),
    [
        (text_form("Copper Kettle"), True),
        (text_form("Copper Ket"), False),
        (text_form("kitchen"), True),
        (text_form("K-77"), True),
        (text_form("Q-5"), True),
        (text_form("price"), False),
        (numeral_form("12.50"), True),
        (numeral_form("12.5"), True),
        (numeral_form("1250"), False),
        (net_form("10.42"), True),
        (net_form("12.50"), False),
        ("", False),
    ],
)
def test_values_of_a_page_stand_there_and_others_do_not(form, stands):
    assert Presence(document(HTML_PAGE)).holds(form) is stands


def test_what_stands_on_a_page_in_pieces_is_found_whole():
    name = "<p><b>Copper</b> <i>Kettle</i> No. 7</p>"
    page = Presence(
        document(
            f"{name}<p>in stock</p><p>plus VAT</p><p>10.40</p><img alt='12,5 cm' class='c9'>"
        )
    )
    assert all(
        map(
            page.holds,
            (
                text_form("Copper Kettle No. 7"),
                numeral_form("7"),
                numeral_form("12.5"),
                net_form("10.40"),
            ),
        )
    )
    assert not any(map(page.holds, (numeral_form("9"), net_form("7"), text_form("c9"))))


@pytest.mark.parametrize(
    "text", ["excl. tax", "exkl. moms", "WITHOUT TAX", "plus VAT", "zzgl. MwSt.", "sans TVA", "bez DPH", "net", "Netto",
             "12 € HT", "hors taxes", "sin IVA", "before any tax"]
)  # fmt: skip
def test_a_number_beside_words_for_net_is_net(text):
    assert Presence(document(f"<p>10.40</p><p>{text}</p>")).holds(net_form("10.40"))
    page = document("<p>10.40</p><p>The right exchange for networks and rust.</p>")
    assert not Presence(page).holds(net_form("10.40"))


def test_a_number_is_on_the_page_as_its_family_reads_it():
    """Shown by the family's point, stated as machines write it."""
    shown = document("<p>1.234 kg</p><p><b>2.345</b> <i>kg</i></p>")
    stated = document(
        '<script type="application/ld+json">{"@type": "Product", "weight": 1.234}</script>'
    )
    for points, form in (((".",), "#1.234"), ((",",), "#1234"), (("",), "#1234")):
        holds = Presence(shown, points).holds
        assert [holds("#1.234"), holds("#1234")] == [form == "#1.234", form == "#1234"]
        assert holds("#2.345") is (points == (".",))
        assert Presence(stated, points).holds("#1.234")


def test_a_number_that_is_crossed_out_is_struck():
    page = Presence(
        document("<p><s>15.00</s> <span class=was><i>14.00</i></span> <b>12.50</b></p>")
    )
    struck = [page.holds(struck_form(price)) for price in ("15", "14", "12.5", "11")]
    assert struck == [True, True, False, False]


def test_a_number_that_json_calls_a_former_price_is_struck():
    page = Presence(
        document('{"pricing": {"was": "15.00", "now": 12.5}}', "application/json")
    )
    struck = [page.holds(struck_form(price)) for price in ("15", "12.5")]
    assert struck == [True, False]


def test_a_number_that_is_said_to_be_the_former_one_is_struck():
    page = Presence(document("<p>12.50 (was 15.00)</p><p>Usual price <b>14.00</b></p>"))
    struck = [page.holds(struck_form(price)) for price in ("15", "14", "12.5")]
    assert struck == [True, False, False]


def test_only_what_is_around_a_number_is_asked_whether_it_crosses_out(monkeypatch):
    asked = []
    monkeypatch.setattr(presence, "is_struck", lambda *look: asked.append(look))
    rows = "".join(f"<p class=c{at}>word</p>" for at in range(50))
    page = Presence(document(f"{rows}<div><b class=old>12.50</b></div>"))
    assert not page.holds(struck_form("12.5"))
    assert asked[:2] == [("b", "old"), ("div", "")] and len(asked) == 3


def test_space_between_the_nodes_of_a_value_does_not_change_it():
    page = Presence(document("<p>1\n <b>234</b>\t,  5 é</p><p>Size\n <b>7</b></p>"))
    for form in (
        text_form("1 234 ,5é"),
        numeral_form("1234"),
        numeral_form("5"),
        text_form("size7"),
        numeral_form("7"),
    ):
        assert page.holds(form)


def test_long_texts_are_no_values():
    page = Presence(document(f"<p>{'a' * 3_001}</p><p>{'7' + 'a' * 300}</p>"))
    assert not page.holds("a" * 3_001)
    assert page.holds("7" + "a" * 300) and not page.holds("#7")


def test_a_page_of_many_records_answers_for_each():
    rows = "".join(
        f"<li><b>Oak thing {at}</b> <i>{at}.50</i> {'excl. tax' if at % 2 else ''}</li>"
        for at in range(400)
    )
    page = Presence(document(f"<ul>{rows}</ul>"))
    for at in range(400):
        assert page.holds(text_form(f"Oak thing {at}")) and page.holds(
            numeral_form(f"{at}.50")
        )
        assert page.holds(net_form(f"{at}.50")) is bool(at % 2)
    assert not page.holds(text_form("Oak thing 400")) and not page.holds(
        numeral_form("400.5")
    )


@pytest.mark.parametrize(
    ("items", "stands"),
    [
        (["Chop.", "Boil."], True),
        (["boil", "chop"], True),
        (["Chop.", "Boil.", "Broth"], False),
        (["Chop."], False),
        (["Broth", "Chop."], False),
    ],
)
def test_a_list_stands_whole_in_one_place_of_the_json(
    items: list[str], stands: bool
) -> None:
    page = document(
        '{"steps": [{"name": "Broth", "steps": [{"text": "Chop."}, {"text": "Boil."}]}]}',
        "application/json",
    )
    assert Presence(page).holds(list_form(items)) is stands
