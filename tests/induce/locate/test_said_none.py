"""Texts that say of known records that they have no value."""

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.locate.said_none import without_none
from crawloop_assets.schema import FieldSpec
from tests.induce.listing.documents import document

HOURS = FieldSpec(name="hours")
READER = Reader(src=Source.CSS, at="b")


def scopes(*texts: str) -> list[Scope]:
    return [Scope(document(f"<p><b>{text}</b></p>")) for text in texts]


def said(empty: list[str], *filled: str) -> list[str | None]:
    """What is read of the empty ones and of another one where they say so, as one list."""
    made = without_none(READER, scopes(*empty), scopes(*filled))
    return [
        read(reader, scope, HOURS)
        for reader in made
        for scope in scopes(*empty, "Closed at noon")
    ]


def test_what_two_records_without_a_value_say_is_none() -> None:
    closed = "Closed all day"
    assert said([closed, closed], "9-17") == [None, None, "Closed at noon"]
    assert said([closed], "9-17") == [], "one alone may have been left out"
    assert said([closed, "Shut"], "9-17") == [], "nothing is said again"
    assert said([closed, closed], closed) == [], "it is a value elsewhere"
    left_out = [closed, closed, "10-18"]
    assert said(left_out, "9-17") == [], "what stands there was left out of one"


def test_one_record_tells_a_text_that_says_so_or_begins_as_those_that_do() -> None:
    assert said(["–"], "9-17") == [None, "Closed at noon"]
    assert said(["None at the moment"], "9-17") == [None, "Closed at noon"]


def test_long_texts_are_about_more_than_one_thing() -> None:
    text = "Closed all day " * 5
    assert said([text, text], "9-17") == []
