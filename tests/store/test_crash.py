from pathlib import Path

from bench.store_soak import soak


def test_nothing_acknowledged_is_lost_when_writers_are_killed(tmp_path: Path) -> None:
    result = soak(tmp_path, seconds=4)
    assert result.clean, result
    assert result.acknowledged > 5 and result.kills > 5 and result.reads > 5
