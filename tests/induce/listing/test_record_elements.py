from collections.abc import Sequence

import pytest

from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.known_records import LocatedRecord
from crawloop_assets.induce.listing.occurrences import Occurrence
from crawloop_assets.induce.listing.record_elements import (
    cells_inside,
    is_one_of_several,
    record_levels,
    run_starts,
)
from tests.induce.listing.documents import document, elements


def at(anchors: Sequence[int], others: Sequence[int] = ()) -> list[LocatedRecord]:
    """Records by their anchors, with one more value each."""
    return [
        LocatedRecord(
            index,
            {
                "a": [Occurrence(anchor)],
                "b": [Occurrence(other) for other in others[index : index + 1]],
            },
            anchor,
        )
        for index, anchor in enumerate(anchors)
    ]


def tags(page: Document, levels: Sequence[object]) -> list[set[str]]:
    return [{page.tags[node] for node in nodes.values()} for nodes in levels]  # type: ignore[attr-defined]


def test_records_are_what_holds_most_of_their_values() -> None:
    page = document("<ul>" + "<li><p><b>x</b></p><i>y</i></li>" * 3 + "</ul>")
    located = at(elements(page, "b"), elements(page, "i"))
    assert tags(page, record_levels(page, located)) == [{"li"}]


def test_without_other_values_low_and_high_elements_are_tried() -> None:
    page = document("<ul>" + "<li><p><b>x</b></p></li>" * 3 + "</ul>")
    levels = record_levels(page, at(elements(page, "b")))
    assert tags(page, levels) == [{"li"}, {"b"}, {"p"}]


def test_the_body_is_no_record_and_no_records_have_no_levels() -> None:
    page = document("<b>x</b>")
    assert tags(page, record_levels(page, at(elements(page, "b")))) == [{"b"}]
    assert record_levels(page, []) == []


def test_elements_of_one_kind_must_reach_most_records() -> None:
    page = document("<p><b>x</b></p>" * 9 + "<div><b>x</b></div>")
    levels = record_levels(page, at(elements(page, "b")))
    assert {"div"} not in tags(page, levels)
    assert {"p"} in tags(page, levels)


@pytest.mark.parametrize("kinds", ["paper order dissent", "paper order order"])
def test_rows_of_several_classes_are_told_by_their_tag(kinds: str) -> None:
    rows = [f"<tr class={kind}><td><b>x</b></td></tr>" for kind in kinds.split()]
    page = document(f"<table>{''.join(rows)}</table>")
    levels = record_levels(page, at(elements(page, "b")))
    assert list(levels[0].values()) == elements(page, "tr")


def test_cells_are_counted_inside_their_own_record() -> None:
    page = document("<ul>" + "<li><b>x</b><i>y</i></li>" * 2 + "</ul>")
    located = at(elements(page, "b"), elements(page, "i"))
    first, second = elements(page, "li")
    assert cells_inside(page, {0: first, 1: second}, located) == 4
    assert cells_inside(page, {0: first}, located) == 2
    assert cells_inside(page, {0: second, 1: first}, located) == 0


def test_runs_start_at_the_anchor_s_top_or_at_a_sibling_before() -> None:
    page = document("<dl>" + "<dt>n</dt><dd>x</dd><dd><b>y</b></dd>" * 3 + "</dl>")
    anchors = elements(page, "b")
    starts = list(run_starts(page, at(anchors)))
    terms, details = elements(page, "dt"), elements(page, "dd")
    assert starts[0] == dict(enumerate(details[1::2]))
    assert starts[1] == dict(enumerate(details[::2]))
    assert starts[2] == dict(enumerate(terms))
    assert len(starts) == 4
    assert starts[3] == {1: details[1], 2: details[3]}


def test_comments_are_no_siblings() -> None:
    page = document("<p>n</p><!-- x --><div><b>y</b></div>")
    starts = list(run_starts(page, at(elements(page, "b"))))
    assert starts == [{0: elements(page, "div")[0]}, {0: elements(page, "p")[0]}]


def test_a_run_of_a_single_record_starts_in_what_repeats_around_it() -> None:
    row = "<h3>n</h3><p>x</p><p><b>y</b></p>"
    page = document(f"<main><div><i>New</i></div>{row * 3}</main>")
    starts = list(run_starts(page, at(elements(page, "b")[1:2])))
    paragraphs, headings = elements(page, "p"), elements(page, "h3")
    assert starts[:3] == [{0: paragraphs[3]}, {0: paragraphs[2]}, {0: headings[1]}]
    assert is_one_of_several(page, headings[1])
    assert not is_one_of_several(page, elements(page, "div")[0])
