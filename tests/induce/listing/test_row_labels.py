"""What rows say behind the words that tell what it is."""

from crawloop_assets.crawler.read import read, transformed_texts
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.listing.readers import field_readers
from crawloop_assets.induce.listing.row_labels import (
    in_name_sentences,
    labelled_places,
    labels_of,
    numbers_among_words,
)
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.listing.documents import document, scope

DAYS = FieldSpec(name="term", kind=FieldKind.INTEGER)


def test_every_label_of_a_row_has_the_text_behind_it() -> None:
    row = "<li><dl><dt>State</dt><dd>open</dd></dl><p>Term: 60 days</p></li>"
    first = scope(document(row), "li", 0)
    assert ("state", "open") in list(labels_of(first))
    said = [transformed_texts(place, first) for place in labelled_places(first)]
    assert ["open"] in said
    assert ["60 days"] in said


def test_a_number_is_read_by_the_words_of_its_element() -> None:
    rows = (
        "<li><p>60 days</p><p>7 offers</p></li><li><p>9 offers</p></li>"
        "<li><p>12 days</p><p>12 days</p></li>"
    )
    page = document(rows)
    first, second, twice = (scope(page, "li", at) for at in range(3))
    (reader,) = numbers_among_words(first, 60, DAYS)
    assert read(reader, first, DAYS) == 60
    assert read(reader, second, DAYS) is None, "offers are no days"
    assert list(numbers_among_words(twice, 12, DAYS)) == [], "which of them?"
    assert list(numbers_among_words(first, 61, DAYS)) == []


def test_a_tag_with_a_colon_is_a_tag_like_any_other() -> None:
    """No version was made of a podcast's feed: "itunes:season" is no pseudo-class."""
    row = "<li><itunes:season>60 days</itunes:season><p>x</p></li>"
    first = scope(document(row), "li", 0)
    (reader,) = numbers_among_words(first, 60, DAYS)
    assert read(reader, first, DAYS) == 60


def test_a_sentence_says_a_value_of_the_other_value_in_it() -> None:
    said = "<p>{0} opens soon.</p><p>The term of {0} is {1} days.</p>"
    names, terms = ("Old Pier", "New Pier", "North Lock"), (60, 12, 7)
    rows = map(said.format, names, terms)
    shift = "<p>The fee of North Lock is 5.</p>"
    page = document(
        f"<div>{'</div><div>'.join([*rows][:2])}</div><div>{shift}{said.format(names[2], terms[2])}</div>"
    )
    scopes = [scope(page, "div", at) for at in range(3)]
    cells = [KnownCell(scopes[at], terms[at], [names[at]]) for at in range(2)]
    found = in_name_sentences(scopes[0], [names[0], 60, None])
    assert 7 in {read(reader, scopes[2], DAYS) for reader, _ in found}
    first, *_ = field_readers(DAYS, cells, scopes[2:])
    assert read(first.reader, scopes[2], DAYS) == 7
    assert list(in_name_sentences(scopes[0], ["Old", "Other Pier"])) == []


def test_words_of_another_cell_are_none_of_the_number() -> None:
    """ "9 EUR In stock" of the box around both was silent in all rows that are sold out."""
    rows = "".join(
        f"<li><div><div>{price} EUR</div><div>{state}</div></div></li>"
        for price, state in ((9, "In stock"), (7, "Sold out"))
    )
    first, second = (scope(document(rows), "li", at) for at in range(2))
    (reader,) = numbers_among_words(first, 9, DAYS)
    assert read(reader, second, DAYS) == 7
