from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.stream import LetterStream
from crawloop_assets.induce.locate.typed import ElementText, TypedTexts
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.pages import page

SPEC = FieldSpec(name="f", kind=FieldKind.NUMBER)


def typed(body: str, *attributes: tuple[str, str]) -> tuple[Document, TypedTexts]:
    document = Document(page(0, f"<html><body>{body}</body></html>"))
    named = [ElementText(0, get, text) for get, text in attributes]
    return document, TypedTexts(document, LetterStream(document), named)


def shorts(body: str, *attributes: tuple[str, str]) -> list[tuple[str, str, str]]:
    document, texts = typed(body, *attributes)
    return [
        (str(document.elements[found.number].tag), found.get, found.text)
        for found in texts.short_texts
        if document.elements[found.number].tag not in ("html", "body")
        or found.get[0] == "@"
    ]


def saying(body: str, form: object, kind: FieldKind) -> list[str]:
    return [found.text for found in typed(body)[1].saying(form, kind, SPEC)]


def test_short_texts_with_digits_are_read_whole_by_themselves_and_behind() -> None:
    assert shorts("<p>4 <b>big</b></p>") == [("p", "text", "4 big"), ("p", "own", "4")]
    assert shorts("<p><b>for</b> 4</p>") == [
        ("p", "text", "for 4"),
        ("p", "own", "4"),
        ("b", "tail", "4"),
    ]
    assert shorts("<p>4</p>") == [("p", "text", "4")]
    assert shorts("<p>four</p>") == []


def test_what_stands_behind_a_line_break_is_a_text_of_its_own() -> None:
    assert shorts("<p>Signups<br>23</p>") == [
        ("p", "text", "Signups 23"),
        ("br", "tail", "23"),
    ]


def test_an_own_text_that_is_all_of_the_text_is_not_read_twice() -> None:
    assert shorts("<p>12<br></p>") == [("p", "text", "12")]
    assert shorts("<p><b>12</b></p>") == [("p", "text", "12"), ("b", "text", "12")]


def test_long_texts_and_tails_are_left_out() -> None:
    assert shorts(f"<p>1{'x' * 159}</p>")
    assert shorts(f"<p>1{'x' * 160}</p>") == []
    assert [get for _, get, _ in shorts(f"<b>1</b>{' x' * 80}1")] == ["text"]


def test_attributes_come_last_if_they_are_short_and_have_a_digit() -> None:
    found = shorts(
        "<p>4</p>", ("@a", "5"), ("@b", "none"), ("@c", "1" * 160), ("@d", "1" * 161)
    )
    assert [get for _, get, _ in found] == ["text", "@a", "@c"]


def test_numbers_are_found_by_all_that_their_points_may_mean() -> None:
    for form in ("1299", "1.299"):
        assert saying("<p>1.299 l</p>", form, FieldKind.NUMBER) == ["1.299 l"] * 3
    assert saying("<p>1,5</p>", "1.5", FieldKind.NUMBER)
    assert saying("<p>2 of 7</p>", "7", FieldKind.NUMBER)
    assert not saying("<p>27</p>", "7", FieldKind.NUMBER)


def test_minutes_are_found_as_durations_and_as_plain_numbers() -> None:
    assert saying("<p>1 h 5 min</p>", 65, FieldKind.MINUTES)
    assert saying("<p>Total 65</p>", 65, FieldKind.MINUTES)
    assert not saying("<p>6.5</p>", 6, FieldKind.MINUTES)
    assert saying("<p>no. 9999</p>", 9_999, FieldKind.MINUTES)
    assert not saying("<p>no. 10000</p>", 10_000, FieldKind.MINUTES)


def test_days_are_found_in_any_spelling() -> None:
    body = "<p>5 March 2024</p><p>2024-03-05T10:00</p><p>6 March 2024</p>"
    assert saying(body, "2024-03-05", FieldKind.DATE)[-2:] == [
        "5 March 2024",
        "2024-03-05T10:00",
    ]


def test_the_day_of_a_moment_that_is_a_number_is_found() -> None:
    body = "<p>1772346147</p><p>Call 1772346147</p>"
    assert saying(body, "2026-03-01", FieldKind.DATE) == ["1772346147"]


def test_every_day_of_a_text_is_found() -> None:
    both = "<p>Approved 3.2.1997 / revised 31.7.2001</p>"
    for day in ("1997-02-03", "2001-07-31"):
        assert "Approved 3.2.1997 / revised 31.7.2001" in saying(
            both, day, FieldKind.DATE
        )
