"""Durations that no page says and two others add up to."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.sums import parts_of
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

TOTAL, DRY, FIRE = (
    FieldSpec(name=name, kind=FieldKind.MINUTES)
    for name in ("total_time", "drying_time", "firing_time")
)
SCHEMA = RecordSchema(name="Glaze", fields=(FieldSpec(name="title"), TOTAL, DRY, FIRE))
LABELLED = "<li><b>Drying time:</b> {} min</li><li><b>Firing time:</b> {} min</li>"
NAMED = "<p class='drying-time'>{} min</p><p class='firing-time'>{} min</p>"


def page(body: str, *times: int) -> Page:
    return Page(
        url="https://kiln.example/1",
        body=f"<h1>Ash</h1><ul><li><b>Cone:</b> 6</li>{body.format(*times)}</ul>".encode(),
        headers={"content-type": "text/html"},
    )


def total(body: str, learned: dict[str, Value], shown: Page) -> Value:
    example = Example(page=0, records=({"title": "Ash", **learned},))
    made = compile_program(SCHEMA, [page(body, 30, 13)], [example]).program
    assert made is not None
    return run(made, Document(shown)).records[0].values.get("total_time")


@pytest.mark.parametrize("body", [LABELLED, NAMED])
def test_a_total_is_the_sum_of_what_is_labelled_or_named(body: str) -> None:
    learned: dict[str, Value] = {"total_time": 43, "drying_time": 30, "firing_time": 13}
    assert total(body, learned, page(body, 20, 40)) == 60
    wrong: dict[str, Value] = {**learned, "total_time": 44}
    assert total(body, wrong, page(body, 20, 40)) is None


def test_where_one_part_is_missing_the_other_is_all() -> None:
    learned: dict[str, Value] = {"total_time": 43, "drying_time": 30, "firing_time": 13}
    alone = page(LABELLED.partition("</li>")[0], 20)
    assert total(LABELLED, learned, alone) == 20


def test_only_durations_that_add_up_in_all_rows_are_parts() -> None:
    rows: list[dict[str, Value]] = [
        {"total_time": 43, "drying_time": 30, "firing_time": 13},
        {"drying_time": 5, "firing_time": 5},
    ]
    assert list(parts_of(TOTAL, SCHEMA, rows)) == [(DRY, FIRE)]
    assert list(parts_of(DRY, SCHEMA, rows)) == []
    rows.append({"total_time": 9, "drying_time": 5, "firing_time": 5})
    assert list(parts_of(TOTAL, SCHEMA, rows)) == []
    assert list(parts_of(FieldSpec(name="title"), SCHEMA, rows)) == []


def linked(first: int, second: int, more: str = "") -> Page:
    stated = f'"name": "Ash", "prepTime": "PT{first}M", "cookTime": "PT{second}M"{more}'
    body = (
        f'<script type="application/ld+json">{{"@type": "Recipe", {stated}}}</script>'
    )
    return page(body.replace("{", "{{").replace("}", "}}"))


def test_a_total_that_a_later_page_states_goes_before_the_sum() -> None:
    example = Example(page=0, records=({"title": "Ash", "total_time": 43},))
    made = compile_program(SCHEMA, [linked(30, 13)], [example]).program
    assert made is not None
    for more, minutes in ((', "totalTime": "PT55M"', 55), ("", 30)):
        later = Document(linked(20, 10, more))
        assert run(made, later).records[0].values["total_time"] == minutes
