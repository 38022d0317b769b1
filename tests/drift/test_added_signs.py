"""Texts that are what they ever were, but for words that many of them share."""

import pytest

from crawloop_assets.drift.added_signs import count_added_signs
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from tests.drift import small

SCHEMA = small.schema(small.SKU, small.TITLE)


def longer(*titles: str | None, **shapes: int) -> set[object]:
    """The titles that show the sign, where titles were written so, so often."""
    past = BatchStats(batch="b", categories={"shape:title": shapes or {"9-9": 10}})
    tallies = Tallies()
    page = small.outcome(*({"sku": "1", "title": title} for title in titles))
    count_added_signs(SCHEMA, [page], Norms([past]), tallies)
    assert not tallies.hits(Sign.ADDED, "sku"), "nothing is known of these"
    return {hit.got for hit in tallies.hits(Sign.ADDED, "title")}


def numbers(form: str) -> list[str]:
    """Numbers of cases within a text."""
    return [form.format(f"24-{number}") for number in range(117, 122)]


@pytest.mark.parametrize(
    "form",
    ["{} - Published", "No. {}", "{} (not for print)", "Case no. {}", "{}, amended"],
)
def test_words_that_no_text_had_before(form: str) -> None:
    assert longer(*numbers(form)) == set(numbers(form))


def test_some_have_these_and_some_have_those() -> None:
    titles = [*numbers("{} - Published")[:3], *numbers("{} - Unpublished")[3:]]
    assert longer(*titles) == set(titles)


def test_words_that_one_text_has_are_its_own() -> None:
    titles = ["24-1 a", "24-2 b", "24-3 c", "24-4 d", "24-5 e"]
    assert longer(*titles) == set()


def test_half_of_all_have_to_have_them() -> None:
    added, plain = numbers("{} - Published"), numbers("{}")
    assert longer(*added[:3], *plain[:3]) == set(added[:3])
    assert longer(*added[:3], *plain[:4]) == set()


@pytest.mark.parametrize(
    "titles",
    [numbers("{} - Published")[:4], [*numbers("{} - Published")[:4], None]],
    ids=["few", "few have one"],
)
def test_few_texts_say_nothing(titles: list[str | None]) -> None:
    assert longer(*titles) == set()


def test_it_has_to_be_known_how_they_are_written() -> None:
    added = numbers("{} - Published")
    assert longer(*added, **{"9-9": 9}) == set()
    assert longer(*added, **{"9-9": 9, "9-9 - a": 1}) == set(added)
    assert longer(*added, **{"9-9": 9, "9-9 - a": 2}) == set()


def test_another_text_is_no_longer_one() -> None:
    assert longer(*numbers("{}/A Published")) == set()
