"""Where both sides of a flag are said, or were, a page that says neither says nothing of it."""

from collections.abc import Sequence
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.drift import PageFacts
from crawloop_assets.errors import CrawlerRaised
from crawloop_assets.sandbox import Extracted, JobError
from crawloop_assets.serve.silent_flags import NEITHER, SilentFlags

DEFAULTS = {"sold": False}


def page(flag: bool | None, *, silent: bool = True) -> Extracted:
    values: dict[str, Any] = {"title": "Lamp"} | (
        {} if flag is None else {"sold": flag}
    )
    vote = FieldVote(
        agreement=float(flag is not None),
        live_readers=int(flag is not None),
        readers=1,
        silent=flag is None and silent,
    )
    record = ExtractedRecord(values=values, votes={"sold": vote, "title": vote})
    return Extracted(extraction=Extraction(records=(record,)), facts=PageFacts())


def unknown(
    flags: Sequence[bool | None], known: Sequence[bool | None] = (), silent: bool = True
) -> list[bool]:
    """Of each page whether no reader knows what it says."""
    answers: list[Extracted | JobError] = [page(one, silent=silent) for one in flags]
    rows = [{"title": "Lamp", "sold": flag} for flag in known]
    answers.append(CrawlerRaised("no"))
    found = SilentFlags.among(answers, {"http://shop.test/1": rows}, DEFAULTS)
    marked = [found.marked(page(one, silent=silent).extraction) for one in flags]
    said = [one.records[0].votes["sold"].unknown for one in marked]
    assert set(said) <= {"", NEITHER}
    assert not any(one.records[0].votes["title"].unknown for one in marked)
    return list(map(bool, said))


@pytest.mark.parametrize(
    ("flags", "known", "expected"),
    [
        # What an API leaves out is not so, as long as nothing there says that it is not.
        ([True, None, None], [], [False, False, False]),
        ([True, None, None], [True, True, False], [False, False, False]),
        # The words for both sides stand on pages beside it.
        ([True, False, None], [], [False, False, True]),
        ([False, None], [False, False], [False, True]),
        # What was known is read on no page any more.
        ([None, None, None], [True, False], [True, True, True]),
        ([None], [True], [True]),
        # Nobody knows of another side than what the model has.
        ([None, None], [False, None], [False, False]),
        ([None], [], [False]),
    ],
)
def test_silence_is_a_side_only_where_nothing_says_the_other_in_words(
    flags: list[bool | None], known: list[bool | None], expected: list[bool]
) -> None:
    assert unknown(flags, known) == expected


def test_a_badge_that_is_wanting_says_the_other_side() -> None:
    assert not any(unknown([True, False, None], [True], silent=False))
