"""Known values in one place of several pages are a witness, whatever is written there."""

from crawloop_assets.crawler.program import MOST_PLACE_CHARS, Kin
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.recurrence import (
    in_sentences,
    placed_readers,
    positions,
    recurring,
)
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from tests.induce.detail.documents import index
from tests.induce.healing.unnamed import known_pages

WEIGHT = FieldSpec(name="weight", kind=FieldKind.NUMBER)
PAGES = known_pages(
    [
        ("1.5", ["Oak", "1.5 kg", "7"]),
        ("2.5", ["Ash", "2.5 kg", "8"]),
        ("7", ["Elm", "7 kg", "9"]),
    ]
)


def test_three_values_in_one_place_tell_it() -> None:
    found = recurring(PAGES, WEIGHT)
    assert found
    for candidate in found:
        read_there = [
            read(candidate.reader, Scope(page.document), WEIGHT) for page in PAGES
        ]
        assert read_there == ["1.5", "2.5", "7"]


def test_a_count_that_moved_on_speaks_for_no_other_place_that_says_what_it_was() -> (
    None
):
    rows = [("45", "45"), ("18", "18"), ("117", "117"), ("144", "{}")]
    pages = [(known, [f"{now} readers", "144 x 112 cm"]) for known, now in rows]
    count = FieldSpec(name="liked", kind=FieldKind.INTEGER, volatile=True)

    def found(last: str, spec: FieldSpec) -> bool:
        said = [(one, [text.format(last) for text in texts]) for one, texts in pages]
        return bool(recurring(known_pages(said), spec))

    assert found("145", count)
    assert not found("745", count)
    assert not found("145", count.model_copy(update={"volatile": False}))


def test_the_words_of_its_line_tell_a_value_that_stands_in_no_one_place() -> None:
    rows = [("1.5", 0, 1), ("2.5", 1, 0), ("7", 2, 3)]
    pages = known_pages(
        [
            (one, [*["Oak"] * before, f"Load: {one} kg", *["Ash"] * behind])
            for one, before, behind in rows
        ]
    )
    found = [one.reader for one in recurring(pages, WEIGHT)]
    assert "lines" in {reader.get for reader in found}
    assert not any("nth" in reader.at for reader in found)
    in_parts = known_pages([("4.2", ["Load: 4 kg 200 g"])])[0].document
    assert "4.2" in {read(reader, Scope(in_parts), WEIGHT) for reader in found}


def test_the_words_of_a_sentence_tell_a_value_and_its_position_does_not() -> None:
    rows = [("1.5", "Blue Lamp"), ("2.5", "Oak Chair"), ("7", "Low Desk")]
    body = "<h1>{1}</h1><div><p>The load of {1} is {0} kg.</p><p>About {1}.</p></div>"
    pages = [KnownValue(index(body.format(*row)), row[0]) for row in rows]
    tried = placed_readers(pages, WEIGHT, recurring(pages, WEIGHT))
    placed = [one for one in tried if one.candidate.reader.kin is Kin.PATH]
    found = [one.candidate.reader for one in in_sentences(placed, pages, WEIGHT)]
    assert {reader.get for reader in found} == {"lines"}
    lacks = index("<h1>Tall Bed</h1><div><p>The age of Tall Bed is 4 years.</p></div>")
    assert {read(one, Scope(lacks.document), WEIGHT) for one in found} == {None}
    assert in_sentences(placed, pages[:2], WEIGHT) == placed
    other = KnownValue(index("<h1>Tall Bed</h1><div><p>Load: 4</p></div>"), "4")
    assert in_sentences(placed, [*pages, other], WEIGHT) == placed


def test_two_short_texts_behind_the_fields_own_name_are_no_chance() -> None:
    rows = [("EUR", 0), ("GBP", 1), ("EUR", 2)]
    pages = known_pages(
        [(one, [*["Oak"] * before, f"Currency: {one}"]) for one, before in rows]
    )
    found = [one.reader for one in recurring(pages, FieldSpec(name="currency"))]
    assert {reader.get for reader in found} == {"lines"}
    assert recurring(pages, FieldSpec(name="unit")) == []
    assert recurring(pages[::2], FieldSpec(name="currency")) == []


def test_two_pages_or_equal_values_tell_nothing() -> None:
    assert recurring(PAGES[:2], WEIGHT) == []
    same = known_pages([("7", ["Oak", "7 kg"])] * 4)
    assert recurring(same, WEIGHT) == []
    several = WEIGHT.model_copy(update={"shape": Shape.LIST})
    assert recurring(PAGES, several) == []


def test_a_list_in_one_text_of_three_pages_tells_its_place() -> None:
    tags = FieldSpec(name="tags", shape=Shape.LIST)
    said = (["oak", "old"], ["ash", "new", "red"], ["elm", "new"], ["yew"])
    pages = known_pages([(one, ["Lamp", " · ".join(one), "9"]) for one in said])
    found = recurring(pages, tags)
    assert found
    for candidate in found:
        there = [read(candidate.reader, Scope(page.document), tags) for page in pages]
        assert there == list(said)
    listed = [(one, ["Lamp", f"Tags: {', '.join(one)}", "9"]) for one in said]
    assert recurring(known_pages(listed), tags)
    assert recurring(pages[:2], tags) == []


def test_a_place_that_says_something_else_beside_the_known_value_is_none() -> None:
    against = known_pages([("4", ["Yew", "9 kg", "4"])])
    assert recurring([*PAGES, *against], WEIGHT) == []


def test_a_value_that_its_page_no_longer_shows_contradicts_nothing() -> None:
    moved = known_pages([("3.25", ["Yew", "9 kg", "4"])])
    assert recurring([*PAGES, *moved], WEIGHT)


def test_places_are_counted_from_both_ends() -> None:
    (page, *_) = PAGES
    document: Document = page.document
    number = document.by_tag["div"][1]
    assert list(positions(document, number)) == [
        "main > div:nth-of-type(2)",
        "main > div:nth-last-of-type(2)",
    ]


def test_a_place_too_deep_to_be_said_is_none() -> None:
    deep = "<div>" * 40 + "{}" + "</div>" * 40
    said = [("1.5", "1.5 kg"), ("2.5", "2.5 kg"), ("7", "7 kg")]
    pages = known_pages([(value, ["Oak", deep.format(text)]) for value, text in said])
    document = pages[0].document
    assert list(positions(document, document.by_tag["div"][-1])) == []
    assert all(
        len(one.reader.at) <= MOST_PLACE_CHARS for one in recurring(pages, WEIGHT)
    )


def test_a_word_before_some_values_is_cut_off_where_it_stands() -> None:
    floor = FieldSpec(name="floor")
    known = [("1st", "Level 1st"), ("2nd", "Level 2nd"), ("1st", "Level 1st")]
    pages = known_pages(
        [(one, ["Oak", said]) for one, said in (*known, ("roof", "roof"))]
    )
    found = recurring(pages, floor)
    assert found
    for candidate in found:
        there = [read(candidate.reader, Scope(page.document), floor) for page in pages]
        assert there == ["1st", "2nd", "1st", "roof"]
    assert recurring(pages[:3], floor) == [], "two short values"
