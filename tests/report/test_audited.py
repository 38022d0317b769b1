"""What an event of the audit says of itself."""

import pytest

from crawloop_assets.report.audited import said_of_event


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        ({}, ""),
        (
            {"version": 2, "before": None, "who": "ada", "why": "seen"},
            "version 2, seen, by ada",
        ),
        (
            {"wave": "heal1", "batches": {"000001": "run", "000002": "run"}},
            "wave heal1, batches: 000001, 000002",
        ),
        (
            {
                "wave": None,
                "pages": ["http://shop.test/product/first-of-all"] * 12,
                "red": "223dd6",
                "signs": ["schema: "],
                "layouts": [[1, 2]],
                "declared": "9c790916e0722",
            },
            "pages: 12, signs: schema",
        ),
        (
            {"table": "event", "columns": {"title": "VARCHAR"}, "is_new": True},
            "table event, columns: title, new",
        ),
        ({"is_new": False, "kept": 1}, "kept 1"),
        ({"broken": ["no rows for 3 d", "no price"]}, "no rows for 3 d, no price"),
        ({"sentence": "one\nline"}, "one line"),
        ({"why": "word " * 100}, ("word " * 79).strip() + " …"),
    ],
)
def test_the_detail_of_an_event_is_words(detail: dict[str, object], said: str) -> None:
    assert said_of_event(detail) == said


def test_what_the_page_says_elsewhere_is_left_out() -> None:
    assert said_of_event({"wave": "heal1", "version": 2}, ("wave",)) == "version 2"
