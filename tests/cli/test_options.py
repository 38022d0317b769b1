"""What commands have in common."""

import getpass

from crawloop_assets.cli.options import opened, output, person
from crawloop_assets.project import Project
from tests.cli.conftest import PRODUCT


def test_into_a_pipe_nothing_is_wrapped() -> None:
    assert output().width == 200


def test_whoever_decides_is_named() -> None:
    assert person("ada") == "ada"
    assert person("") == getpass.getuser()


def test_a_command_works_on_the_project_it_is_called_in(project: Project) -> None:
    found, store = opened()
    assert found.root == project.root
    active = store.active(PRODUCT)
    assert active is not None and active.version == 2
