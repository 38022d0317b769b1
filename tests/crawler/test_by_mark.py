"""Which fields are read by marks."""

import pytest

from crawloop_assets.crawler.by_mark import flag_of_mark, words_of_mark
from crawloop_assets.crawler.interpreter import extract_record
from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec

SPEC = FieldSpec(name="garden", kind=FieldKind.BOOLEAN)
OTHER = Reader(src=Source.LABEL, at="garden", get="next")


def by_words(words: str, flag: int) -> Reader:
    step = Step(op=Op.HAS, args=(words, flag))
    return Reader(src=Source.CSS, at="main", get="text", pipe=(step,))


@pytest.mark.parametrize(
    ("readers", "flag"),
    [
        ((by_words("with a garden", 1),), True),
        ((by_words("no outside", 0),), False),
        ((by_words("with a garden", 1), by_words("a lawn", 1)), True),
        ((by_words("with a garden", 1), by_words("no outside", 0)), None),
        ((by_words("with a garden", 1), OTHER), None),
        ((OTHER,), None),
        ((), None),
    ],
)
def test_a_field_has_the_flag_of_its_marks_if_nothing_else_reads_it(
    readers: tuple[Reader, ...], flag: bool | None
) -> None:
    assert flag_of_mark(FieldProgram(spec=SPEC, readers=readers)) is flag


def test_the_words_of_a_field_are_those_of_its_marks_and_of_its_choices() -> None:
    sold = Step(op=Op.MAP, args=("Sold out", "true"))
    badge = Reader(src=Source.CSS, at=".badge", pipe=(sold,))
    readers = (by_words("with a garden", 1), badge, OTHER)
    field = FieldProgram(spec=SPEC, readers=readers)
    assert words_of_mark(field) == {"with a garden", "Sold out"}
    assert not words_of_mark(FieldProgram(spec=SPEC, readers=(OTHER,)))


def unknown(text: str, *said: tuple[str, str]) -> str:
    """What no reader knows of a page that says a text, with words that are known."""
    pipe = tuple(Step(op=Op.MAP, args=one) for one in said)
    reader = Reader(src=Source.CSS, at="b", get="text", pipe=pipe)
    field = FieldProgram(spec=SPEC, readers=(reader,))
    page = Page(url="http://homes.test/1", body=f"<main><b>{text}</b></main>".encode())
    record = extract_record([field], Scope(Document(page)))
    return record.votes["garden"].unknown


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("On request", (("Lawn", "True"), ("Yard", "False")), "On request"),
        ("Lawn", (("Lawn", "True"), ("Yard", "False")), ""),
        ("On request", (("Lawn", "True"),), ""),
        ("On request", (), "On request"),
        ("yes", (), ""),
        ("", (), ""),
    ],
    ids=["neither", "one", "of one side", "everybody's", "known", "nothing"],
)
def test_where_the_words_of_both_sides_stand_another_one_says_neither(
    text: str, said: tuple[tuple[str, str], ...], expected: str
) -> None:
    assert unknown(text, *said) == expected


@pytest.mark.parametrize(
    ("body", "reader", "silent"),
    [
        ("", OTHER, True),
        ("<dl><dt>Garden</dt><dd>yes</dd></dl>", OTHER, False),
        ("<dl><dt>Garden</dt><dd>on request</dd></dl>", OTHER, False),
        ("", by_words("with a garden", 1), False),
    ],
)
def test_a_page_is_silent_where_nothing_stands_that_says_one_side_or_the_other(
    body: str, reader: Reader, silent: bool
) -> None:
    page = Page(url="http://homes.test/1", body=f"<main>{body}</main>".encode())
    field = FieldProgram(spec=SPEC, readers=(reader,))
    record = extract_record([field], Scope(Document(page)))
    assert record.votes["garden"].silent is silent


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Diverted", "Diverted"), ("late", ""), ("", ""), ("x" * 81, "")],
    ids=["none of them", "one of them", "nothing", "a story"],
)
def test_what_stands_where_a_choice_is_read_and_is_none_is_kept(
    text: str, expected: str
) -> None:
    pipe = (Step(op=Op.MAP, args=("late", "delayed")),)
    reader = Reader(src=Source.CSS, at="b", get="text", pipe=pipe)
    choices = ("on time", "delayed")
    spec = FieldSpec(name="status", kind=FieldKind.CHOICE, choices=choices)
    page = Page(url="http://rail.test/1", body=f"<main><b>{text}</b></main>".encode())
    field = FieldProgram(spec=spec, readers=(reader,))
    record = extract_record([field], Scope(Document(page)))
    assert record.votes["status"].unlisted == expected
