import pytest

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.judging import (
    FoundReader,
    judge_location,
    judge_reader,
)
from crawloop_assets.induce.listing.locations import KnownCell, Location
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value
from tests.induce.listing.documents import document, scope

NAME = FieldSpec(name="name")
FILED = FieldSpec(name="filed", kind=FieldKind.DATE)
BOLD = Reader(src=Source.CSS, at="b", kin=Kin.TAG)


def rows(*inside: str) -> Document:
    return document("<ul>" + "".join(f"<li>{text}</li>" for text in inside) + "</ul>")


def cells(page: Document, *values: Value) -> list[KnownCell]:
    return [KnownCell(scope(page, "li", at), value) for at, value in enumerate(values)]


def at_tag(tag: str, pick: int | None = None, get: str = "text") -> Location:
    return Location(Source.CSS, tag, get, pick, Kin.TAG, 0.5)


def judge(
    spec: FieldSpec, location: Location, page: Document, *values: Value, others: int = 0
) -> FoundReader | None:
    rest = [scope(page, "li", len(values) + at) for at in range(others)]
    return next(judge_location(spec, location, cells(page, *values), rest), None)


def test_a_reader_is_judged_by_what_it_reads_right_and_wrong() -> None:
    page = rows("<b>Ames</b>", "<b>Cole</b>", "<i>Dunn</i>", "<b>Ellis</b>", "")
    samples = cells(page, "Ames", "Birch", "Dunn", "Ellis")
    found = judge_reader(
        NAME, BOLD, samples, [scope(page, "li", 3), scope(page, "li", 4)], 0.5
    )
    assert (found.right, found.wrong, found.fill, found.prior) == (0.5, 0.25, 0.5, 0.5)
    assert found.score == round(0.5 - 0.15 + 0.125, 6)


def test_without_other_records_all_are_filled_and_without_samples_none_is_right() -> (
    None
):
    page = rows("<b>Ames</b>")
    assert judge_reader(NAME, BOLD, cells(page, "Ames"), [], 0.5).fill == 1.0
    assert judge_reader(NAME, BOLD, [], [scope(page, "li")], 0.5).right == 0.0


def test_values_of_another_form_do_not_fill_records() -> None:
    page = rows("<b>Ames</b>", "<b>Cole</b>", "<b>17</b>", "<b>Dunn</b>")
    found = judge_reader(
        NAME,
        BOLD,
        cells(page, "Ames", "Cole"),
        [scope(page, "li", 2), scope(page, "li", 3)],
        0.5,
    )
    assert found.fill == 0.5


def test_a_location_is_read_whole_if_that_is_right() -> None:
    page = rows("<b>Ames</b>", "<b>Cole</b>")
    found = judge(NAME, at_tag("b"), page, "Ames", "Cole")
    assert found is not None
    assert (found.reader.pipe, found.right, found.prior) == ((), 1.0, 0.5)
    assert found.reader.weight == 0.25


def test_a_part_is_cut_out_and_trusted_less() -> None:
    page = rows("<b>No. 17 of Ames</b>", "<b>No. 205 of Cole</b>")
    found = judge(NAME, at_tag("b"), page, "17", "205")
    assert found is not None
    assert found.right == 1.0
    assert found.reader.pipe[0].op is Op.BETWEEN
    assert found.prior < 0.5


def test_a_picked_text_is_read_with_its_index() -> None:
    page = rows("<b>x</b><b>Ames</b>", "<b>y</b><b>Cole</b>")
    found = judge(NAME, at_tag("b", pick=1), page, "Ames", "Cole")
    assert found is not None
    assert found.reader.pipe == (Step(op=Op.NTH, args=(1,)),)
    assert found.right == 1.0


@pytest.mark.parametrize("tag", ["b", "u"])
def test_a_location_that_is_empty_or_wrong_gives_no_reader(tag: str) -> None:
    page = rows("<b>Ames</b>")
    assert judge(NAME, at_tag(tag), page, "Kerr") is None


def test_items_of_a_list_are_read_together() -> None:
    several = FieldSpec(name="judges", shape=Shape.LIST)
    page = rows("<b>Ames; Cole</b>", "<b>Dunn; Ellis</b>")
    found = judge(several, at_tag("b"), page, ["Ames", "Cole"], ["Dunn", "Ellis"])
    assert found is not None
    assert found.right == 1.0
    assert found.reader.pipe == (Step(op=Op.SPLIT, args=("; ",)),)


def test_a_cut_that_fills_more_of_the_other_records_is_better() -> None:
    page = rows(
        "<b>17 (A)</b>",
        "<b>18 (A)</b>",
        "<b>19 (B)</b>",
        "<b>20 (C)</b>",
        "<b>21 (D)</b>",
    )
    found = judge(NAME, at_tag("b"), page, "17", "18", others=3)
    assert found is not None
    assert found.fill == 1.0


def test_another_date_of_the_text_is_a_rival() -> None:
    page = rows(
        "<b>5 May 2020 to 6 May 2020</b>",
        "<b>1 May 2020, 2 May 2020 to 3 May 2020</b>",
    )
    found = judge(FILED, at_tag("b"), page, "2020-05-06", others=1)
    assert found is not None
    assert found.rival is not None
    dates = {found.reader.pipe[0].args, found.rival.pipe[0].args}
    assert dates == {(1,), (-1,)}


def test_readers_that_agree_in_all_records_are_no_rivals() -> None:
    page = rows(
        "<b>5 May 2020 to 6 May 2020</b>", "<b>1 May 2020 to 3 May 2020</b>", "x"
    )
    found = judge(FILED, at_tag("b"), page, "2020-05-06", others=2)
    assert found is not None
    assert found.rival is None


def test_a_name_with_signs_that_are_not_known_is_trusted_less() -> None:
    page = rows("<b>Ames ★★</b><i>Ames</i>", "<b>Cole ★</b><i>Cole</i>")
    plain = Reader(src=Source.CSS, at="i", kin=Kin.TAG)
    samples = cells(page, "ames", "Cole")
    starred, known = (
        judge_reader(NAME, reader, samples, [], 0.4) for reader in (BOLD, plain)
    )
    assert starred.right == known.right == 1.0, "by their letters they are equal"
    assert known.prior == 0.4 and starred.prior == pytest.approx(0.3)
    assert (starred.otherwise, known.otherwise) == (1.0, 0.5)


def test_items_are_read_without_the_sign_that_the_page_writes_before_each() -> None:
    page = document(
        "<div><b>#oak</b><b>#ash</b></div><div><b>#elm</b></div><div><b>#fir</b></div>"
    )
    several = FieldSpec(name="woods", shape=Shape.LIST)
    samples = [
        KnownCell(scope(page, "div"), ["oak", "ash"]),
        KnownCell(scope(page, "div", 1), ["elm"]),
    ]
    others = [scope(page, "div", 2)]
    place = Location(Source.CSS, "b", "text", None, Kin.TAG, 0.5)
    (found,) = judge_location(several, place, samples, others)
    assert read(found.reader, others[0], several) == ["fir"]
