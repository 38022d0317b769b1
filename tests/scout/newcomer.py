"""A newcomer in an empty project, and the commands as they are typed."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.project import Project
from crawloop_assets.starter.project import init_project


def typed(*arguments: str, answers: str = "") -> Result:
    """What a command does, in this process."""
    return CliRunner().invoke(app, list(arguments), input=answers)


def rows_of_json(*arguments: str) -> list[dict[str, Any]]:
    """The records that `crawl --json` prints."""
    result = typed("crawl", *arguments, "--json")
    assert result.exit_code == 0, (result.output, result.exception)
    rows: list[dict[str, Any]] = json.loads(result.stdout)
    return rows


@contextmanager
def empty_project(folder: Path) -> Iterator[Project]:
    """A project as `init` makes it, whose `schemas` are found before all others."""
    made = init_project(folder).project
    others = {name for name in sys.modules if name.split(".")[0] == "schemas"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CRAWLOOP_HOME", str(folder))
        patch.setattr(sys, "path", [str(folder), *sys.path])
        for name in others:
            patch.delitem(sys.modules, name)
        yield made
        for name in [one for one in sys.modules if one.split(".")[0] == "schemas"]:
            del sys.modules[name]
