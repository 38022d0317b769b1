"""Finding a Chromium, and ending what was started, without any Chromium."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

from crawloop_assets.access.chromium.launch import (
    Chromium,
    end,
    find_chromium,
    has_driver,
    running,
)
from crawloop_assets.errors import ConfigError
from tests.access.chromium import driver as driver_module

DRIVER = "tests.access.chromium.driver"


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser."""
    monkeypatch.delenv("CRAWLOOP_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "browsers"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


def program(file: Path, mode: int = 0o755) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n")
    file.chmod(mode)
    return str(file)


def test_on_a_machine_without_a_browser_there_is_none() -> None:
    assert find_chromium() == ""


def test_a_named_browser_outranks_all(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(nowhere / "bin" / "chromium")
    named = program(nowhere / "mine")
    monkeypatch.setenv("CRAWLOOP_CHROMIUM", named)
    assert find_chromium() == named


def test_a_named_browser_that_is_none_is_not_replaced(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(nowhere / "bin" / "chromium")
    monkeypatch.setenv("CRAWLOOP_CHROMIUM", str(nowhere / "missing"))
    assert find_chromium() == ""


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_one_on_the_path_is_found(nowhere: Path, name: str) -> None:
    found = program(nowhere / "bin" / name)
    assert find_chromium() == found


def test_of_playwrights_own_the_newest_is_taken(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for build in ("chromium-1000", "chromium-1100"):
        program(nowhere / "browsers" / build / "chrome-linux" / "chrome")
    assert "chromium-1100" in find_chromium()
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH")
    assert find_chromium() == ""
    own = nowhere / "home" / ".cache" / "ms-playwright" / "chromium-1"
    program(own / "chrome-linux64" / "chrome")
    assert find_chromium() == str(own / "chrome-linux64" / "chrome")


def test_a_driver_is_a_package_that_is_installed() -> None:
    assert has_driver("asyncio")
    assert not has_driver("no_such_driver")


@contextmanager
def process(mark: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that carries a mark in its command line."""
    command = [sys.executable, "-c", "import time; time.sleep(60)", mark]
    started = subprocess.Popen(command)
    try:
        while not running(mark):
            time.sleep(0.01)
        yield started
    finally:
        started.kill()
        started.wait()


def test_only_processes_with_the_whole_mark_are_ended() -> None:
    mark = f"--mark={uuid4().hex}"
    with process(mark) as marked, process(f"{mark}-longer") as other:
        assert running(mark) == [marked.pid]
        end(mark)
        assert marked.wait(10) == -9
        assert other.poll() is None
        assert running(mark) == []
    end(mark)


# --- a browser, by a driver that starts none


ASYNC = pytest.mark.anyio


@ASYNC
async def test_a_browser_is_started_behind_the_proxy_and_closed(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = program(nowhere / "bin" / "chromium")
    with driver_module.fresh() as state:
        chromium = await Chromium.start(DRIVER, "127.0.0.1:99", "pin=")
        assert chromium.alive
        assert chromium.pages == 0
        (options,) = state.launches
        assert state.programs[0].rstrip().endswith(f'exec {path} "$@"')
        assert not Path(options["executable_path"]).exists()
        assert options["headless"] is True
        assert "--proxy-server=http://127.0.0.1:99" in options["args"]
        assert "--proxy-bypass-list=<-loopback>" in options["args"]
        assert "--ignore-certificate-errors-spki-list=pin=" in options["args"]
        assert options["args"][-1].startswith("--crawloop-browser=")
        assert not options["handle_sigint"]
        await chromium.close()
        assert not chromium.alive
        assert state.stopped == 1


@ASYNC
async def test_a_browser_that_cannot_be_started_names_its_path() -> None:
    with driver_module.fresh() as state:
        state.launch_error = "no display\nand more"
        with pytest.raises(ConfigError) as caught:
            await Chromium.start(DRIVER, "127.0.0.1:99", "pin=")
        assert "Chromium cannot be started: no display" in str(caught.value)
        assert "and more" not in str(caught.value)
        assert "CRAWLOOP_CHROMIUM" in (caught.value.hint or "")
        assert state.stopped == 1


@ASYNC
async def test_closing_ends_by_force_what_does_not_end_by_itself(nowhere: Path) -> None:
    with driver_module.fresh() as state:
        chromium = await Chromium.start(DRIVER, "127.0.0.1:99", "pin=")
        state.close_error = "gone already"
        mark = state.launches[0]["args"][-1]
        with process(mark) as left:
            await chromium.close()
            assert left.wait(10) == -9
        assert state.stopped == 1
