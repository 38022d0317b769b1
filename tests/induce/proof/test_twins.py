"""Two fields that are read in one place, though what is known of them differs."""

from collections.abc import Sequence

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Reader, Source
from crawloop_assets.induce.proof.twins import KnownAndRead, twin_of
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.value import Value

NUMBER = FieldKind.NUMBER


def cell(at: int) -> Reader:
    return Reader(src=Source.CSS, at=f"td:nth-of-type({at})", kin=Kin.PATH)


def program(kind: FieldKind = NUMBER, **readers: Sequence[int]) -> Program:
    """Fields that are read in these columns."""
    return Program(
        fields=tuple(
            FieldProgram(
                spec=FieldSpec(name=name, kind=kind), readers=tuple(map(cell, columns))
            )
            for name, columns in readers.items()
        )
    )


def records(
    read: Sequence[tuple[Value, Value]], known: Sequence[tuple[Value, Value]]
) -> list[KnownAndRead]:
    """What is read and known of `buy` and `sell` of each record."""
    found = []
    for (buy, sell), (old_buy, old_sell) in zip(read, known, strict=True):
        values = {name: one for name, one in (("buy", buy), ("sell", sell)) if one}
        votes = {
            name: FieldVote(agreement=1.0, live_readers=1, readers=1) for name in values
        }
        kept = {"buy": old_buy, "sell": old_sell}
        record = ExtractedRecord(values=values, votes=votes)
        known_values = {name: one for name, one in kept.items() if one is not None}
        found.append(KnownAndRead(known_values, record))
    return found


ONE_CELL = program(buy=[5], sell=[4, 5])
EQUAL = [("2.5", "2.5"), ("3.5", "3.5")]
DIFFERING = [("2.4", "2.6"), ("3.4", "3.6")]


def test_two_fields_of_one_cell_are_both_in_doubt_where_neither_is_right() -> None:
    of = records(EQUAL, DIFFERING)
    assert (twin_of("buy", ONE_CELL, of), twin_of("sell", ONE_CELL, of)) == (
        "sell",
        "buy",
    )


def test_the_one_of_which_values_are_right_is_in_its_own_place() -> None:
    of = records(EQUAL, [("2.5", "2.6"), (None, "3.6")])
    assert (twin_of("buy", ONE_CELL, of), twin_of("sell", ONE_CELL, of)) == ("", "buy")


@pytest.mark.parametrize(
    ("made", "read", "known"),
    [
        (program(buy=[5], sell=[4]), EQUAL, DIFFERING),
        (ONE_CELL, [("2.5", "2.5"), ("3.5", "3.6")], DIFFERING),
        (ONE_CELL, EQUAL, [("2.4", "2.4"), ("3.4", "3.6")]),
        (ONE_CELL, [("2.5", "2.5"), ("3.5", None)], DIFFERING),
        (ONE_CELL, EQUAL, [(None, "2.6"), ("3.4", None)]),
        (program(FieldKind.CHOICE, buy=[5], sell=[5]), EQUAL, DIFFERING),
    ],
    ids=["two places", "unequal", "were equal", "one record", "not known", "choices"],
)
def test_what_may_be_equal_is_no_twin(
    made: Program, read: list[tuple[Value, Value]], known: list[tuple[Value, Value]]
) -> None:
    of = records(read, known)
    assert (twin_of("buy", made, of), twin_of("sell", made, of)) == ("", "")


def test_what_is_not_read_has_no_twin() -> None:
    assert twin_of("fee", ONE_CELL, records(EQUAL, DIFFERING)) == ""
