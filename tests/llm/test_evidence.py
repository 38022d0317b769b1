"""What stands on a page, and what only seems to."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.llm.evidence import PageText, fenced

PARTS = [
    ("html", "<p title=\"Fine &amp; dry\">Oak   shelf, 12 left</p><img alt='old tag'>"),
    ("json ld", '{"note": "say \\"hello there\\"", "price": "1.234,50"}'),
]


@pytest.mark.parametrize(
    "quote",
    [
        "Oak shelf",
        "OAK SHELF",
        "Fine & dry",
        "old tag",
        'say "hello there"',
        "12",
        "oak",
        "&",
    ],
)
def test_what_is_shown_named_or_written_in_json_is_held(quote: str) -> None:
    assert PageText(PARTS).holds(quote)


@pytest.mark.parametrize("quote", ["", "  ", "2", "elf", "ak", "pine shelf", "§"])
def test_what_stands_nowhere_is_not(quote: str) -> None:
    assert not PageText(PARTS).holds(quote)


def test_four_letters_may_stand_inside_a_word_three_may_not() -> None:
    page = PageText([("html", "bookshelf")])
    assert page.holds("shel")
    assert not page.holds("she")


def test_numbers_are_held_by_value() -> None:
    page = PageText(PARTS)
    assert page.holds_number(Decimal("1234.5"))
    assert page.holds_number(Decimal(12))
    assert not page.holds_number(Decimal(2))


@given(st.text(alphabet="abcdefgh ", min_size=4, max_size=40), st.data())
def test_any_longer_part_of_a_text_is_held(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quote = text[start:]
    if len(quote.replace(" ", "")) >= 4:
        assert PageText([("html", text)]).holds(quote)


def test_parts_are_named_and_fenced_with_a_mark_of_their_own() -> None:
    shown = fenced("http://shop.test/", [("html", "a"), ("json x", "b")])
    lines = shown.splitlines()
    assert lines[0] == "Page http://shop.test/"
    assert lines[2:6] == ["[html]", "a", "[json x]", "b"]
    mark = lines[1].strip("<>")
    assert mark.startswith("page-")
    assert len(mark) == len("page-") + 16
    assert lines[6] == f"</{mark}>"
    other = fenced("http://shop.test/", [("html", "a"), ("json x", "c")])
    assert other.splitlines()[1] != lines[1]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://shop.test/i/a.jpg", True),
        ("http://shop.test/p/b.webp", True),
        ("http://shop.test/p/c.webp", True),
        ("http://cdn.test/d.jpg", True),
        ("http://cdn.test/e.jpg", True),
        ("http://cdn.test/f.jpg", True),
        ("http://shop.test/p/Read", False),
        ("http://shop.test/i/a.jp", False),
    ],
)
def test_only_what_is_an_address_leads_anywhere(url: str, *, expected: bool) -> None:
    parts = [
        (
            "html",
            '<img src="/i/a.jpg"><source srcset="b.webp 1x, c.webp 2x">'
            "Read http://cdn.test/e.jpg or http://cdn.test/f.jpg; then",
        ),
        ("json", '{"image":"http:\\/\\/cdn.test\\/d.jpg"}'),
    ]
    assert (url in PageText(parts).leads_to("http://shop.test/p/1")) is expected
