"""What the rules of page kinds ask of a page: what it is about, what lies above it, whether a record is there."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.drift.facts import page_facts
from crawloop_assets.drift.page_words import Said
from crawloop_assets.drift.seen_page import SeenPage
from crawloop_assets.drift.wall import Tool, Wall
from crawloop_assets.page import Page

BANNER = (
    "<div id='cookie-banner'><h2>Cookies</h2><p>We ask.</p><button>OK</button></div>"
)


def seen(body: str, *, path: str = "p/1", is_shown: bool = False) -> SeenPage:
    page = Page(
        url=f"https://shop.example/{path}", body=f"<body>{body}</body>".encode()
    )
    facts = page_facts(Document(page), page)
    return SeenPage(page, facts, facts.wall or Wall(), is_shown)


@pytest.mark.parametrize(
    ("body", "heads"),
    [
        ("<h1>Kettle</h1><h1>Lamp</h1>", ["", "Kettle"]),
        ("<h2>Kettle</h2><h2>Lamp</h2>", [""]),
        ("<h2>Kettle</h2>", ["", "Kettle"]),
        ("<h1>Shop</h1>", ["", "Shop"]),
        (BANNER, ["", "Cookies"]),
        (f"{BANNER}<h1>Kettle</h1>", ["", "Kettle"]),
        (f"{BANNER}<p>Kettle</p><p>Acme</p><p>Copper</p>", [""]),
    ],
)
def test_what_a_page_is_about(body: str, heads: list[str]) -> None:
    assert seen(body).heads == heads


def test_a_banner_lies_alone_above_nothing_and_not_above_a_short_record() -> None:
    assert seen(BANNER).lies_alone(Tool.CONSENT)
    assert not seen(BANNER).lies_alone(Tool.AGE)
    assert seen(f"{BANNER}<p>Acme</p>").lies_alone(Tool.CONSENT)
    assert not seen(f"{BANNER}<p>Acme</p>", is_shown=True).lies_alone(Tool.CONSENT)
    for record in (
        "<p>Bo Roe</p><p>Painter</p><p>Leeds</p>",
        "<dl><dt>Room</dt><dd>4</dd></dl>",
        "<h2>Bo Roe</h2>",
    ):
        assert not seen(BANNER + record).lies_alone(Tool.CONSENT)


def test_what_is_bare_and_what_is_blank() -> None:
    assert seen("<p>x</p>").is_bare and seen("<p>x</p>").is_blank
    for body in ("<p>€ 12</p>", "<dl><dt>Room</dt><dd>4</dd></dl>"):
        assert not (seen(body).is_bare or seen(body).is_blank)
    four = "<p>a</p>" * 4
    assert seen(four).is_bare and not seen(four).is_blank
    assert not seen("<p>x</p>", is_shown=True).is_bare


@pytest.mark.parametrize(
    ("path", "phrase", "expected"),
    [
        ("films/access-denied-4", "access denied", True),
        ("films/access_denied/", "access denied", True),
        ("jobs/maintenance-engineer", "maintenance", False),
        ("films/4", "access denied", False),
    ],
)
def test_a_page_explains_what_its_address_is_called(
    path: str, phrase: str, expected: bool
) -> None:
    assert seen("", path=path).explains(Said(phrase)) is expected


def test_what_repeats_the_status_says_no_more() -> None:
    page = Page(url="https://shop.example/p/1", status=429, body=b"")
    facts = page_facts(Document(page), page)
    assert SeenPage(page, facts, Wall()).explains(Said("429 too many requests"))
    assert not SeenPage(page, facts, Wall()).explains(Said("bad gateway"))
    assert not seen("").explains(Said("too many requests"))


def test_a_page_explains_the_number_of_an_error_in_many_sentences() -> None:
    text = f"<p>{'A client that gets it has to wait. ' * 20}</p>"
    assert seen(text).explains(Said("503 unavailable"))
    assert not seen(text).explains(Said("unavailable"))
    assert not seen("").explains(Said("503 unavailable"))
