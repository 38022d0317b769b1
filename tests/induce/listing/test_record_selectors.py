from crawloop_assets.induce.listing.record_selectors import (
    RecordSelector,
    inner_heads,
    record_heads,
    record_selectors,
)
from tests.induce.listing.documents import document, elements, items


def test_records_are_told_by_what_all_of_them_share() -> None:
    page = document("<p class='case old'>x</p><p class='case new'>y</p>")
    heads = record_heads(page, elements(page, "p"))
    assert heads == [RecordSelector("p.case", 0.65), RecordSelector("p", 0.4)]


def test_a_shared_style_tells_records_if_nothing_else_does() -> None:
    page = document("<p style='color:red'>x</p>" * 2)
    assert record_heads(page, elements(page, "p"))[-1] == RecordSelector(
        'p[style="color:red"]', 0.3
    )
    page = document("<p style='color:red'>x</p><p style='color:blue'>x</p>")
    assert record_heads(page, elements(page, "p")) == [RecordSelector("p", 0.4)]
    page = document(f"<p style='{'x' * 80}'>x</p>")
    assert record_heads(page, elements(page, "p")) == [RecordSelector("p", 0.4)]


def test_selectors_name_the_elements_around_all_records() -> None:
    page = document(f"<div id='main'>{items()}</div>")
    found = dict(record_selectors(page, elements(page, "li")))
    assert found["li.case"] == 0.65
    assert found["ul.cases > li.case"] == 0.65
    assert found["ul > li.case"] == round(0.5 * 0.3 + 0.5 * 0.65, 4)
    assert found["div#main li.case"] == round(0.5 * 0.8 + 0.5 * 0.65 - 0.04, 4)
    assert found["body li"] == round(0.5 * 0.3 + 0.5 * 0.4 - 0.08, 4)
    assert "html li" not in found


def test_records_of_several_parents_are_no_children_of_one() -> None:
    page = document("<div class='all'><ul><li>x</li></ul><ul><li>y</li></ul></div>")
    found = dict(record_selectors(page, elements(page, "li")))
    assert "div.all li" in found
    assert not [at for at in found if ">" in at]


def test_elements_of_several_tags_have_no_selector() -> None:
    page = document("<p>x</p><b>y</b>")
    assert list(record_selectors(page, [2, 3])) == []


def test_numbered_and_odd_ids_name_no_place() -> None:
    for identifier in ("page-7", "a b", 'a"b', ""):
        page = document(f"<div id='{identifier}'>{items()}</div>")
        selectors = record_selectors(page, elements(page, "li"))
        assert not [at for at, _ in selectors if at.startswith("[id=")]


def test_rows_are_told_by_what_the_first_has_inside() -> None:
    page = document(
        "<table><tr><td class='name'><b>x</b></td></tr><tr><td>y</td></tr></table>"
    )
    assert inner_heads(page, elements(page, "tr")[:1]) == [
        RecordSelector("tr:has(td.name)", 0.55),
        RecordSelector("tr:has(b)", 0.35),
        RecordSelector("tr:has(td)", 0.35),
    ]
    assert inner_heads(page, elements(page, "b")) == []
