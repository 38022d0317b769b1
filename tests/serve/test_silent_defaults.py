"""Where a page says nothing, what a model has by itself is not always what the page means."""

from collections.abc import Sequence
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.drift import PageFacts
from crawloop_assets.errors import CrawlerRaised
from crawloop_assets.sandbox import Extracted, JobError
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.serve.silent_defaults import NOTHING, Default, SilentDefaults

SOLD = Default(FieldSpec(name="sold", kind=FieldKind.BOOLEAN), False)
REVIEWS = Default(FieldSpec(name="reviews", kind=FieldKind.INTEGER), 0)
KEY = (FieldSpec(name="title"),)


def vote(live: int, readers: int, *, silent: bool = False) -> FieldVote:
    return FieldVote(agreement=0.5, live_readers=live, readers=readers, silent=silent)


def page(
    name: str, value: Any, *, silent: bool = True, torn: bool = False
) -> Extracted:
    is_read = value is not None
    values: dict[str, Any] = {"title": "Lamp"} | ({name: value} if is_read else {})
    votes = {
        name: vote(int(is_read), 1, silent=silent and not is_read),
        "title": vote(1, 2 if torn else 1),
    }
    record = ExtractedRecord(values=values, votes=votes)
    return Extracted(extraction=Extraction(records=(record,)), facts=PageFacts())


def unknown(
    default: Default, read: Sequence[Any], known: Sequence[Any] = (), **page_is: bool
) -> list[bool]:
    """Of each page whether nobody knows what it says; the first ones are those that are known."""
    name = default.spec.name
    answers: list[Extracted | JobError] = [page(name, one, **page_is) for one in read]
    rows = [{"title": "Lamp", name: value} for value in known]
    urls = {f"http://shop.test/{at}": [row] for at, row in enumerate(rows)}
    found = SilentDefaults.among([*answers, CrawlerRaised("no")], urls, [default])
    said = []
    for at, value in enumerate(read):
        left = found.marked(
            page(name, value, **page_is).extraction, rows[at : at + 1], KEY
        )
        votes = left.records[0].votes
        assert (
            votes["title"]
            == page(name, value, **page_is).extraction.records[0].votes["title"]
        )
        assert votes[name].unknown in ("", NOTHING)
        said.append(bool(votes[name].unknown))
    return said


@pytest.mark.parametrize(
    ("flags", "known", "expected"),
    [
        # What an API leaves out is not so, as long as nothing there says that it is not.
        ([True, None, None], [], [False, False, False]),
        ([True, None, None], [True, True, False], [False, False, False]),
        ([None], [True], [False]),
        # The words for both sides stand on pages beside it.
        ([True, False, None], [], [False, False, True]),
        ([False, None], [False, False], [False, True]),
        # What was known of many is read of few any more.
        ([None, None, None], [True, True, True], [True, True, True]),
        ([True, None, None, None], [True, True, True], [False, True, True, True]),
        ([None, None], [True, True], [False, False]),
        ([True, True, None], [True, True, True], [False, False, False]),
        # Nobody knows of another side than what the model has.
        ([None, None], [False, None], [False, False]),
        ([None], [], [False]),
    ],
)
def test_silence_is_a_side_only_where_nothing_says_the_other_in_words(
    flags: list[bool | None], known: list[bool | None], expected: list[bool]
) -> None:
    assert unknown(SOLD, flags, known) == expected


def test_a_badge_that_is_wanting_says_the_other_side() -> None:
    assert not any(unknown(SOLD, [True, False, None], [True], silent=False))


@pytest.mark.parametrize(
    ("known", "torn", "expected"),
    [(True, True, True), (True, False, False), (False, True, False)],
)
def test_of_a_page_with_other_silent_readers_silence_is_no_news(
    known: bool, torn: bool, expected: bool
) -> None:
    assert unknown(SOLD, [None], [known], torn=torn) == [expected]


@pytest.mark.parametrize(
    ("counts", "known", "expected"),
    [
        # A product without a review is shown without a count.
        ([4, 0, None], [], [False, False, False]),
        ([4, None, None], [4, 0, 2], [False, False, False]),
        ([None, None, None], [4, 3, 2], [True, True, True]),
        ([None, None, None], [0, 0, 0], [False, False, False]),
    ],
)
def test_a_count_that_nobody_shows_is_none_unless_many_had_one(
    counts: list[int | None], known: list[int], expected: list[bool]
) -> None:
    assert unknown(REVIEWS, counts, known) == expected


def test_a_model_has_something_by_itself_or_not() -> None:
    assert SOLD.is_something() and REVIEWS.is_something()
    assert not SOLD._replace(value=None).is_something()
