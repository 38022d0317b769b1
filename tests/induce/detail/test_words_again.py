"""Choices in the words of before, in another place."""

import pytest

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.detail.choices import mapped_choices
from crawloop_assets.induce.detail.words_again import words_again
from crawloop_assets.schema import FieldKind, FieldSpec
from tests.induce.healing.unnamed import known_pages

FREE = FieldSpec(name="free", kind=FieldKind.BOOLEAN, volatile=True)
WORDS = {True: "A room is left", False: "All full"}
OLD = Reader(
    src=Source.CSS,
    at=".state",
    pipe=tuple(Step(op=Op.MAP, args=(said, str(one))) for one, said in WORDS.items()),
)
KNOWN = (True, False, True, False, True, False)
NOW = (False, True, True, False, True, False)
"""Two of six are other ones by now."""


def rows(*more: str) -> list[tuple[bool, list[str]]]:
    """Of each page what is known, and its lines: its name, what it says now, and more."""
    pairs = enumerate(zip(KNOWN, NOW, strict=True))
    return [(known, [f"Hut {at}", WORDS[now], *more]) for at, (known, now) in pairs]


def test_the_place_of_the_same_words_is_found_though_many_say_the_other_one() -> None:
    pages = known_pages(rows("Open all year"))
    assert mapped_choices(pages, FREE, [OLD]) == [], "too many have changed"
    found = words_again(pages, FREE, [OLD])
    assert found
    for each in found:
        said = [read(each.reader, Scope(page.document), FREE) for page in pages]
        assert said == list(NOW)


@pytest.mark.parametrize(
    ("spec", "old"),
    [
        (FREE.model_copy(update={"volatile": False}), OLD),
        (FREE, OLD.model_copy(update={"pipe": OLD.pipe[:1]})),
        (FREE, OLD.model_copy(update={"pipe": ()})),
        (FieldSpec(name="free", volatile=True), OLD),
    ],
    ids=["lasting", "one word", "no words", "a text"],
)
def test_what_never_changes_or_has_no_two_words_is_not_found_by_them(
    spec: FieldSpec, old: Reader
) -> None:
    assert words_again(known_pages(rows()), spec, [old]) == []


def test_two_places_of_the_same_words_are_told_apart_by_nothing() -> None:
    told = [
        (known, [*lines, WORDS[at % 3 == 0]])
        for at, (known, lines) in enumerate(rows())
    ]
    assert words_again(known_pages(told), FREE, [OLD]) == []


def test_a_place_where_most_say_the_other_one_is_another_fields() -> None:
    told = [(not known, lines) for known, lines in rows()]
    assert words_again(known_pages(told), FREE, [OLD]) == []
