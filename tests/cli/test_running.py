"""`crawloop init`, `demo`, `dev`, `shop` and `replay`: started as processes of their own."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import httpx
import pytest
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.errors import ConfigError, StoreFailed
from crawloop_assets.pipeline.launch import free_port
from tests.store.losses import base, log
from tests.world import lay_out


def test_the_shop_serves_until_it_is_asked_to_stop(tmp_path: Path) -> None:
    port = free_port()
    start = "from crawloop_assets.cli.app import main; main()"
    shop = subprocess.Popen(
        [sys.executable, "-c", start, "shop", "--port", str(port)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )
    assert shop.stdout is not None
    try:
        assert f":{port}" in shop.stdout.readline()
        answer = httpx.get(f"http://127.0.0.1:{port}/", headers={"host": "shop.test"})
        assert answer.status_code == 200 and "<html" in answer.text
        # Not Ctrl-C: where tests run in the background, children ignore it.
        shop.terminate()
        assert shop.wait(20) == 143
    finally:
        shop.kill()
        shop.wait(20)
        shop.stdout.close()


def test_a_replay_asks_for_a_folder_that_is_there(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["replay", str(tmp_path / "none"), "shop/item"])
    assert result.exit_code == 2
    assert "Invalid value" in result.output


@pytest.mark.parametrize("command", ["demo", "dev", "shop"])
def test_a_port_is_a_number(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--port", "http"])
    assert result.exit_code == 2
    assert "valid integer" in result.output


@pytest.mark.parametrize("command", ["demo", "dev", "shop", "metrics"])
@pytest.mark.parametrize("port", ["-1", "65536", "99999999999999999999"])
def test_a_port_is_one_of_a_machine(command: str, port: str) -> None:
    result = CliRunner().invoke(app, [command, "--port", port])
    assert result.exit_code == 2
    assert "65535" in result.output or "greater than or equal to 0" in result.output


def test_dev_says_at_once_that_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object, **__: object) -> NoReturn:
        raise ConfigError("this takes half a minute")

    monkeypatch.setattr("crawloop_assets.pipeline.launch.dagster_processes", busy)
    monkeypatch.setenv("CRAWLOOP_HOME", str(lay_out(tmp_path / "project").root))
    result = CliRunner().invoke(app, ["dev"])
    assert result.output.startswith("starting the Dagster UI and daemon")


@pytest.mark.parametrize("harm", ["damaged", "lost"])
def test_dev_does_not_start_on_a_store_that_no_run_can_use(
    home: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    def started(*_: object, **__: object) -> NoReturn:
        raise AssertionError("every run would fail")

    monkeypatch.setattr("crawloop_assets.pipeline.launch.dagster_processes", started)
    if harm == "damaged":
        base(home).write_bytes(b"no database" * 1000)
    else:
        log(home).unlink()
    with pytest.raises(StoreFailed, match=r"crawloop (doctor|restore)"):
        CliRunner().invoke(app, ["dev"], catch_exceptions=False)


def test_init_says_what_it_wrote_and_what_was_there(tmp_path: Path) -> None:
    folder = tmp_path / "books"
    first = CliRunner().invoke(app, ["init", str(folder)])
    assert first.exit_code == 0
    assert "+ definitions.py" in first.output and "README.md says" in first.output
    again = CliRunner().invoke(app, ["init", str(folder), "--shop"])
    assert "definitions.py (was there, left as it is)" in again.output
    assert "+ families/shop_product.yaml" in again.output
