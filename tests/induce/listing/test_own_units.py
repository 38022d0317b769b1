"""Numbers that rows say in several units."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.read import read
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.own_units import in_own_unit
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

AREA = FieldSpec(name="area", kind=FieldKind.INTEGER, decimal=",")
SAID = ("878 m²", "95 m²", "2,4 ha", "120 m²", "3,0 ha")


def found(said: Sequence[str], known: int) -> tuple[list[FoundReader], list[object]]:
    page = document("".join(f"<li><b>Plot</b><p>{one}</p></li>" for one in said))
    rows = [scope(page, "li", at) for at in range(len(said))]
    values = [878, 95, 24_000][:known]
    samples = list(map(KnownCell, rows, values))
    readers = field_readers(AREA, samples, rows[known:], beside=rows[known:])
    return readers, [read(readers[0].reader, one, AREA) for one in rows]


@pytest.mark.parametrize("known", [1, 2, 3])
def test_rows_in_another_unit_are_read_in_that_of_the_known_ones(known: int) -> None:
    assert found(SAID, known)[1] == [878, 95, 24_000, 120, 30_000]


def test_a_number_is_read_as_it_is_where_all_rows_say_one_unit() -> None:
    readers, read_as = found(("878 m²", "95 m²", "1,2 m", "7", "8 m²"), 1)
    assert read_as[3:] == [7, 8]
    pipes = [step.op for one in readers for step in one.reader.pipe]
    assert Op.UNIT not in pipes
    assert in_own_unit(AREA, readers, []) == readers


def test_a_number_of_another_thing_is_none_where_the_known_ones_have_a_unit() -> None:
    months = FieldSpec(name="months", kind=FieldKind.INTEGER)
    said = ("tied for 24 months", "no ties, 14 GB abroad", "tied for 12 months, 3 GB")
    page = document("".join(f"<li><b>Plan</b><p>{one}</p></li>" for one in said))
    rows = [scope(page, "li", at) for at in range(len(said))]
    readers = field_readers(months, [KnownCell(rows[0], 24)], rows[1:], beside=rows[1:])
    assert [read(readers[0].reader, one, months) for one in rows] == [24, None, 12]
