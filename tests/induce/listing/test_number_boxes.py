"""Numbers that some rows say in words."""

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.number_boxes import in_digits, without_boxes
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

FREE = FieldSpec(name="free", kind=FieldKind.INTEGER)
SAID = ("4 berths", "7 berths", "One berth", "5 berths", "3 berths", "No berth")
KNOWN = (4, 7, 1, 5, 3, 0)


def harbour(said: tuple[str, ...] = SAID) -> Document:
    rows = "".join(
        f"<li><p><span>{text}</span> <small>of {at + 12}</small></p></li>"
        for at, text in enumerate(said)
    )
    return document(f"<ul>{rows}</ul>")


def row(page: Document, at: int) -> Scope:
    return scope(page, "li", at)


def found(page: Document, known: tuple[int, ...]) -> list[FoundReader]:
    samples = [KnownCell(row(page, at), KNOWN[at]) for at in known]
    others = [row(page, at) for at in range(len(SAID)) if at not in known]
    return field_readers(FREE, samples, others, beside=others)


def test_the_first_number_of_a_box_is_none_where_its_part_says_it_in_words() -> None:
    page = harbour()
    readers = found(page, (0, 1))
    assert readers
    for at in (2, 5):
        assert {read(one.reader, row(page, at), FREE) for one in readers} == {None}
    assert {read(one.reader, row(page, 3), FREE) for one in readers} == {5}
    assert without_boxes(FieldSpec(name="free"), readers, [], []) is readers


def test_a_box_is_kept_where_its_part_says_nothing_or_the_number() -> None:
    page = harbour(("4 berths", "7 berths", "", "5 berths", "3 berths", "6"))
    readers = found(page, (0, 1))
    assert {one.reader.at.split()[0] for one in readers} >= {"p", "span"}


def test_rows_that_say_the_number_in_words_do_not_tell_where_it_stands() -> None:
    page = harbour()
    readers = found(page, (0, 1, 2))
    assert len(readers) > 1
    assert readers[0].right == 1.0
    assert {read(one.reader, row(page, 2), FREE) for one in readers} == {None}
    samples = [KnownCell(row(page, at), KNOWN[at]) for at in range(len(SAID))]
    assert [one.value for one in in_digits(FREE, readers, samples)] == [4, 7, 5, 3]
    assert in_digits(FREE, [], samples) == samples


def test_a_row_in_another_unit_is_not_read_from_the_box_around_it() -> None:
    page = harbour(("4 berths", "7 berths", "1,5 berths each", "5 berths"))
    samples = [KnownCell(row(page, at), KNOWN[at]) for at in (0, 1)]
    others = [row(page, at) for at in (2, 3)]
    readers = field_readers(FREE, samples, others, beside=others)
    assert readers
    assert {read(one.reader, others[0], FREE) for one in readers} == {None}


def test_the_next_text_of_a_row_is_not_read_where_the_first_says_it_in_words() -> None:
    rows = "".join(
        f"<li><p><i>{said}</i><i>{at + 3} cabins</i></p></li>"
        for at, said in enumerate(SAID)
    )
    page = document(f"<ul>{rows}</ul>")
    readers = found(page, (0, 1))
    assert readers
    assert {read(one.reader, row(page, 2), FREE) for one in readers} == {None}
    assert {read(one.reader, row(page, 3), FREE) for one in readers} == {5}
    samples = [KnownCell(row(page, at), KNOWN[at]) for at in (0, 1)]
    each = FoundReader(Reader(src=Source.CSS, at="i"), 1.0, 0.0, 1.0, 0.5)
    assert without_boxes(FREE, [each], samples, [row(page, 3)]) == [each]
    assert without_boxes(FREE, [each], samples, [row(page, 2)]) == []
