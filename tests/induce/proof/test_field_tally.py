"""What became of the known values of one field, and of records that have none."""

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, FieldVote
from crawloop_assets.crawler.program import FieldProgram, Kin, Reader, Source
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.proof.field_tally import FieldTally
from crawloop_assets.schema import FieldKind, FieldSpec

URL = "http://shop.test/1"
MAKER = FieldSpec(name="maker")
PLACE = Reader(src=Source.CSS, at="p", kin=Kin.PATH)
LABEL = Reader(src=Source.LABEL, at="maker", get="next", kin=Kin.LABEL)
KEY = Reader(src=Source.JSON, at="ld:$.maker", get="value")


def read_by(reader: Reader, value: str | None = "Ada") -> ExtractedRecord:
    values = {} if value is None else {"maker": value}
    live = len(values)
    vote = FieldVote(agreement=live, live_readers=live, readers=3, reader=reader.at)
    return ExtractedRecord(values=values, votes={"maker": vote})


def wrong(record: ExtractedRecord, spec: FieldSpec = MAKER, right: int = 2) -> int:
    """How many are wrong of some right ones and a record that is known to have none."""
    tally, field = FieldTally(), FieldProgram(spec=spec, readers=(PLACE, LABEL, KEY))
    tally.right = right
    tally.beside_nothing(field, record, URL)
    counted = tally.with_invented()
    assert bool(counted.against) is bool(counted.wrong)
    return counted.wrong


def test_what_nothing_names_is_invented_where_nothing_is_known() -> None:
    assert wrong(read_by(PLACE)) == 1
    assert wrong(read_by(PLACE, None)) == 0


@pytest.mark.parametrize("reader", [LABEL, KEY])
def test_a_label_or_a_key_may_say_what_no_record_had(reader: Reader) -> None:
    assert wrong(read_by(reader)) == 0


@pytest.mark.parametrize("op", [Op.NUMBER, Op.DATE])
def test_a_label_over_several_values_names_none_of_them(op: Op) -> None:
    args = (0, "") if op is Op.NUMBER else (0,)
    cut = LABEL.model_copy(update={"pipe": (Step(op=op, args=args),)})
    tally = FieldTally()
    tally.right = 2
    tally.beside_nothing(FieldProgram(spec=MAKER, readers=(cut,)), read_by(cut), URL)
    assert tally.with_invented().wrong == 1


@pytest.mark.parametrize("is_volatile", [False, True])
def test_another_fields_value_is_invented_whatever_names_it(is_volatile: bool) -> None:
    read = read_by(LABEL)
    of_both = read.model_copy(update={"values": {**read.values, "owner": "Ada"}})
    spec = MAKER.model_copy(update={"volatile": is_volatile})
    assert wrong(of_both, spec) == 1


def test_what_is_read_in_another_fields_place_is_wrong() -> None:
    tally = FieldTally()
    tally.changed = 3
    assert tally.astray("").wrong == 0
    assert (tally.astray("of the owner").wrong, tally.changed) == (3, 0)
    assert tally.against == "of the owner"


def test_what_comes_and_goes_or_is_new_to_all_is_not_invented() -> None:
    assert wrong(read_by(PLACE), MAKER.model_copy(update={"volatile": True})) == 0
    assert wrong(read_by(PLACE), right=0) == 0


def test_the_first_value_that_stands_against_it_is_kept() -> None:
    tally = FieldTally()
    tally.stands_against("Ada", None, URL)
    tally.stands_against("Bob", "Cleo", URL)
    assert tally.against == f"nothing is read where 'Ada' stands on {URL}"


RATING = FieldSpec(name="maker", volatile=True)


@pytest.mark.parametrize(
    ("spec", "taken", "away"), [(RATING, 2, 30), (RATING, 1, 0), (MAKER, 2, 0)]
)
def test_what_is_another_rows_now_speaks_not_against_what_has_left(
    spec: FieldSpec, taken: int, away: int
) -> None:
    tally = FieldTally()
    tally.moved, tally.taken, tally.changed, tally.other = 2, taken, 33, 30
    assert tally.moved_away(spec) == away


def come(*values: str | None, reader: Reader = PLACE) -> int:
    """How many are wrong of what is read of records that have no rating."""
    tally, field = FieldTally(), FieldProgram(spec=RATING, readers=(PLACE, LABEL))
    tally.right = 2
    for value in values:
        tally.beside_nothing(field, read_by(reader, value), URL)
    return tally.with_invented().wrong


def test_what_comes_and_goes_does_not_come_to_all_records_at_once() -> None:
    assert come("3", "4", "5") == 3
    assert come("3", "4", None) == 0, "one has none, as before"
    assert come("3", "4") == 0, "two may have come"
    assert come("3", "4", "5", reader=LABEL) == 0


@pytest.mark.parametrize(
    ("kind", "volatile", "right", "wrong"),
    [
        (FieldKind.NUMBER, False, 0, 3),
        (FieldKind.DATE, False, 0, 3),
        (FieldKind.NUMBER, False, 1, 3),
        (FieldKind.NUMBER, False, 9, 3),  # "0:17:00" and "1:17:00" are read as 17
        (FieldKind.NUMBER, False, 10, 0),
        (FieldKind.NUMBER, True, 0, 0),
        (FieldKind.TEXT, False, 0, 0),
    ],
)
def test_a_steady_number_that_is_another_one_on_many_pages_is_misread(
    kind: FieldKind, volatile: bool, right: int, wrong: int
) -> None:
    tally = FieldTally()
    tally.right, tally.changed, tally.other = right, 4, 3
    spec = FieldSpec(name="storage", kind=kind, volatile=volatile)
    counted = tally.with_other(spec)
    assert (counted.wrong, counted.changed) == (wrong, 4 - wrong)
    assert bool(counted.against) is bool(wrong)
    tally.wrong, tally.changed = 0, 4
    assert not tally.with_other(spec.model_copy(update={"required": True})).wrong


@pytest.mark.parametrize(
    ("kind", "read", "is_gone", "counts"),
    [
        (FieldKind.TEXT, "Ada", False, (1, 0, 1)),
        (FieldKind.TEXT, None, False, (1, 0, 0)),
        (FieldKind.TEXT, "Ada", True, (1, 0, 0)),
        (FieldKind.CHOICE, "open", False, (0, 1, 1)),
        (FieldKind.CHOICE, "open", True, (1, 0, 0)),
        (FieldKind.CHOICE, None, False, (1, 0, 0)),
    ],
)
def test_a_choice_that_left_its_page_may_be_there_in_other_words(
    kind: FieldKind, read: str | None, is_gone: bool, counts: tuple[int, int, int]
) -> None:
    tally = FieldTally()
    tally.has_left(FieldSpec(name="state", kind=kind), read, is_gone=is_gone)
    assert (tally.changed, tally.moved, tally.other) == counts


@pytest.mark.parametrize(
    ("now", "unshown", "is_by_heart"),
    [
        ((True, False, True, True, True, False), 3, True),  # one of three
        ((True, False, True, False, True, False), 3, False),
        ((True, False, True, True, True, False), 6, False),  # four of six
        ((True, False, True, None, None, False), 3, False),  # of one nothing is told
    ],
)
def test_words_that_fit_the_seen_pages_alone_are_learned_by_heart(
    now: tuple[bool | None, ...], unshown: int, *, is_by_heart: bool
) -> None:
    flag = FieldSpec(name="free", kind=FieldKind.BOOLEAN, volatile=True)
    words = Reader(
        src=Source.CSS, at="p", pipe=(Step(op=Op.MAP, args=("voll", "False")),)
    )
    tally = FieldTally()
    tally.before = [True, False, True, False, False, False]
    tally.now = list(now)
    tally.unshown = [at >= len(now) - unshown for at in range(len(now))]
    field = FieldProgram(spec=flag, readers=(words,))
    assert tally.is_by_heart(field) is is_by_heart
    plain = FieldProgram(spec=flag, readers=(PLACE,))
    assert not tally.is_by_heart(plain)
