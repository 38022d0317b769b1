"""What deploy/ says: its commands, started without the containers, heal a redesign with a real Postgres."""

import configparser
import re
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from crawloop_assets.pipeline.drive import Drive
from crawloop_assets.pipeline.launch import free_port
from tests.e2e.dagster_ui import Ui
from tests.e2e.services import (
    DEPLOY,
    PATIENCE_S,
    SERVICES,
    WORKER,
    answers,
    never_crawled,
    services,
)
from tests.world import KITCHEN, World

ROOT = Path(__file__).parents[2]
OURS = ("instance", "daemon", "webserver")


def module_of(command: list[str]) -> str:
    """What `python -m` is given."""
    return command[0]


@pytest.mark.parametrize("service", OURS)
def test_a_service_is_no_root_writes_nowhere_else_and_has_a_module(
    service: str,
) -> None:
    described = SERVICES[service]
    assert find_spec(module_of(described["command"]))
    assert described["read_only"] and described["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in described["security_opt"]


def test_the_image_runs_as_nobody_in_particular_with_what_pyproject_names() -> None:
    lines = (DEPLOY / "Dockerfile").read_text()
    last = lines[lines.rindex("FROM ") :]
    user = re.search(r"^USER (\d+)$", last, re.MULTILINE)
    assert user and int(user[1]) > 0
    extras = re.search(r'"\.\[([\w,-]+)\]"', lines)
    assert extras
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(extras[1].split(",")) <= set(declared["optional-dependencies"])
    command = re.search(r'^CMD \["([\w.]+)"', last, re.MULTILINE)
    assert command and find_spec(command[1])
    for copied in re.findall(r"^COPY ((?!--from).+) \S+$", lines, re.MULTILINE):
        assert all((ROOT / name).exists() for name in copied.split()), copied


@pytest.mark.parametrize("kind", ["daemon", "webserver", "worker"])
def test_a_unit_begins_one_half_again_when_it_ends(kind: str) -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "systemd" / f"crawloop-{kind}.service")
    service = unit["Service"]
    _, _, module, argument = service["ExecStart"].split()
    assert find_spec(module) and module.endswith(kind) and argument.isdigit()
    assert service["Restart"] == "always" and service["User"] != "root"


def test_its_dagster_file_differs_in_the_storage_alone() -> None:
    ours, shipped = (
        yaml.safe_load((folder / "dagster.yaml").read_text())
        for folder in (DEPLOY, ROOT)
    )
    assert ours.pop("storage") != shipped.pop("storage")
    assert ours == shipped


def test_its_dagster_file_for_workers_differs_in_the_launcher_alone() -> None:
    apart, ours = (
        yaml.safe_load((DEPLOY / name).read_text())
        for name in ("dagster-workers.yaml", "dagster.yaml")
    )
    assert apart.pop("run_launcher") != ours.pop("run_launcher")
    assert apart == ours


def test_a_worker_is_a_service_like_the_daemon() -> None:
    assert WORKER["extends"] == {"file": "compose.yaml", "service": "daemon"}
    assert find_spec(module_of(WORKER["command"]))


@pytest.fixture
def story(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    """A shop that was never crawled, in a project with the Dagster file of deploy/."""
    config = (DEPLOY / "dagster.yaml").read_text()
    with never_crawled(tmp_path_factory, config, monkeypatch) as made:
        yield made


@pytest.mark.e2e
@pytest.mark.long
def test_a_redesign_is_healed_by_one_wave_with_postgres(story: World) -> None:
    family, port = story.family, free_port()
    drive = Drive(f"http://127.0.0.1:{port}", story.instance)
    ui = Ui(drive, story.names)
    with services(story, port):
        drive.until(lambda: answers(drive), "the UI", PATIENCE_S)
        drive.wait([drive.discover(family)], PATIENCE_S)
        drive.wait([drive.refresh(family)], PATIENCE_S)
        assert ui.shown() == {"succeeded": story.batches}
        witness = story.witness()
        story.shop.redesign("B", KITCHEN)
        drive.wait([drive.refresh(family)], PATIENCE_S)
        drive.until(
            lambda: bool(ui.waves()) and not drive.red(family) and drive.idle(family),
            "green",
            PATIENCE_S,
        )
        assert ui.shown() == {"succeeded": story.batches}
        (wave,) = ui.waves()
        assert sorted(wave["partitionNames"]) == story.batches_of("kitchen")
        assert list(witness.faults(complete=False)) == []
    assert not list(story.project.var.glob("dagster/**/*.db")), "nothing beside it"
