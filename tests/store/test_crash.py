from pathlib import Path

from bench.store_soak import soak


def test_nothing_acknowledged_is_lost_when_writers_are_killed(tmp_path: Path) -> None:
    result = soak(tmp_path, seconds=4)
    assert result.clean, result
    assert result.acknowledged and result.kills and result.reads
