"""A published table held against what is known of the pages."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawloop_assets.eval.schemas import Quote
from crawloop_assets.family import Family
from crawloop_assets.replay.server import ReplayFamily
from crawloop_assets.replay.verdict import Cell, Judge, Judgement, ServedState
from crawloop_assets.store import (
    BatchCommit,
    HeldPage,
    HeldReason,
    ServedBy,
    ServedPage,
    Store,
)
from tests.replay.conftest import ONE, TWO

MOMENT = datetime(2026, 1, 5, 12, tzinfo=UTC)
FAMILY = Family.model_validate(
    {
        "family": "quotes",
        "schema": "crawloop_assets.eval.schemas:Quote",
        "kind": "listing",
        "key": ["text"],
        "discover": {},
    }
)
FIRST = Quote(text="First words", author="Ada")
SECOND = Quote(text="Second words", author="Ada")


def served(*records: Quote, by: ServedBy = ServedBy.CRAWLER) -> ServedPage:
    return ServedPage(
        url=ONE,
        page_sha256="a" * 64,
        fetched_at=MOMENT,
        version=2,
        served_by=by,
        records=records,
    )


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "var", tmp_path / "crawloop.duckdb")


@pytest.fixture
def judged(
    store: Store, quotes: ReplayFamily, tmp_path: Path
) -> Callable[..., Judgement]:
    """Publish pages one after the other, and judge what is there then."""

    def judge(*pages: ServedPage, after: bool = False) -> Judgement:
        for number, page in enumerate(pages):
            commit = BatchCommit(
                family=FAMILY, batch="000001", run_id=f"run{number}", served=[page]
            )
            store.commit_batch(commit)
        store.publish()
        return Judge(quotes, FAMILY, store, tmp_path / "crawloop.duckdb").judge(
            after=after
        )

    return judge


def states(judgement: Judgement) -> dict[tuple[int, str], str]:
    return {(cell.row, cell.field): cell.state.value for cell in judgement.cells}


def test_what_is_known_and_published_is_right(judged: Callable[..., Judgement]) -> None:
    judgement = judged(served(SECOND, FIRST))
    assert judgement.counts == {ServedState.RIGHT: 4}
    assert judgement.extra_rows == 0
    first = judgement.cells[0]
    assert (first.url, first.page, first.own) == (ONE, "old", True)
    assert (first.known, first.published, first.by) == (
        "First words",
        "First words",
        "crawler v2",
    )


def test_a_wrong_value_is_unsure_where_the_page_does_not_show_the_known_one(
    judged: Callable[..., Judgement],
) -> None:
    judgement = judged(served(FIRST, Quote(text="Second words", author="Bob")))
    assert states(judgement) == {
        (0, "text"): "right",
        (0, "author"): "right",
        (1, "text"): "right",
        (1, "author"): "unsure",
    }


def test_a_wrong_value_that_stands_on_the_page_is_wrong(
    judged: Callable[..., Judgement],
) -> None:
    judgement = judged(served(FIRST, Quote(text="Scrambled", author="Ada")))
    assert states(judgement)[(1, "text")] == "wrong"
    assert states(judgement)[(1, "author")] == "right"


def test_rows_that_nothing_is_known_of_are_counted(
    judged: Callable[..., Judgement],
) -> None:
    stranger = Quote(text="Nobody said this", author="Zed")
    judgement = judged(served(FIRST, SECOND, stranger))
    assert (judgement.extra_rows, len(judgement.cells)) == (1, 4)


def test_a_page_without_rows_is_absent_or_held(
    store: Store, judged: Callable[..., Judgement]
) -> None:
    assert set(judged(served(FIRST), after=True).counts) == {
        ServedState.RIGHT,
        ServedState.ABSENT,
    }
    held = HeldPage(
        url=TWO,
        page_sha256="b" * 64,
        version=2,
        reasons=[HeldReason(check="coverage", message="gone")],
    )
    store.commit_batch(
        BatchCommit(family=FAMILY, batch="000002", run_id="held", held=[held])
    )
    judgement = judged(after=True)
    later = [cell for cell in judgement.cells if cell.url == TWO]
    assert {cell.state for cell in later} == {ServedState.HELD}
    assert not any(cell.own for cell in later)


def test_rows_of_the_last_good_reading_are_kept(
    judged: Callable[..., Judgement],
) -> None:
    judgement = judged(served(FIRST, SECOND), served(by=ServedBy.LAST_GOOD))
    assert judgement.counts == {ServedState.KEPT: 4}


def test_the_judgement_of_new_pages_only() -> None:
    def cell(own: bool) -> Cell:
        return Cell(
            url=ONE,
            page="a",
            row=0,
            field="text",
            state=ServedState.RIGHT,
            grounded=True,
            own=own,
            known="x",
        )

    whole = Judgement(cells=(cell(True), cell(False), cell(True)), extra_rows=3)
    assert len(whole.of(own=True).cells) == 2
    assert whole.of(own=False) == Judgement(cells=(cell(False),))


def read_pages(judgement: Judgement) -> list[tuple[str, bool, bool]]:
    return [(page.url, page.right, page.held) for page in judgement.pages]


SCRAMBLED = Quote(text="Scrambled", author="Ada")


@pytest.mark.parametrize(
    ("pages", "read"),
    [
        ([served(FIRST, SECOND)], [(ONE, True, False)]),
        ([served(FIRST, SCRAMBLED)], [(ONE, False, False)]),
        # What was kept was not read.
        ([served(FIRST, SECOND), served(by=ServedBy.LAST_GOOD)], []),
    ],
)
def test_a_page_is_read_right_if_every_value_is(
    judged: Callable[..., Judgement],
    pages: list[ServedPage],
    read: list[tuple[str, bool, bool]],
) -> None:
    assert read_pages(judged(*pages)) == read


def test_a_page_that_was_read_right_may_be_held(
    store: Store, judged: Callable[..., Judgement]
) -> None:
    held = HeldPage(
        url=TWO,
        page_sha256="b" * 64,
        version=2,
        reasons=[HeldReason(check="history", message="another one")],
        values=[{"text": "Last words", "author": "Ada"}],
    )
    store.commit_batch(
        BatchCommit(family=FAMILY, batch="000002", run_id="held", held=[held])
    )
    assert read_pages(judged(after=True)) == [(TWO, True, True)]


def test_what_was_known_before_and_is_wrong_now_was_witnessed(
    judged: Callable[..., Judgement],
) -> None:
    judgement = judged(served(FIRST, Quote(text="Scrambled", author="Ada")), after=True)
    first, second = judgement.cells[0], judgement.cells[2]
    assert (first.known, first.witnessed) == ("First words", True)
    # The words of the second row came with the redesign.
    assert (second.known, second.witnessed) == ("Third words", False)
    assert judgement.wrong == [second]
