"""Pages made of known records."""

import json
from datetime import date, datetime

import lxml.html
import pytest
from pydantic import AnyUrl, BaseModel

from crawloop_assets.eval.templates import (
    Template,
    template_of,
    templated,
    templated_id,
)
from crawloop_assets.schema import schema_of


class Concert(BaseModel):
    """Something to go to."""

    title: str
    when: datetime | None = None
    day: date | None = None
    players: list[str] | None = None
    image: AnyUrl | None = None
    price: str | None = None


SCHEMA = schema_of(Concert)
RECORD = {
    "title": "Strings & <Winds>",
    "when": "2026-03-04T19:30:00",
    "day": "2026-03-04",
    "players": ["Ada Holm", "Ben Ruiz"],
    "image": "https://a.example/hall.jpg",
}
SHOWN = ("Strings & <Winds>", "March 04, 2026 19:30", "Ada Holm", "Ben Ruiz")


@pytest.mark.parametrize("template", list(Template))
def test_every_template_shows_the_whole_record_and_nothing_it_has_not(
    template: Template,
) -> None:
    page = templated(template, SCHEMA, RECORD)
    assert page == templated(template, SCHEMA, RECORD)
    root = lxml.html.document_fromstring(page)
    assert root.findtext(".//title") == "Strings & <Winds> - All of it"
    if template is Template.ISLAND:
        (script,) = root.xpath("//script")
        item = json.loads(script.text)["page"]["props"]["item"]
        assert item["Players"] == ["Ada Holm", "Ben Ruiz"] and "Price" not in item
        return
    text = root.body.text_content()
    assert all(shown in text for shown in SHOWN)
    assert root.xpath("//img/@src") == ["https://a.example/hall.jpg"]
    assert "price" not in text.lower()


def test_templates_differ() -> None:
    pages = {templated(template, SCHEMA, RECORD) for template in Template}
    assert len(pages) == len(Template) >= 8


def test_what_heads_the_page_is_said_once_in_its_body() -> None:
    for template in set(Template) - {Template.ISLAND}:
        root = lxml.html.document_fromstring(templated(template, SCHEMA, RECORD))
        assert root.body.text_content().count("Strings") == 1, template


def test_a_page_is_named_by_its_capture_and_its_template() -> None:
    name = templated_id("0003", Template.CARDS)
    assert template_of(name) == ("0003", Template.CARDS)
    assert template_of("0003") == ("0003", None)
