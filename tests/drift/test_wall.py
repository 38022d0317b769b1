"""What the structure of a small page says: fields, overlays, headings beside them, buttons, what machines are told."""

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.drift.wall import Tool, Wall, wall_of
from crawloop_assets.page import Page

DIALOG = "<div role='dialog'><h1>We ask</h1><p>" + "word " * 20 + "</p></div>"


def wall(body: str) -> Wall:
    page = Page(url="https://shop.example/p/1", body=f"<html>{body}</html>".encode())
    document = Document(page)
    return wall_of(document, document.whole.chars)


@pytest.mark.parametrize(
    ("around", "found"),
    [
        ("<main>{}</main>", True),
        ("<div class='login-form'>{}</div>", True),
        ("<nav>{}</nav>", False),
        ("<div class='site-header'>{}</div>", False),
        ("<dialog>{}</dialog>", False),
        ("<div class='modal fade'>{}</div>", False),
        ("<div class='modal-wrapper header'><main>{}</main></div>", True),
    ],
)
def test_fields_count_in_the_content(around: str, found: bool) -> None:
    fields = "<input type='PASSWORD'><input name='email'>"
    seen = wall(around.format(fields))
    assert (seen.password, seen.account) == (found, found)


def test_one_field_of_a_date_is_no_date() -> None:
    assert not wall("<select name='month'></select>").birth
    assert wall("<select name='month'></select><input name='birth_year'>").birth


def test_what_is_left_beside_overlays() -> None:
    seen = wall(f"{DIALOG}<h2>Kettle</h2><p>Copper</p>")
    assert seen.overlays == (Tool.OVERLAY,)
    assert (seen.headings, seen.main) == (("Kettle",), False)
    assert seen.bare_chars < 20
    assert wall(DIALOG).headings == ()


@pytest.mark.parametrize(
    ("part", "tool"),
    [
        ("<div id='onetrust-banner-sdk'>x</div>", Tool.CONSENT),
        ("<div class='cookie-consent'>x</div>", Tool.CONSENT),
        ("<iframe src='https://cdn.privacy-mgmt.com/x'></iframe>", Tool.CONSENT),
        ("<section class='age-gate'>x</section>", Tool.AGE),
    ],
)
def test_tools_are_known_by_name(part: str, tool: Tool) -> None:
    assert wall(part).overlays == (tool,)


@pytest.mark.parametrize(
    "body",
    [
        "<body class='cookie-banner-open'><p>x</p></body>",
        "<script id='cookiebot' src='https://consent.cookiebot.com/uc.js'></script><p>x</p>",
        "<div class='cookie-banner-open'><main>x</main></div>",
    ],
)
def test_a_page_that_bears_the_name_of_a_tool_is_no_overlay(body: str) -> None:
    assert wall(body).overlays == ()


def test_a_price_counts_in_the_content() -> None:
    assert wall("<main><p>Kettle 12 €</p></main><footer>from 49 €</footer>").priced
    assert not wall("<main><p>Kettle</p></main><footer>from 49 €</footer>").priced
    assert not wall("<div class='topbar'>EUR</div><p>Kettle</p>").priced


def test_buttons() -> None:
    seen = wall(
        "<button>Yes</button><input type='submit' value='Go'><input name='q' value='no'>"
        "<a class='btn'>Maybe</a><a href='/'>Home</a>"
    )
    assert seen.buttons == ("Yes", "Go", "Maybe")


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<meta name='robots' content='NOINDEX, follow'>", (True, False)),
        ("<meta name='prerender-status-code' content='404'>", (False, True)),
        ("<meta name='prerender-status-code' content='200'>", (False, False)),
    ],
)
def test_what_robots_are_told(head: str, expected: tuple[bool, bool]) -> None:
    seen = wall(f"<head>{head}</head><p>x</p>")
    assert (seen.noindex, seen.gone) == expected


@pytest.mark.parametrize(
    ("kind", "is_thing"),
    [("Product", True), ("JobPosting", True), ("WebSite", False), ("WebPage", False)],
)
def test_things_described_for_machines(kind: str, is_thing: bool) -> None:
    data = f'{{"@context": "https://schema.org", "@type": "{kind}"}}'
    assert wall(f"<script type='application/ld+json'>{data}</script>").thing is is_thing


def test_an_empty_root_and_the_tools_of_a_challenge() -> None:
    seen = wall("<div id='root'></div><div class='h-captcha'></div>")
    assert seen.root_empty and seen.widgets == ("h-captcha",)
    assert not wall("<div id='root'>x</div>").root_empty
    data = '{"item": {"name": "Brass Lamp", "priceCents": 129900}}'
    assert not wall(f"<div id='app' data-page='{data}'></div>").root_empty
    assert wall("<div id='app' data-page='{}' class='dark'></div>").root_empty
