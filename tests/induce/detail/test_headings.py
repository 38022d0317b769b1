import pytest

from crawloop_assets.crawler.program import Kin, Reader
from crawloop_assets.crawler.read import Scope, select
from crawloop_assets.induce.detail.headings import (
    UNCOUNTED,
    UNHEADED,
    are_sentences,
    heading_pipe,
    is_one_sentence,
    lasting_pipe,
    prefer_headings,
    prefer_items,
    with_headings,
)
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.detail.documents import by_css, by_json, candidate, document

PARTS = FieldSpec(name="parts", shape=Shape.LIST)
TAGS = FieldSpec(name="tags", shape=Shape.SET)
SIZES = FieldSpec(name="sizes", shape=Shape.LIST, kind=FieldKind.NUMBER)
TEXT = FieldSpec(name="text")
SENTENCE = "Sand every board along the grain until it is smooth."
THINGS = ["4 boards", "12 screws"]


def test_long_items_are_sentences() -> None:
    assert are_sentences([SENTENCE])
    assert are_sentences([SENTENCE, SENTENCE, "Done."])
    assert not are_sentences([*THINGS, SENTENCE])
    assert not are_sentences(["a" * 50])
    assert are_sentences(["a" * 51])
    assert not are_sentences([])


def test_a_list_of_one_text_may_be_the_whole_of_several() -> None:
    assert is_one_sentence([SENTENCE], PARTS)
    assert not is_one_sentence([SENTENCE, SENTENCE], PARTS)
    assert not is_one_sentence(["4 boards"], PARTS)
    assert not is_one_sentence([], PARTS)
    assert not is_one_sentence([SENTENCE], TAGS)
    assert not is_one_sentence(SENTENCE, PARTS)


def test_headings_are_left_out_of_things_that_have_none() -> None:
    assert heading_pipe(THINGS, PARTS) == UNHEADED
    assert heading_pipe(["For the box:", *THINGS], PARTS) == ()
    assert heading_pipe([SENTENCE], PARTS) == ()
    assert heading_pipe([], PARTS) == ()
    assert heading_pipe(THINGS, TAGS) == ()
    assert heading_pipe(["1", "2"], SIZES) == ()


def test_sentences_that_are_not_counted_may_be_on_other_pages() -> None:
    assert lasting_pipe([SENTENCE, SENTENCE], PARTS) == UNCOUNTED
    assert lasting_pipe([f"1. {SENTENCE}", f"2. {SENTENCE}"], PARTS) == ()
    assert lasting_pipe(THINGS, PARTS) == UNHEADED
    assert lasting_pipe([SENTENCE], TAGS) == ()


def test_items_and_the_headings_among_them_are_found_in_page_order() -> None:
    page = document(
        "<div class='a'><h2>One</h2><p>1</p><h6>Two</h6><p>2</p></div><h3>Three</h3>"
    )
    numbers = select(Scope(page), with_headings(".a", "p"))
    assert [page.text(number) for number in numbers] == ["One", "1", "Two", "2"]


HEADED = by_css(with_headings(".a", "p"))
ITEMS = by_css(".a p")
LINES = by_css(".a", get="lines")
FLOW = by_css(".a", get="flow")


def test_readers_without_the_headings_only_watch_beside_one_with_them() -> None:
    json = by_json("ld:Kit.parts")
    found = [candidate(reader, 1.1) for reader in (ITEMS, HEADED, json, LINES)]
    preferred = prefer_headings(found)
    kins = [each.reader.kin for each in preferred]
    assert kins == [Kin.OTHER, Kin.CLASS, Kin.JSONLD, Kin.CLASS]
    assert [each.prior for each in preferred] == [0.8, 1.1, 1.1, 1.1]
    assert prefer_headings(found[:1]) == found[:1]


@pytest.mark.parametrize("block", [LINES, FLOW])
def test_readers_of_a_block_only_watch_beside_one_of_items(block: Reader) -> None:
    found = [candidate(block, 0.6), candidate(ITEMS, 0.9)]
    preferred = prefer_items(found)
    assert [each.reader.kin for each in preferred] == [Kin.OTHER, Kin.CLASS]
    assert [each.prior for each in preferred] == [0.6, 0.9]
    assert prefer_items(found[:1]) == found[:1]
    assert prefer_items([]) == []
