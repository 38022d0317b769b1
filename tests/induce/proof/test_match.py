from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.induce.proof.match import NOTHING_READ, match_records
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

SCHEMA = RecordSchema(
    name="Lamp",
    fields=(
        FieldSpec(name="name"),
        FieldSpec(name="maker"),
        FieldSpec(name="price", kind=FieldKind.NUMBER),
    ),
)


def record(*values: object) -> dict[str, object]:
    return dict(zip(("name", "maker", "price"), values, strict=False))


def matched(
    wanted: list[dict[str, object]], got: list[dict[str, object]]
) -> list[int | None]:
    """Which extracted record each known one gets."""
    rows = [ExtractedRecord(values=values, row=at) for at, values in enumerate(got)]
    pairs = match_records(SCHEMA, wanted, rows)
    assert [pair[0] for pair in pairs] == wanted
    return [None if row is None else row.row for _, row in pairs]


def test_a_record_gets_the_one_that_shares_most_values() -> None:
    got = [record("Oak", "Nordlys", "9"), record("Ash", "Nordlys", "12.50")]
    assert matched([record("Ash", "Nordlys", "12.5"), record("Oak")], got) == [1, 0]


def test_what_shares_nothing_or_is_used_is_not_given() -> None:
    got = [record("Oak", "Nordlys"), record("Ash", "Washi")]
    wanted = [record("Elm", "Otto"), record("Oak"), record("Oak", "Nordlys")]
    assert matched(wanted, got) == [None, None, 0]
    assert matched([record("Oak")], []) == [None]
    assert matched([], got) == []


def test_a_row_that_is_gone_does_not_take_that_of_another() -> None:
    known = [record(name, "Nordlys", name * 2) for name in "123456"]
    shown = [*known[2:], record("7", "Nordlys", "77"), record("8", "Washi", "88")]
    assert matched(known, shown) == [4, None, 0, 1, 2, 3]


def test_what_does_not_move_tells_records_before_what_does() -> None:
    """Of two clubs that changed places each was taken for the other, whose rank, wins and
    points it has today."""
    names = ("won", "lost", "points")
    numbers = [
        FieldSpec(name=one, kind=FieldKind.INTEGER, volatile=True) for one in names
    ]
    table = RecordSchema(name="Club", fields=(*numbers, FieldSpec(name="name")))
    known = [
        {"name": name, **dict(zip(names, played, strict=True))}
        for name, played in (("Oak", (5, 2, 17)), ("Ash", (4, 3, 14)))
    ]
    now = [known[0] | {"name": "Ash"}, known[1] | {"name": "Oak"}]
    rows = [ExtractedRecord(values=values) for values in now]
    pairs = match_records(table, known, rows)
    assert [row and row.values["name"] for _, row in pairs] == ["Oak", "Ash"]


def test_of_equals_the_first_is_given() -> None:
    got = [record("Elm", "Nordlys"), record("Ash", "Nordlys")]
    known = [record("Oak", "Nordlys"), record("Oak", "Nordlys"), record("Oak")]
    assert matched(known, got) == [0, 1, None]


def test_unknown_values_are_nothing_to_share() -> None:
    got = [record("Oak", None), record("Ash", None)]
    assert matched([record("Elm", None), record("Ash", None)], got) == [None, 1]


def test_one_record_belongs_to_the_only_other_one() -> None:
    assert matched([record("Oak")], [record("Ash")]) == [0]
    assert matched([record("Oak")], [record("Ash"), record("Elm")]) == [None]
    assert matched([record("Oak"), record("Elm")], [record("Ash")]) == [None, None]


ROWS = st.lists(
    st.builds(record, st.sampled_from("abc"), st.sampled_from("xy")), max_size=6
)


@given(ROWS, ROWS)
def test_no_record_is_given_twice(
    wanted: list[dict[str, object]], got: list[dict[str, object]]
) -> None:
    given_rows = [row for row in matched(wanted, got) if row is not None]
    assert len(given_rows) == len(set(given_rows))


@given(ROWS)
def test_records_that_are_read_as_they_are_known_all_get_an_equal_one(
    rows: list[dict[str, object]],
) -> None:
    found = matched(rows, rows)
    assert [rows[at] for at in found if at is not None] == rows


def test_nothing_read_has_neither_values_nor_votes() -> None:
    assert NOTHING_READ.values == {} and NOTHING_READ.votes == {}


@given(ROWS, ROWS)
def test_a_record_that_is_read_as_it_is_known_gets_an_equal_one(
    known: list[dict[str, object]], new: list[dict[str, object]]
) -> None:
    known = [dict(one, price=str(at)) for at, one in enumerate(known)]
    new = [dict(one, price=str(100 + at)) for at, one in enumerate(new)]
    shown = known[len(known) // 2 :] + new
    found = matched(known, shown)[len(known) // 2 :]
    assert [shown[at] for at in found if at is not None] == known[len(known) // 2 :]
