"""One text in several elements, beside other things."""

import pytest

from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.singles import dom_candidates
from crawloop_assets.induce.locate.context import field_context
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.detail.documents import index

TITLE = FieldSpec(name="title", required=True)
BY = "<p>By Ada Brandt</p>"


BEGINS = FieldSpec(name="begins", kind=FieldKind.DATE)


def places(body: str, value: str) -> list[str]:
    """Where a day is read."""
    page = index(body)
    found = dom_candidates(page, value, BEGINS, field_context(page, value, BEGINS))
    return [each.reader.at for each in found]


def read_again(
    body: str, value: str, other: str, spec: FieldSpec = TITLE
) -> set[object]:
    """What the readers of a value on one page give on another."""
    page = index(body)
    context = field_context(page, value, spec)
    found = dom_candidates(page, value, spec, context)
    scope = Scope(index(other).document)
    return {read(each.reader, scope, spec) for each in found}


def test_a_text_in_two_headings_is_read_of_both() -> None:
    page = "<section><h3>{}</h3><h4>{}</h4>" + BY + "</section>"
    seen = read_again(
        page.format("Late", "tram depot"),
        "Late tram depot",
        page.format("New", "ferry"),
    )
    assert seen == {"New ferry"}


@pytest.mark.parametrize(
    "body",
    [
        "<h3>Late</h3><h4>tram depot and more</h4>",
        "<h3>Late</h3><p>By us</p><h4>tram depot</h4>",
        "<h3>Late</h3>tram depot<p>By us</p>",
    ],
)
def test_what_is_part_of_more_is_no_text_in_parts(body: str) -> None:
    assert read_again(body, "Late tram depot", body) == set()


def test_two_short_words_stand_side_by_side_by_chance() -> None:
    body = f"<section><b>No</b><i>one</i>{BY}</section>"
    assert read_again(body, "No one", body) == set()


def test_a_day_its_month_and_the_year_in_three_elements_are_read_together() -> None:
    page = "<p>No. 7</p><div class='when'><b>{}</b><b>{}</b><b>{}</b></div>"
    known = page.format(4, "March", 2025)
    later = page.format(19, "May", 2026)
    assert read_again(known, "2025-03-04", later, BEGINS) == {"2026-05-19"}
    assert read_again(known, "2025-03-05", later, BEGINS) == set()
    among = "<div class='when'><b>Weavers</b><b>4 March 2025</b><b>soon</b></div>"
    assert "> *" not in "".join(places(among, "2025-03-04"))


def test_a_day_in_parts_is_read_behind_its_label_where_it_stands_elsewhere() -> None:
    day = "<div><b>Begins</b><div><i>{}</i><i>{}</i><i>{}</i></div></div>"
    other = "<div><b>Ends</b><div><i>1</i><i>July</i><i>2031</i></div></div>"
    known = day.format(4, "March", 2025) + other
    later = other + day.format(19, "May", 2026)
    assert "2026-05-19" in read_again(known, "2025-03-04", later, BEGINS)


STARTS = FieldSpec(name="starts", kind=FieldKind.DATETIME)
ROW = "<table><tr><td>Gate</td><td>7</td></tr><tr><th>{}</th><td>{}</td><td>{}</td><td>688</td></tr></table>"


def test_a_day_and_a_time_in_cells_of_a_row_are_read_together() -> None:
    known = ROW.format("High", "06.03.2026", "18:25")
    later = ROW.format("High", "07.03.2026", "19:05")
    found = read_again(known, "2026-03-06T18:25:00", later, STARTS)
    assert "2026-03-07T19:05:00" in found
    assert found <= {"2026-03-07T19:05:00", None}
    assert read_again(known, "2026-03-06T18:20:00", later, STARTS) == set()


def test_a_day_without_its_time_is_no_moment() -> None:
    in_spans = "<p>High <span class='day'>{1}</span><span class='hour'>{2}</span><b>{0}</b></p>"
    for page in (ROW, in_spans):
        known, later = (
            page.format("High", "06.03.2026", time) for time in ("18:25", "19:40")
        )
        lacking = page.format("High", "07.03.2026", "")
        found = read_again(known, "2026-03-06T18:25:00", later, STARTS)
        assert "2026-03-06T19:40:00" in found
        assert read_again(known, "2026-03-06T18:25:00", lacking, STARTS) <= {None}
