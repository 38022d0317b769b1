"""When to ask again."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest

from crawloop_assets.access.retry import Patience, is_transient, retry_after

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2", 2.0),
        (" 120 ", 120.0),
        ("1.5", 1.5),
        ("Sun, 01 Mar 2026 12:00:30 GMT", 30.0),
        ("Sun, 01 Mar 2026 11:59:00 GMT", None),
        ("0", None),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("9" * 400, None),
        ("Sun, 99 Mar 2026 12:00:30 GMT", None),
    ],
)
def test_retry_after_in_seconds_and_as_a_date(text: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": text}, NOW) == seconds


def test_a_date_is_read_by_the_servers_own_clock() -> None:
    headers = {
        "retry-after": "Sun, 01 Mar 2026 09:00:05 GMT",
        "date": "Sun, 01 Mar 2026 09:00:00 GMT",
    }
    assert retry_after(headers, NOW) == 5.0


def test_pauses_grow_in_spite_of_jitter_and_end() -> None:
    patience = Patience(base_s=1, max_s=60)
    for _ in range(50):
        pauses = [patience.pause_s(tries) for tries in range(1, 6)]
        assert all(later > sooner for sooner, later in pairwise(pauses))
        assert 1 <= pauses[0] <= 1.25
    assert patience.pause_s(30) == 60


def test_what_passes_and_what_does_not() -> None:
    assert all(map(is_transient, (408, 425, 429, 500, 502, 503, 504, 522)))
    assert not any(map(is_transient, (200, 301, 400, 401, 403, 404, 410, 451)))
