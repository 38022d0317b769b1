import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bench.store_soak.compare import compare
from bench.store_soak.fire import Course, Soak
from bench.store_soak.ground import Ground
from bench.store_soak.harms import SABOTAGE, sabotage
from bench.store_soak.watch import Watch
from crawloop_assets.store import Store
from crawloop_assets.store.file_db import FileDatabase


@pytest.fixture(scope="module")
def soaked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Soak]:
    """A store after a few seconds of fire."""
    ground = Ground(tmp_path_factory.mktemp("soak"))
    course = Course(seconds=3, writers=2, readers=1, round_s=3)
    with ground.disk():
        soak = Soak(ground, course)
        soak.run()
        yield soak


def copied(soak: Soak, tmp_path: Path) -> Path:
    home = tmp_path / "home"
    shutil.copytree(soak.ground.home, home)
    return home


def published(home: Path) -> Path:
    return Store(home / "var", home / "crawloop.duckdb").publish()


def test_nothing_acknowledged_is_lost_when_writers_are_killed(soaked: Soak) -> None:
    result = soaked.result
    assert result.clean, list(result.lines())
    did = result.did
    assert did["commits acknowledged"] and did["kills"] and did["reads"]
    assert result.findings.compared


@pytest.mark.parametrize("kind", SABOTAGE)
def test_the_oracle_sees_what_was_harmed_on_purpose(
    soaked: Soak, tmp_path: Path, kind: str
) -> None:
    home = copied(soaked, tmp_path)
    assert not compare(home / "crawloop.duckdb", soaked.oracle).bad
    sabotage(home, kind)
    assert getattr(compare(published(home), soaked.oracle), kind)


def test_a_reader_sees_a_file_that_holds_less_than_the_one_before(
    soaked: Soak, tmp_path: Path
) -> None:
    home, reader = copied(soaked, tmp_path), Watch()
    reader.look(home / "crawloop.duckdb")
    assert reader.sight.said == []
    sabotage(home, "lost")
    shutil.copy(published(home), tmp_path / "newer")
    reader.look(tmp_path / "newer")
    reader.look(soaked.ground.published)
    assert reader.sight.less == 1 and reader.sight.torn == 1


@pytest.mark.parametrize("is_told", [False, True])
def test_no_version_has_to_be_active_before_one_is_told_to_be_promoted(
    soaked: Soak, tmp_path: Path, *, is_told: bool
) -> None:
    home = copied(soaked, tmp_path)
    with FileDatabase(home / "var").write() as connection:
        connection.execute("update crawlers set status = 'retired'")
    oracle = replace(soaked.oracle, has_promoted=is_told)
    assert compare(published(home), oracle).lost == is_told
