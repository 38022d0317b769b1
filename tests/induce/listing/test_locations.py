import pytest

from crawloop_assets.crawler.program import Kin, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.judging import judge_location
from crawloop_assets.induce.listing.locations import (
    KnownCell,
    Location,
    find_locations,
)
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.listing.documents import RECORDS, SCHEMA, document, items, scope

NAME, FILED, URL = SCHEMA.fields


def found(spec: FieldSpec, page: Document, *values: Value) -> dict[str, Location]:
    samples = [
        KnownCell(scope(page, "li", at), value) for at, value in enumerate(values)
    ]
    locations = find_locations(spec, samples)
    return {f"{one.src.value} {one.at} {one.get}": one for one in locations}


def test_the_ways_to_an_element_are_its_properties_its_tag_and_its_path() -> None:
    page = document(items())
    locations = found(NAME, page, RECORDS[0]["name"], RECORDS[1]["name"])
    assert locations["css a.title text"] == Location(
        Source.CSS, "a.title", "text", None, Kin.CLASS, 0.59
    )
    assert locations["css a text"].prior == 0.45
    assert locations["css > a:nth-of-type(1) text"].kin is Kin.PATH
    assert next(iter(locations)) == "css a.title text"


def test_a_record_that_holds_more_is_read_by_its_head() -> None:
    page = document(items())
    locations = found(NAME, page, RECORDS[0]["name"])
    assert locations["css . text"].prior < 0.6 * 0.9


def test_links_and_times_are_read_from_attributes() -> None:
    page = document("<ul><li><time datetime='2024-03-05'>March 5</time></li></ul>")
    locations = found(FILED, page, "2024-03-05")
    assert locations["css time @datetime"].prior == 0.45
    page = document(items())
    assert "css a.title @href" in found(URL, page, RECORDS[0]["url"])


def test_a_value_further_down_is_picked_among_its_like() -> None:
    page = document("<ul><li><b>x</b><b>Ames</b></li></ul>")
    picked = found(NAME, page, "Ames")["css b text"]
    assert picked.pick == 1
    assert picked.prior == round(0.45 * 0.8, 6)


def test_a_value_too_far_down_is_not_picked() -> None:
    page = document(f"<ul><li>{'<b>x</b>' * 12}<b>Ames</b></li></ul>")
    assert found(NAME, page, "Ames")["css b text"].pick == 12
    page = document(f"<ul><li>{'<b>x</b>' * 13}<b>Ames</b></li></ul>")
    assert "css b text" not in found(NAME, page, "Ames")


def test_a_list_is_read_behind_its_label_whatever_stands_before() -> None:
    several = FieldSpec(name="bench", shape=Shape.LIST)
    rows = "<dt>Court</dt><dd><i>Ames</i></dd><dt>Judges</dt><dd><i>Ames</i> <i>Cole</i></dd>"
    page = document(f"<ul><li><dl>{rows}</dl></li></ul>")
    read_by = found(several, page, ["Cole", "Ames"])
    labels = [at for at, one in read_by.items() if one.src is Source.LABEL]
    assert labels == ["label judges parts"]
    assert read_by["label judges parts"].kin is Kin.LABEL
    one = found(several, page, ["Ames"])
    assert "label court parts" in one and "label judges parts" not in one


def test_a_list_is_read_by_its_lines_where_one_is_a_text_and_several_are_elements() -> (
    None
):
    several = FieldSpec(name="judges", shape=Shape.LIST)
    cells = ("Ames", "<div>Ames</div><div>Cole</div>", "Ames, Cole")
    rows = "".join(f"<li><div class='by'>{cell}</div></li>" for cell in cells)
    page = document(f"<ul>{rows}</ul>")
    read_by = found(several, page, ["Ames"], ["Ames", "Cole"])
    assert read_by["css div.by lines"].pick is None
    assert "css div.by lines" not in found(several, page, ["Cole"], ["Ames"])


def test_all_items_of_a_list_are_wanted() -> None:
    several = FieldSpec(name="judges", shape=Shape.LIST)
    page = document("<ul><li><b>Ames</b><b>Cole</b></li></ul>")
    assert found(several, page, ["Ames", "Cole"])["css b text"].pick is None


def test_text_beside_and_after_elements_is_read() -> None:
    page = document("<ul><li><p><i>x</i> Ames</p><b>Judge</b> Cole</li></ul>")
    assert "css p own" in found(NAME, page, "Ames")
    assert "css i tail" in found(NAME, page, "Ames")
    assert "css b tail" in found(NAME, page, "Cole")
    page = document("<ul><li><p>Ames <i>x</i> y</p></li></ul>")
    assert "css p head" in found(NAME, page, "Ames")


def test_a_label_leads_to_the_value_after_it() -> None:
    page = document("<ul><li><b>Docket No.:</b> 17-CV</li></ul>")
    docket = FieldSpec(name="docket")
    assert found(docket, page, "17-CV")["label docketno next"] == Location(
        Source.LABEL, "docketno", "next", None, Kin.LABEL, 0.7
    )
    number = FieldSpec(name="price", kind=FieldKind.NUMBER)
    page = document("<ul><li><b>Price</b> 49.90</li></ul>")
    assert "label price next" in found(number, page, "49.90")


@pytest.mark.parametrize("label", ["x", "Room 7", "x" * 31])
def test_single_letters_numbers_and_long_texts_are_no_labels(label: str) -> None:
    page = document(f"<ul><li><b>{label}</b> Ames</li></ul>")
    assert not [key for key in found(NAME, page, "Ames") if key.startswith("label")]


def test_links_have_no_labels() -> None:
    page = document("<ul><li><b>Opinion</b> https://court.example/doc/31.pdf</li></ul>")
    assert not [
        key
        for key in found(URL, page, "https://court.example/doc/31.pdf")
        if key.startswith("label")
    ]


def test_a_record_of_several_elements_has_no_paths() -> None:
    page = document("<dl><dt>Ames</dt><dd><b>17-CV</b></dd></dl>")
    run = Scope(page, (page.by_tag["dt"][0], page.by_tag["dd"][0]))
    locations = find_locations(FieldSpec(name="docket"), [KnownCell(run, "17-CV")])
    assert {location.at for location in locations if location.src is Source.CSS} == {
        "b",
        "dd",
        "dt",
        ".",
    }
    assert not [location for location in locations if location.kin is Kin.PATH]


def test_outer_elements_inside_the_record_lead_to_inner_ones() -> None:
    page = document("<ul><li><div class='who'><p>Ames</p></div></li></ul>")
    assert found(NAME, page, "Ames")["css div.who p text"].prior == 0.57


def test_json_records_are_read_by_paths() -> None:
    page = document("{}", kind="application/json")
    cell = KnownCell(Scope(page, (0,), {"case": {"name": "Ames"}, "n": "x"}), "Ames")
    assert find_locations(NAME, [cell]) == [
        Location(Source.JSON, "$.case.name", "value", None, Kin.JSON, 0.99)
    ]


def test_a_list_of_texts_has_one_in_each_object_of_json() -> None:
    page = document("{}", kind="application/json")
    parties = FieldSpec(name="parties", shape=Shape.LIST)
    said = {"of": [{"name": "Ames", "role": "x"}, {"name": "Cole", "role": "x"}]}
    cell = KnownCell(Scope(page, (0,), said), ["Ames", "Cole"])
    (place,) = find_locations(parties, [cell])
    assert place.at == "$.of[*].name"
    (found_there,) = judge_location(parties, place, [cell], ())
    assert found_there.right == 1.0
    row = ["x", ["Ames", "Cole"], ["Dunn"], {"name": "Ames"}]
    cell = KnownCell(Scope(page, (0,), row), ["Ames", "Cole"])
    assert find_locations(parties, [cell])[0].at == "$[1][*]"


def test_what_more_records_show_comes_first_and_no_kind_fills_the_list() -> None:
    page = document(
        "<ul><li><b class='one'>Ames</b></li><li><i class='name'>Cole</i></li>"
        "<li><b class='one'>Dunn</b></li></ul>"
    )
    locations = list(found(NAME, page, "Ames", "Cole", "Dunn").values())
    order = [location.at for location in locations if location.get == "text"]
    assert order.index("b.one") < order.index("i.name")
    crowded = document(
        "<ul><li><p class='aa bb cc dd ee ff gg'><b class='hh ii jj'>Ames</b></p></li></ul>"
    )
    kinds = [location.kin for location in found(NAME, crowded, "Ames").values()]
    assert kinds.count(Kin.CLASS) == 6


def test_generated_and_long_attributes_are_not_read() -> None:
    page = document(
        f"<ul><li><b style='Ames' alt='Ames' title='{'Ames ' * 600}'>x</b></li></ul>"
    )
    assert {key for key in found(NAME, page, "Ames") if "@" in key} >= {"css b @alt"}
    assert not {"css b @style", "css b @title"} & set(found(NAME, page, "Ames"))


def test_an_item_is_found_by_the_label_that_it_begins_with() -> None:
    rows = (
        "<li><p>Published: 1 March 2024</p><p>Deadline: 5 March 2024</p></li>"
        "<li><p>Deadline: 8 March 2024</p><p>Note: none</p></li>"
    )
    page = document(f"<ul>{rows}</ul>")
    samples = [
        KnownCell(scope(page, "li", at), value)
        for at, value in enumerate(("2024-03-05", "2024-03-08"))
    ]
    locations = find_locations(FILED, samples)
    labelled = [one for one in locations if one.words and one.at == "p"]
    (words,) = (one.words for one in labelled if one.kin is Kin.LABEL)
    assert list(map(str, words)) == ["after('Deadline:')"]
    (reader,) = (one.reader for one in judge_location(FILED, labelled[0], samples, ()))
    assert [str(step) for step in reader.pipe] == ["after('Deadline:')"]
    other = document("<ul><li><p>Note: none</p><p>Published: 1 May 2024</p></li></ul>")
    assert read(reader, scope(page, "li", 0), FILED) == "2024-03-05"
    assert read(reader, scope(other, "li", 0), FILED) is None


def test_another_value_of_the_record_labels_nothing() -> None:
    page = document("<ul><li><i>Diesel</i><b>Recife</b> <u>Since 2020</u></li></ul>")
    spec, row = FieldSpec(name="city"), scope(page, "li")
    record = {"fuel": "Diesel", "city": "Recife", "extras": ["Airbag"]}
    alone = KnownCell(row, "Recife")
    assert "diesel" in {one.at for one in find_locations(spec, [alone])}
    beside = KnownCell.of(spec, row, "Recife", record)
    assert beside.beside == ["Diesel", ["Airbag"]]
    assert "diesel" not in {one.at for one in find_locations(spec, [beside])}
    of_items = KnownCell(row, "Recife", [["Diesel"]])
    assert "diesel" not in {one.at for one in find_locations(spec, [of_items])}
