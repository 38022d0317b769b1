"""`crawloop schema`."""

import json

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from tests.cli.conftest import Say


def test_the_schemas_are_written_into_the_project(project: Project, say: Say) -> None:
    said = say("schema")
    file = project.root / "editor" / "family.json"
    assert str(file) in said.replace("\n", "")
    assert json.loads(file.read_text())["title"] == "Family"
    assert str(file) not in say("schema"), "there is nothing left to do"


def test_one_of_them_is_printed_as_it_is(say: Say) -> None:
    assert json.loads(say("schema", "domains"))["title"] == "Domains"
    with pytest.raises(ConfigError, match=r"did you mean 'family'"):
        say("schema", "famly")
