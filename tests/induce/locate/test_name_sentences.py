"""Sentences about what a page is called."""

import pytest

from crawloop_assets.crawler.read import Scope, read, transformed_texts
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.label_lines import behind_label, lines_behind_label
from crawloop_assets.induce.locate.name_sentences import names_in, said_of_names
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.document.build import document

PRICE = FieldSpec(name="price", kind=FieldKind.NUMBER)
LAMP, CHAIR = "Blue Lamp 40", "Oak Chair"


def page(name: str, *lines: str) -> Document:
    said = "".join(map("<p>{}</p>".format, lines))
    return document(f"<h1>{name}</h1><p>Free delivery.</p>{said}")


def read_again(first: Document, value: object, other: Document) -> set[object]:
    """What the readers of a price on one page give on another."""
    found = list(behind_label(first, value, PRICE))
    return {read(one, Scope(other), PRICE) for one in found}


@pytest.mark.parametrize(
    "sentence",
    [
        "The price of {} is {} €.",
        "{} costs {} €",
        "{} has {} rooms.",
        "For {} one pays {}",
    ],
)
def test_a_number_is_read_by_the_words_around_it_and_the_name(sentence: str) -> None:
    first = page(LAMP, sentence.format(LAMP, "12.50"), f"The age of {LAMP} is 12.5.")
    other = page(CHAIR, "A chair is 99.", sentence.format(CHAIR, "1,200.00"))
    assert read_again(first, "12.50", other) >= {"1200.00"}
    assert read_again(first, "12.51", other) == set()


def test_nothing_is_read_where_two_lines_have_the_words() -> None:
    first = page(LAMP, f"{LAMP} costs 12.50 €")
    two = page(CHAIR, f"{CHAIR} costs 20.00 €", "Delivery costs 5.00 €")
    assert read_again(first, "12.50", two) == {None}
    twice = page(LAMP, f"{LAMP} costs 12.50 €", f"{LAMP} costs 13.50 €")
    assert read_again(twice, "12.50", two) == set()


def test_what_a_sentence_says_of_a_name_is_one_of_the_lines_of_a_page() -> None:
    first = page(LAMP, f"The state of {LAMP} is brand new.", f"{LAMP}", f"A {LAMP} is")
    other = page(CHAIR, f"The state of {CHAIR} is worn.")
    found = list(lines_behind_label(first))
    read_on = [transformed_texts(one, Scope(other)) for one in found]
    assert read_on == [["worn"]]


def test_few_letters_and_short_names_tell_nothing() -> None:
    assert list(said_of_names([f"{LAMP} is 12"], [LAMP])) == []
    assert names_in(document("<h1>Egg</h1><h2>Blue Lamp</h2><h2>Other</h2>")) == [
        "Blue Lamp"
    ]


def test_many_words_make_no_pattern_that_no_program_may_have() -> None:
    line = f"{'. ' * 13}most{LAMP}{' .' * 11} 12{' .' * 12}"
    (found,) = said_of_names([line], [LAMP])
    assert (found.said, len(found.pipe)) == ("12", 3)
    assert list(said_of_names([f". {line}"], [LAMP])) == []
