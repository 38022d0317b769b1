"""A value in a sentence that pages write alike around it."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Kin
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.detail.shared_cuts import shared_cuts
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value

DISTRICTS = ("Santos", "Campinas", "Franca", "Sorocaba", "Bauru", "Ribeirão Preto")
CHAMBERS = ("3rd Civil", "1st Family", "2nd Civil", "4th Tax", "5th Civil", "9th Tax")


def page(at: int, inside: str) -> Page:
    body = f"<html><body><main><h1>Lot {at}</h1>{inside}</main></body></html>"
    headers = {"content-type": "text/html"}
    return Page(url=f"https://lots.test/{at}", body=body.encode(), headers=headers)


def read(spec: FieldSpec, insides: list[str], known: list[Value]) -> list[Value]:
    """What is read of all pages, of the first of which something is known."""
    pages = [page(at, inside) for at, inside in enumerate(insides)]
    examples = [
        Example(page=at, records=({spec.name: one},) if one is not None else ({},))
        for at, one in enumerate(known)
    ]
    schema = RecordSchema(name="Lot", fields=(spec,))
    made = compile_program(schema, pages, examples, FamilyKind.DETAIL, may_guess=True)
    if made.program is None:
        return []
    found = [run(made.program, Document(one)).records for one in pages]
    return [records[0].values.get(spec.name) if records else None for records in found]


def courts() -> list[str]:
    pairs = zip(CHAMBERS, DISTRICTS, strict=True)
    said = "<p><b>Court:</b> {} Chamber of the District of {}</p><p>Open now</p>"
    return [said.format(*pair) for pair in pairs]


@pytest.mark.parametrize("count", [2, 3])
def test_words_that_pages_share_cut_a_text_out_of_a_sentence(count: int) -> None:
    district = FieldSpec(name="comarca", required=True)
    assert read(district, courts(), list(DISTRICTS[:count])) == list(DISTRICTS)
    chamber = FieldSpec(name="vara", required=True)
    assert read(chamber, courts(), list(CHAMBERS[:count])) == list(CHAMBERS)


def test_a_number_is_told_by_the_words_beside_it_and_not_by_its_order() -> None:
    years = (1901, 1950, None, 1934, None, 1977)
    costs = ("900", "1,200", "1,900", "700", "2,000", "850")
    first = "It was first registered in {}. "
    ranked = "<p>The breed ranks {} of 199. {}Expect to pay about ${} for a puppy. We deliver.</p>"
    insides = [
        ranked.format(at + 7, first.format(year) if year else "", cost)
        for at, (year, cost) in enumerate(zip(years, costs, strict=True))
    ]
    year = FieldSpec(name="since", kind=FieldKind.INTEGER)
    assert read(year, insides, list(years[:2])) == list(years)
    cost = FieldSpec(name="amount", kind=FieldKind.INTEGER)
    assert read(cost, insides, [900, 1200]) == [900, 1200, 1900, 700, 2000, 850]


def test_what_is_required_is_read_by_its_order_where_other_words_are_beside_it() -> (
    None
):
    said = ["<p>5 rooms, {} bedrooms</p>"] * 3 + [
        "<p>5 rooms, {} sleeping rooms</p>"
    ] * 3
    insides = [one.format(at + 1) for at, one in enumerate(said)]
    rooms = FieldSpec(name="beds", kind=FieldKind.INTEGER, required=True)
    assert read(rooms, insides, [1, 2, 3]) == [1, 2, 3, 4, 5, 6]


def test_what_one_page_says_and_what_has_no_words_beside_it_is_no_sentence() -> None:
    district = FieldSpec(name="comarca", required=True)
    documents = [Document(page(at, one)) for at, one in enumerate(courts())]
    for count, found in ((1, 0), (2, 1)):
        pairs = zip(documents[:count], DISTRICTS, strict=False)
        known = [KnownValue(Index(one), value) for one, value in pairs]
        assert min(len(shared_cuts(known, district, documents)), 1) == found
    bare = [f"<p>{at * 3} {one} {at * 7}</p>" for at, one in enumerate(DISTRICTS)]
    found = read(district, bare, list(DISTRICTS[:2]))
    assert "Franca" not in found


@pytest.mark.parametrize(("count", "kinds"), [(2, {Kin.OTHER}), (3, {Kin.LABEL})])
def test_what_two_pages_share_is_a_guess_for_a_person(
    count: int, kinds: set[Kin]
) -> None:
    district = FieldSpec(name="comarca", required=True)
    documents = [Document(page(at, one)) for at, one in enumerate(courts())]
    pairs = zip(documents[:count], DISTRICTS, strict=False)
    known = [KnownValue(Index(one), value) for one, value in pairs]
    found = shared_cuts(known, district, documents)
    assert kinds <= {one.reader.kin for one in found}
    assert (count == 2) == ({one.reader.kin for one in found} == {Kin.OTHER})


def test_a_number_by_its_order_is_a_guess_where_pages_say_none_in_words() -> None:
    said = (
        "None reported",
        "There are 12 reports, 3 injuries",
        "None reported",
        "There are 33 reports, 5 injuries",
        "There is 1 report, no injury",
    )
    pages = [page(at, f"<p><b>Injuries:</b> {one}</p>") for at, one in enumerate(said)]
    spec = FieldSpec(name="injuries", kind=FieldKind.INTEGER, required=True)
    rows: list[dict[str, Value]] = [{"injuries": one} for one in (0, 3, 0, 5)]
    examples = [Example(page=at, records=(one,)) for at, one in enumerate(rows)]
    schema = RecordSchema(name="Recall", fields=(spec,))
    made = compile_program(schema, pages, examples, FamilyKind.DETAIL, may_guess=True)
    readers = made.program.fields[0].readers if made.program else ()
    ordered = [one for one in readers if "number" in str(one.pipe)]
    assert all(one.kin is Kin.OTHER for one in ordered), "a person looks at it"
