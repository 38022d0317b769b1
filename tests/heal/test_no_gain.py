"""A candidate that reads what the version before reads, and less, mends nothing."""

import pytest

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.heal.no_gain import left_for_nothing
from crawloop_assets.schema import FieldSpec


def field(name: str, at: str = "", unit: str = "") -> FieldProgram:
    spec = FieldSpec(name=name, unit=unit)
    reader = Reader(src=Source.JSON, at=at or name, get="value")
    return FieldProgram(spec=spec, readers=(reader,))


BEFORE = Program(fields=(field("id"), field("wind", unit="km/h"), field("damp")))


@pytest.mark.parametrize(
    ("left", "red", "for_nothing"),
    [
        ((field("id"), field("wind")), ["wind"], ["damp"]),
        ((field("id"),), ["wind"], ["damp"]),
        ((field("id"), field("wind")), ["damp"], []),
        ((field("id", "key"), field("wind")), ["wind"], []),
        ((field("id"), field("wind"), field("rain")), ["wind"], []),
        (BEFORE.fields, ["wind"], []),
    ],
    ids=["well read", "with what is red", "red", "elsewhere", "with another", "none"],
)
def test_what_is_well_read_is_not_left_out_for_nothing(
    left: tuple[FieldProgram, ...], red: list[str], for_nothing: list[str]
) -> None:
    assert left_for_nothing(BEFORE, Program(fields=left), red) == for_nothing


def test_another_part_of_the_page_is_another_reading() -> None:
    left = Program(fields=BEFORE.fields[:2])
    assert left_for_nothing(BEFORE, left, ["wind"]) == ["damp"]
    nowhere = Program(fields=())
    assert left_for_nothing(nowhere, left, []) == []
