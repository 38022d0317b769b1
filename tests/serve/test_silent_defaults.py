"""Where a page says nothing, what a model has by itself is not always what the page means."""

from collections.abc import Sequence
from typing import Any

import pytest

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.serve.by_silence import Marks
from crawloop_assets.serve.silent_defaults import (
    NOTHING,
    Default,
    HeardPage,
    SilentDefaults,
)

SOLD = Default(FieldSpec(name="sold", kind=FieldKind.BOOLEAN), False)
REVIEWS = Default(FieldSpec(name="reviews", kind=FieldKind.INTEGER), 0)
KEY = (FieldSpec(name="title"),)
NO_MARKS = Marks()


def vote(live: int, readers: int, *, silent: bool = False) -> FieldVote:
    return FieldVote(agreement=0.5, live_readers=live, readers=readers, silent=silent)


def page(
    name: str,
    value: Any,
    known: Sequence[dict[str, Any]] = (),
    *,
    silent: bool = True,
    torn: bool = False,
    by_mark: bool = False,
    unknown: str = "",
    facts: PageFacts | None = None,
) -> HeardPage:
    is_read = value is not None
    values: dict[str, Any] = {"title": "Lamp"} | ({name: value} if is_read else {})
    live = int(is_read or by_mark)
    said = vote(live, 1, silent=silent and not is_read)
    votes = {
        name: said.model_copy(update={"unknown": unknown}),
        "title": vote(1, 2 if torn else 1),
    }
    record = ExtractedRecord(values=values, votes=votes)
    return HeardPage(
        Extraction(records=(record,)), facts=facts or PageFacts(), known=tuple(known)
    )


def unknown(
    default: Default, read: Sequence[Any], known: Sequence[Any] = (), **page_is: bool
) -> list[bool]:
    """Of each page whether nobody knows what it says; the first ones are those that are known."""
    name = default.spec.name
    rows = [{"title": "Lamp", name: value} for value in known]
    pages = [
        page(name, one, rows[at : at + 1], **page_is) for at, one in enumerate(read)
    ]
    return unsaid(default, pages, rows)


def unsaid(
    default: Default,
    pages: Sequence[HeardPage],
    rows: Sequence[dict[str, Any]],
    marks: Marks = NO_MARKS,
) -> list[bool]:
    """The same of pages, and of the rows that are known."""
    name = default.spec.name
    urls = {f"http://shop.test/{at}": [row] for at, row in enumerate(rows)}
    found = SilentDefaults.among(pages, urls, [default], marks, KEY)
    said = []
    for one in pages:
        before = one.extraction.records[0].votes
        votes = found.marked(one.extraction, one.known, KEY).records[0].votes
        assert votes["title"] == before["title"]
        assert votes[name].unknown in ("", NOTHING, before[name].unknown)
        said.append(votes[name].unknown == NOTHING)
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
    assert not any(unknown(SOLD, [None], [True], silent=False, torn=True))


@pytest.mark.parametrize(
    ("had", "has", "is_gone"), [(10, 0, True), (9, 0, False), (10, 1, False)]
)
def test_a_badge_that_many_had_and_none_has_is_no_other_side(
    had: int, has: int, is_gone: bool
) -> None:
    known = [True] * had + [False] * 3
    read = [True] * has + [None] * (14 - has)
    found = unknown(SOLD, read, known, silent=False)
    assert found == [False] * has + [is_gone] * (14 - has)


def badges(
    kept: int, *steps: tuple[int, ...], word: str = "", more: str = ""
) -> tuple[list[HeardPage], list[dict[str, Any]]]:
    """Six pages, of which three had a badge that `kept` of them still have; the `steps` of those that
    have none, and of the others, and `word` on the first, on which there may be `more`."""
    rows = [{"title": "Lamp", "sold": at < 3} for at in range(6)]
    lost, others = steps
    pages = []
    for at, row in enumerate(rows):
        had = at < 3
        stands = {word: had, more: True} if word else {}
        facts = PageFacts(template=lost if had else others, stands=stands)
        read = True if at < kept else None
        pages.append(page("sold", read, [row], silent=False, facts=facts))
    return pages, rows


def test_a_badge_of_another_look_is_shown_where_only_pages_that_had_one_have_it() -> (
    None
):
    pages, rows = badges(0, (1, 2, 7), (1, 2))
    assert unsaid(SOLD, pages, rows) == [True] * 6
    assert not any(unsaid(SOLD, *badges(0, (1, 2), (1, 2))))
    assert not any(unsaid(SOLD, *badges(0, (1, 2), (1, 2, 7)))), "of the others"
    assert not any(unsaid(SOLD, *badges(1, (1, 2, 7), (1, 2)))), "two are few"
    few = pages[:5], rows[:5]
    assert not any(unsaid(SOLD, *few)), "so are two without"


def test_a_badge_is_shown_where_its_words_are_on_the_pages_that_had_it() -> None:
    marks = Marks(words={"sold": {"soldout"}})
    pages, rows = badges(0, (1,), (1,), word="soldout", more="sale")
    assert unsaid(SOLD, pages, rows, marks) == [True] * 6
    everywhere = Marks(words={"sold": {"sale"}})
    assert not any(unsaid(SOLD, pages, rows, everywhere))
    assert not any(unsaid(SOLD, pages, rows, Marks(words={"title": {"soldout"}})))


def test_the_words_of_a_badge_are_looked_for_in_the_row_that_had_it() -> None:
    """On a page of other rows, and of rows of which nothing is known."""
    marks = Marks(words={"sold": {"soldout"}})
    rows = [{"title": f"Lamp {at}", "sold": at < 3} for at in range(6)]
    votes = {"title": vote(1, 1), "sold": vote(0, 1)}
    titles = [*(row["title"] for row in reversed(rows)), "Lamp 9"]
    records = [ExtractedRecord(values={"title": one}, votes=votes) for one in titles]
    for unread, expected in (((3, 4, 5), True), ((4, 5), False), ((2, 3, 4, 5), False)):
        facts = PageFacts(
            template=(1, 7),
            stands={"soldout": True},
            unread=dict.fromkeys(unread, ("soldout",)),
        )
        listed = HeardPage(
            Extraction(records=tuple(records)), facts=facts, known=tuple(rows)
        )
        known = {"http://shop.test/": rows}
        found = SilentDefaults.among([listed], known, [SOLD], marks, KEY)
        assert found.lost == (frozenset({"sold"}) if expected else frozenset())


def test_where_a_mark_is_gone_its_want_says_nothing_of_new_pages_either() -> None:
    pages, rows = badges(0, (1, 7), (1,))
    new = page("sold", False, by_mark=True)
    assert unsaid(SOLD, [*pages, new], rows, Marks({"sold": True})) == [True] * 7
    assert unsaid(SOLD, [*pages, new], rows) == [True] * 6 + [False]
    marked = page("sold", True, by_mark=True)
    assert not unsaid(SOLD, [*pages, marked], rows, Marks({"sold": True}))[-1]


@pytest.mark.parametrize(("known", "expected"), [(True, True), (False, False)])
def test_a_version_without_a_reader_of_a_badge_does_not_say_that_there_is_none(
    known: bool, expected: bool
) -> None:
    """A heal left the badge out, as nothing was proved: all that had it were published as
    without."""
    record = ExtractedRecord(values={"title": "Lamp"}, votes={"title": vote(1, 1)})
    bare = Extraction(records=(record,))
    rows = [{"title": "Lamp", "sold": known}]
    page_of = HeardPage(bare, facts=PageFacts(), known=tuple(rows))
    found = SilentDefaults.among([page_of], {"u": rows}, [SOLD], NO_MARKS, KEY)
    marked = found.marked(bare, rows, KEY).records[0]
    assert (marked.unknown_fields == {"sold"}) is expected


def test_what_no_reader_knows_is_said_as_it_stands_there() -> None:
    pages, rows = badges(0, (1, 7), (1,))
    reserved = page("sold", None, silent=False, unknown="Reserved")
    assert not unsaid(SOLD, [*pages, reserved], rows)[-1]


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
