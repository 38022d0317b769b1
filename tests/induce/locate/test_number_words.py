"""Words that stand for a number: which ones, and in which records they leave it open."""

import pytest

from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.number_words import (
    KnownNumber,
    are_worded,
    count_worded,
    may_be_worded,
    unread_words,
    with_number_words,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

LEFT = FieldSpec(name="left", kind=FieldKind.INTEGER, volatile=True)
AMONG = (Step(op=Op.REGEX, args=(r"^(\d+) berths left$",)),)
BERTHS = Reader(src=Source.CSS, at="i", pipe=AMONG)
PLAIN = Reader(src=Source.CSS, at="i")
THIRD = Reader(src=Source.CSS, at="span, i", pipe=(Step(op=Op.NTH, args=(2,)),))
SECOND_OF_TEXT = Reader(
    src=Source.CSS, at="p", pipe=(Step(op=Op.NUMBER, args=(1, "")),)
)


def sailing(text: str, value: int | None) -> KnownNumber:
    body = (
        f"<p><span>Line 7</span> <span>Quay</span> <i>{text}</i> <b>since 1994</b></p>"
    )
    page = Page(url="http://ferry.test/1", body=body.encode(), headers={})
    return Scope(Document(page)), value


SAILINGS = [sailing(f"{count} berths left", count) for count in (12, 30, 4)]
FULL = sailing("Fully booked", 0)


def field(*readers: Reader) -> FieldProgram:
    return FieldProgram(spec=LEFT, readers=readers)


def read_as(made: FieldProgram, text: str) -> object:
    return vote_on(made, sailing(text, None)[0])[0]


@pytest.mark.parametrize("reader", [BERTHS, PLAIN, THIRD])
def test_the_word_of_records_that_are_known_to_have_none_is_none(
    reader: Reader,
) -> None:
    made = with_number_words(field(reader), [*SAILINGS, FULL, FULL])
    assert read_as(made, "Fully booked") == 0
    assert read_as(made, "fully booked") == 0
    assert read_as(made, "9 berths left") == 9
    assert read_as(made, "On request") is None


def test_records_that_have_sold_out_since_are_no_hindrance_but_more_of_them_are() -> (
    None
):
    sold = sailing("Fully booked", 8)
    known = [*SAILINGS, FULL, FULL, sold, sailing("Fully booked", 3)]
    assert read_as(with_number_words(field(BERTHS), known), "Fully booked") == 0
    again = with_number_words(field(BERTHS), [*known, sold])
    assert again == field(BERTHS)


@pytest.mark.parametrize(
    "others",
    [
        [FULL],
        [FULL, FULL, sailing("Fully booked", None)],
        [sailing("A few left", 2), sailing("A few left", 2), sailing("A few left", 3)],
        [sailing("Last one", 1), sailing("Last one", 1)],
        [sailing("Sail now " * 6, 0)] * 2,
        [sailing("", 0)] * 2,
    ],
    ids=["one", "none known", "several", "few of another", "long", "nothing"],
)
def test_a_word_that_may_be_something_else_is_no_number(
    others: list[KnownNumber],
) -> None:
    known = [*SAILINGS, *others]
    assert with_number_words(field(BERTHS), known) == field(BERTHS)


def test_a_word_may_be_another_number_and_one_record_is_enough_if_asked_so() -> None:
    known = [*SAILINGS, *[sailing("Last one", 1)] * 3]
    assert read_as(with_number_words(field(BERTHS), known), "Last one") == 1
    assert (
        read_as(with_number_words(field(BERTHS), [FULL], fewest=1), "Fully booked")
        is None
    ), "nobody knows how a number is written there"
    made = with_number_words(field(BERTHS), [*SAILINGS, FULL], fewest=1)
    assert read_as(made, "Fully booked") == 0


def test_of_two_words_of_a_record_nobody_knows_which_one_it_is() -> None:
    both = Reader(src=Source.CSS, at="i, b", pipe=AMONG)
    known = [*SAILINGS, *[sailing("Full</i><i>Ask us", 0)] * 2]
    assert with_number_words(field(both), known) == field(both)
    alone = [*known, sailing("Full", 0)]
    assert with_number_words(field(both), alone) == field(both)


def test_a_word_that_stands_beside_numbers_as_well_is_none() -> None:
    both = Reader(src=Source.CSS, at="span, i", pipe=AMONG)
    made = with_number_words(field(both), [*SAILINGS, FULL, FULL])
    assert read_as(made, "Fully booked") == 0
    steps = [step.args for one in made.readers for step in one.pipe[:-1]]
    assert steps == [("Fully booked", "0 berths left")], "Quay stands everywhere"


def test_a_reader_that_counts_numbers_reads_the_next_one_there_and_goes() -> None:
    known = [*SAILINGS, FULL, FULL]
    assert vote_on(field(SECOND_OF_TEXT), FULL[0])[0] == 1994
    made = with_number_words(field(BERTHS, SECOND_OF_TEXT), known)
    assert [one.at for one in made.readers] == ["i"]
    assert with_number_words(field(SECOND_OF_TEXT), known) == field(SECOND_OF_TEXT)


def test_a_number_in_other_words_is_the_one_that_is_known_there() -> None:
    known = [*SAILINGS, sailing("All 8 are taken", 0), sailing("All 30 are taken", 0)]
    both = field(PLAIN, THIRD)
    assert read_as(both, "All 8 are taken") == 8
    made = with_number_words(both, known)
    assert read_as(made, "All 12 are taken") == 0
    assert read_as(made, "9 berths left") == 9
    assert count_worded(made, [], known) == 0


def test_a_number_in_words_of_one_record_is_not_read_and_counted() -> None:
    known = [*SAILINGS, sailing("All 8 are taken", 0)]
    made = with_number_words(field(PLAIN), known)
    assert read_as(made, "All 12 are taken") is None
    assert read_as(made, "9 berths left") == 9
    assert count_worded(made, [], known) == count_worded(field(PLAIN), [], known) == 1
    assert count_worded(field(PLAIN), [], SAILINGS) == 0
    assert with_number_words(made, known) == made


def test_what_is_no_single_number_has_no_words() -> None:
    name = FieldSpec(name="name")
    many = LEFT.model_copy(update={"shape": Shape.LIST})
    assert [may_be_worded(one) for one in (LEFT, name, many)] == [True, False, False]
    texts = FieldProgram(spec=name, readers=(Reader(src=Source.CSS, at="u"),))
    assert with_number_words(texts, [FULL, FULL]) == texts
    assert count_worded(texts, [FULL]) == 0


def test_known_numbers_are_left_in_words_that_no_record_without_one_has() -> None:
    made = field(BERTHS, SECOND_OF_TEXT)
    soon, sold = sailing("Soon", 5), sailing("Fully booked", 6)
    assert count_worded(made, [FULL, sold, soon]) == 3
    assert count_worded(made, [FULL, sold, sailing("Fully booked", None)]) == 0
    assert count_worded(made, [sailing("", 5), sailing("9 cars left", 5)]) == 0
    assert count_worded(field(Reader(src=Source.CSS, at="span")), [FULL]) == 0


def test_the_words_of_a_row_are_those_in_the_place_of_a_number_that_is_not_read() -> (
    None
):
    made = field(PLAIN, BERTHS)
    assert unread_words(made, FULL[0]) == ["Fully booked"]
    assert unread_words(made, SAILINGS[0][0]) == []
    assert are_worded(made, [SAILINGS[0][0], FULL[0]])
    assert not are_worded(made, [SAILINGS[0][0], sailing("", None)[0]])
    text = made.model_copy(update={"spec": FieldSpec(name="left")})
    assert not are_worded(text, [FULL[0]])
