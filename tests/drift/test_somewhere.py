"""What stands on a page and is no whole text of it."""

import json

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.drift.forms import as_part, date_form, inside_form, link_form
from crawloop_assets.drift.presence import Presence
from crawloop_assets.page import Page


def holds(body: str, form: str, kind: str = "text/html") -> bool:
    headers = {"content-type": f"{kind}; charset=utf-8"}
    page = Page(url="https://club.example/1", body=body.encode(), headers=headers)
    return Presence(Document(page)).holds(form)


@pytest.mark.parametrize(
    "written",
    [
        "<p>Opened 4 March 2025, as ever</p>",
        "<p>am 04.03.2025</p>",
        "<p>03/04/2025</p>",
        '<time datetime="2025-03-04T10:00">Tuesday</time>',
        "<p>2025年3月4日</p>",
        "<div><b>4</b><i>March</i><i>2025</i></div>",
    ],
)
def test_a_day_is_found_however_it_is_written(written: str) -> None:
    assert holds(written, date_form("2025-03-04T00:00:00+00:00"))
    assert not holds(written, date_form("2025-03-05"))


def test_a_day_is_found_in_json_and_not_where_no_date_is() -> None:
    said = json.dumps({"club": {"since": "2025-03-04"}})
    assert holds(said, date_form("2025-03-04"), "application/json")
    assert not holds("<p>4 of 3 members, since 20</p>", date_form("2020-03-04"))


def test_an_address_is_found_in_the_links_of_a_page_whatever_its_host() -> None:
    body = '<a href="/docs/agenda.pdf">Agenda</a>'
    assert holds(body, link_form("https://cdn.example/docs/agenda.pdf"))
    assert not holds(body, link_form("https://club.example/docs/minutes.pdf"))


def test_a_text_is_found_inside_a_longer_one() -> None:
    body = "<p>It is held in the Old Barn, at 7.</p>"
    assert holds(body, inside_form("the old barn"))
    assert not holds(body, inside_form("the new barn"))


def test_a_text_is_found_where_signs_part_it_from_the_rest_of_a_longer_one() -> None:
    body = "<p>Old Barn, 80 m</p><p>Near the new barn now</p>"
    assert holds(body, as_part(inside_form("the old barn"))) is False
    assert holds(body, as_part(inside_form("Old barn")))
    assert not holds(body, as_part(inside_form("new barn")))
