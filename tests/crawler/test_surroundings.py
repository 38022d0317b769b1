"""What is kept with a vote: the words around the value that won, and what there is against the program's notation."""

from crawloop_assets.crawler.context import Context
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.crawler.program import FieldProgram, Kin, Reader, Source
from crawloop_assets.crawler.read import ReaderTexts, Scope, texts_found
from crawloop_assets.crawler.surroundings import agreeing, with_surroundings
from crawloop_assets.crawler.vote import Ballot
from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec

STATED = Reader(src=Source.CSS, at="meta", get="@content", kin=Kin.META)
SHOWN = Reader(src=Source.CSS, at="b")
OTHER = Reader(src=Source.CSS, at="i")
BODY = "<p>From <b>$12.50</b> <i>9.00</i></p>"
BALLOTS: list[Ballot] = [
    ("meta", 1.0, "12.50"),
    ("b", 1.0, "12.5"),
    ("i", 1.0, "9.00"),
]
VOTE = FieldVote(agreement=0.7, live_readers=3, readers=3, reader="meta")


def price(**notation: str) -> FieldProgram:
    spec = FieldSpec(name="price", kind=FieldKind.NUMBER, **notation)
    return FieldProgram(spec=spec, readers=(STATED, SHOWN, OTHER))


def surrounded(field: FieldProgram, value: str | None, vote: FieldVote) -> FieldVote:
    page = Page(url="https://shop.example/1", body=f"<html>{BODY}</html>".encode())
    place = Scope(Document(page))
    readings = [texts_found(reader, place) for reader in field.readers]
    return with_surroundings(vote, field, value, BALLOTS, readings, place)


def test_those_agree_that_read_the_value_what_is_shown_first() -> None:
    readings = [ReaderTexts(reader, []) for reader in (STATED, SHOWN, OTHER)]
    stated, shown, other = readings
    spec = price().spec
    assert agreeing(spec, "12.50", BALLOTS, readings) == [shown, stated]
    assert agreeing(spec, "9", BALLOTS, readings) == [other]


def test_the_words_are_those_where_the_value_is_shown() -> None:
    vote = surrounded(price(), "12.50", VOTE)
    assert vote.context == Context(words="$ #", beside="from #")
    assert vote.otherwise is None


def test_what_contradicts_the_notation_is_kept_with_it() -> None:
    assert surrounded(price(currency="EUR"), "12.50", VOTE).otherwise == ("EUR", "$")
    assert surrounded(price(currency="CAD"), "12.50", VOTE).otherwise is None
    silent = FieldVote(agreement=0.0, live_readers=0, readers=3)
    refused = surrounded(price(decimal=","), None, silent)
    assert refused.otherwise == (",", "$12.50") and refused.context is None


def test_without_number_or_notation_nothing_is_kept() -> None:
    title = FieldProgram(spec=FieldSpec(name="title"), readers=(SHOWN,))
    assert surrounded(title, "12.50", VOTE) == VOTE


def test_what_stands_around_a_date_is_kept_where_it_moves() -> None:
    def context(volatile: bool) -> Context | None:
        spec = FieldSpec(name="eta", kind=FieldKind.DATE, volatile=volatile)
        made = FieldProgram(spec=spec, readers=(SHOWN,))
        page = Page(url="https://ship.example/1", body=b"<p>ETA: <b>4 May 2026</b></p>")
        place = Scope(Document(page))
        ballots: list[Ballot] = [("b", 1.0, "2026-05-04")]
        readings = [texts_found(SHOWN, place)]
        vote = VOTE.model_copy(update={"reader": "b"})
        found = with_surroundings(vote, made, "2026-05-04", ballots, readings, place)
        return found.context

    assert context(volatile=True) == Context(words="#", beside="eta: #")
    assert context(volatile=False) is None
