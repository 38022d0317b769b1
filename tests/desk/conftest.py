"""A project with the town of goods: red, with a version that waits for review."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from crawloop_assets.desk.acts import Done, perform
from crawloop_assets.desk.desk import Desk
from crawloop_assets.desk.verbs import verb_named
from crawloop_assets.family import Family
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from tests.heal.stuck import PAGES, town_of_goods, wave
from tests.heal.town import GOODS, Town, good, new

NAME = GOODS.family
FAMILY = f"""
family: {NAME}
schema: tests.heal.town:Good
discover: {{}}
heal: {{promotion: review}}
"""
Perform = Callable[..., Done]


@dataclass
class Office:
    """A project, its town, and somebody at the desk."""

    project: Project
    town: Town

    @property
    def store(self) -> Store:
        return self.town.store

    @property
    def family(self) -> Family:
        return self.project.family(NAME)

    @property
    def desk(self) -> Desk:
        return Desk(self.project, self.store, "run-desk")

    def do(self, verb: str, **said: object) -> Done:
        """What ada does."""
        found = verb_named(verb)
        word = found.word(**{"who": "ada", "why": "I looked", "family": NAME, **said})
        return perform(found, self.desk, word)

    def red(self) -> list[str]:
        """The red batches."""
        return [one.batch for one in self.store.past.red(NAME)]


@pytest.fixture(scope="session")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of such a project. Copy it, do not use it."""
    home = tmp_path_factory.mktemp("office") / "project"
    project = Project.at(home)
    project.families.mkdir(parents=True)
    (project.families / "good.yaml").write_text(FAMILY)
    project.domains.write_text("domains: [{host: town.test}]")
    town = town_of_goods(home)
    served = town.read(GOODS, [new(GOODS, at, good(at)) for at in range(PAGES)])
    assert served.judgement.drifted
    made = wave(town, family=project.family(NAME))
    assert made.outcome is RegenerationOutcome.AWAITING_REVIEW
    return home


@pytest.fixture
def office(waiting: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Office:
    """Such a project of one's own."""
    home = tmp_path / "project"
    shutil.copytree(waiting, home)
    monkeypatch.setenv("CRAWLOOP_HOME", str(home))
    town = Town(home)
    town.runs = 100
    return Office(Project.at(home), town)
