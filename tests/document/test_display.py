"""A page as a person may look at it: all its texts, and nothing that runs, asks or leads anywhere."""

import re

import pytest

from crawloop_assets.document.display import FIRST_MARK, Mark, MarkRole, displayed
from tests.document.build import document, json_document
from tests.document.hostile import hostile_page

ALLOWED = {
    "colspan",
    "rowspan",
    "dir",
    "lang",
    "id",
    "class",
    "data-says",
    "data-shows",
}


def mark(element: int | None, role: MarkRole = MarkRole.READ, **more: str) -> Mark:
    return Mark(
        element=element,
        role=role,
        says=more.get("says", "price: 1"),
        text=more.get("text", ""),
    )


def test_the_texts_stay_and_the_read_element_is_marked_once() -> None:
    page = document("<p>a<b>12</b>c</p><p>13</p>")
    (number, other) = (page.by_tag["b"][0], page.by_tag["p"][1])
    shown = displayed(
        page, [mark(number), mark(number, MarkRole.ALSO), mark(other, MarkRole.AGAINST)]
    )
    assert (
        f'<p>a<b id="{FIRST_MARK}" class="read" data-says="price: 1">12</b>c</p>'
        in shown
    )
    assert '<p class="against" data-says="price: 1">13</p>' in shown
    assert shown.count(FIRST_MARK) == 1


def test_nothing_of_a_hostile_page_is_left_but_its_texts() -> None:
    page = document(hostile_page("http://evil.test"))
    every = [
        mark(number, says='"><script>x</script>')
        for number in range(len(page.elements))
    ]
    for marks in ([], every):
        shown = displayed(page, marks)
        tags = re.findall(r"<(\w+)((?:\s+[\w-]+=\"[^\"<>]*\")*)\s*>", shown)
        assert shown.count("<") == len(tags) + shown.count("</"), "no other markup"
        assert {name for name, _ in tags} <= {
            "html",
            "div",
            "span",
            "p",
            "h1",
            "table",
            "label",
            "code",
        }
        names = {
            name
            for _, attributes in tags
            for name in re.findall(r"\s([\w-]+)=\"", attributes)
        }
        assert names <= ALLOWED
        assert shown.count(f'id="{FIRST_MARK}"') == bool(marks)
    assert 'Kettle &lt;b&gt; "' in shown and "leads" in shown


@pytest.mark.parametrize("place", ["title", "meta", "script"])
def test_what_nobody_sees_stands_above_the_page(place: str) -> None:
    page = document(
        "<head><title>Lamp</title><meta property=price content=12><script>var a = {}</script></head><body><p>text"
    )
    shown = displayed(page, [mark(page.by_tag[place][0])])
    assert shown.startswith(f'<div id="{FIRST_MARK}" class="read"')
    assert f"&lt;{place}" in shown.partition("</div>")[0]
    assert "<p>text</p>" in shown and "<title" not in shown


def test_what_is_stated_without_an_element_stands_above_the_page_and_json_is_text() -> (
    None
):
    stated = mark(None, text="body.price: <5>")
    shown = displayed(json_document('{"price": 5, "name": "<b>"}'), [stated])
    assert (
        shown.startswith(f'<div id="{FIRST_MARK}"') and "body.price: &lt;5&gt;" in shown
    )
    assert '"name": "&lt;b&gt;"' in shown


def test_a_mark_on_the_page_is_scrolled_to_before_one_above_it() -> None:
    page = document("<p>12</p>")
    shown = displayed(page, [mark(None, text="ld"), mark(page.by_tag["p"][0])])
    assert f'<p id="{FIRST_MARK}"' in shown


def test_of_a_very_large_page_the_part_around_the_mark_is_shown() -> None:
    page = document(f"<div>{'<i>x</i>' * 13_000}</div><section><p>12</p></section>")
    shown = displayed(page, [mark(page.by_tag["p"][0])])
    assert "12</p>" in shown and len(shown) < 200


def test_what_shows_no_text_says_what_it_is() -> None:
    page = document('<img alt="A lamp" src=/a.png><input value=4>')
    shown = displayed(page, [])
    assert 'data-shows="[img: A lamp]"' in shown and 'data-shows="[input: 4]"' in shown
