import pytest

from crawloop_assets.crawler.program import Kin
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.blocks import block_candidates
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.context import field_context
from crawloop_assets.schema import FieldSpec, Shape
from tests.induce.detail.documents import index

PARTS = FieldSpec(name="parts", shape=Shape.LIST)
VALUES = ["4 boards", "12 screws", "wood glue"]
TEXT = "4 boards; 12 screws; wood glue"


def proposals(
    body: str, values: list[str] = VALUES, spec: FieldSpec = PARTS
) -> list[CandidateReader]:
    page = index(body)
    context = field_context(page, list(values), spec)
    return list(block_candidates(page, values, spec, context))


def test_one_text_is_cut_at_what_separates_the_items() -> None:
    body = f"<p class='kit'>{TEXT}</p>"
    found = proposals(body)
    scope = Scope(index(body).document)
    cut = [each for each in found if each.reader.get == "text"]
    assert cut
    assert all(read(each.reader, scope, PARTS) == VALUES for each in cut)
    assert [step.op.value for step in cut[0].reader.pipe] == ["split"]


@pytest.mark.parametrize("sign", [", ", " | ", " · ", "; "])
def test_a_label_in_the_same_text_is_no_item(sign: str) -> None:
    body = f"<p class='kit'>In the box: {sign.join(VALUES)}</p>"
    found = proposals(body)
    scope = Scope(index(body).document)
    cut = [each for each in found if each.reader.get == "text"]
    assert cut
    assert all(read(each.reader, scope, PARTS) == VALUES for each in cut)


def test_the_items_may_be_the_lines_of_an_element() -> None:
    body = "<div class='kit'>4 boards<br>12 screws<br>wood glue</div>"
    found = proposals(body)
    assert {each.reader.get for each in found} == {"lines"}
    scope = Scope(index(body).document)
    assert read(found[0].reader, scope, PARTS) == VALUES


def test_what_separates_items_is_trusted_more_than_lines() -> None:
    lines, cut = proposals(f"<p class='kit'>{TEXT}</p>")[:2]
    assert (lines.reader.get, cut.reader.get) == ("lines", "text")
    assert cut.prior == pytest.approx(lines.prior / 0.6 * 0.9 * 0.98)


def test_a_text_of_an_attribute_is_cut_as_well() -> None:
    found = proposals(f"<div class='kit' data-parts='{TEXT}'>Kit</div>")
    assert "@data-parts" in {each.reader.get for each in found}


def test_a_heading_names_the_block_behind_it() -> None:
    alone = proposals(f"<p class='kit'>{TEXT}</p>")
    headed = proposals(f"<h2>Parts</h2><p class='kit'>{TEXT}</p>")
    assert {each.named for each in alone} == {0.0}
    assert {each.named for each in headed} == {1.0}


def test_the_name_of_the_page_is_no_list() -> None:
    found = proposals(f"<h1 class='kit'>{TEXT}</h1>")
    assert not {".kit", "h1"} & {each.reader.at for each in found}


def test_what_is_not_on_the_page_is_not_proposed() -> None:
    assert proposals("<p>4 boards</p>") == []
    assert proposals("<p>x</p>", ["x" * 40_000]) == []


def test_only_some_selectors_of_a_place_are_proposed() -> None:
    classes = " ".join(f"kit-{letter}" for letter in "abcdefgh")
    found = proposals(f"<div class='box'><p class='{classes}'>{TEXT}</p></div>")
    assert len([each for each in found if ".kit" in each.reader.at]) == 2 * 4


def cell(before: str, items: str) -> str:
    """A list in a cell behind its label, and what stands before it."""
    return (
        f"<dl>{before}<dt>Parts</dt><dd>{items}</dd><dt>Sold by</dt><dd>Ada</dd></dl>"
    )


def test_a_list_in_a_cell_is_read_beside_its_label() -> None:
    found = proposals(cell("", TEXT))
    labelled = [each for each in found if each.reader.kin is Kin.LABEL]
    assert {each.reader.get for each in labelled} == {"block", "next"}
    more = Scope(index(cell("<dt>Age</dt><dd>5</dd>", TEXT)).document)
    none = Scope(index("<dl><dt>Age</dt><dd>5</dd></dl>").document)
    for each in labelled:
        assert read(each.reader, more, PARTS) == VALUES
        assert read(each.reader, none, PARTS) is None
        assert each.named == 1.0


def test_a_label_that_says_nothing_of_the_field_is_trusted_less() -> None:
    telling, other = (
        max(each.prior for each in proposals(page) if each.reader.kin is Kin.LABEL)
        for page in (cell("", TEXT), cell("", TEXT).replace("Parts", "In the box"))
    )
    assert telling > other


def test_a_list_behind_its_label_in_one_paragraph_is_read_beside_that_label() -> None:
    written = (
        "<p><b>Age</b>: 5</p><p><b>Parts</b>: 4 boards, 12 screws and wood glue</p>"
    )
    labelled = [one for one in proposals(written) if one.reader.kin is Kin.LABEL]
    assert {each.reader.at for each in labelled} == {"parts"}
    other = "<p><b>Use</b>: for all</p><p><b>Parts</b>: oak and nails</p>"
    scope = Scope(index(f"<p>New</p>{other}").document)
    beside = [each.reader for each in labelled if each.reader.get == "next"]
    assert beside
    assert all(read(each, scope, PARTS) == ["oak", "nails"] for each in beside)


def test_a_list_of_an_attribute_without_a_text_is_found() -> None:
    found = proposals(f"<h2>Parts</h2><img data-kit='{TEXT}'><p>Kit</p>")
    assert "@data-kit" in {each.reader.get for each in found}


def test_a_list_of_numbers_behind_its_label_is_no_number_in_other_groups() -> None:
    sizes = FieldSpec(name="sizes", shape=Shape.LIST)
    page = (
        "<p class='facts'>Brand: Fjord · Code: X9</p><p class='text'>Sizes: 38, 39</p>"
    )
    found = proposals(page, ["38", "39"], sizes)
    by_class = [one for one in found if one.reader.at == ".text"]
    assert by_class and by_class[0].named == 1.0
