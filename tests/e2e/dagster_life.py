"""The shop of redesigns behind a real endpoint, its family driven by the jobs and the heal sensor of a Dagster
instance: what tests/heal/redesign_run.py does without."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import dagster as dg
import pytest
import yaml

from crawloop_assets.demo.loopback import Reply, listening
from crawloop_assets.heal.wave import RedBatch
from crawloop_assets.pipeline.dagster_private import failed_batches
from crawloop_assets.pipeline.launch import prepare
from crawloop_assets.pipeline.names import AssetNames
from crawloop_assets.project import Project
from crawloop_assets.replay.folder import ReplayFolder
from crawloop_assets.replay.runs import InProcess
from crawloop_assets.serve.batch import ServedBatch
from crawloop_assets.serve.stream import Stream
from crawloop_assets.store import AuditKind
from tests.heal.clock import Clock
from tests.heal.redesign_run import EXAMPLES, Life
from tests.heal.redesign_shop import BASE
from tests.heal.redesign_site import QUIET_DAYS, WareSite

HOST = BASE.removeprefix("http://")


class RealTime(Clock):
    """Time as it is: Dagster asks nobody else, and days are as long as their runs."""

    def go_on(self, by: timedelta) -> None:
        """Nobody waits."""
        self.now = datetime.now(UTC)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Nobody is told another time."""
        self.go_on(timedelta())
        yield


@dataclass(frozen=True)
class ShopFolder:
    """The project of a site; what `InProcess` asks of one."""

    project: Project
    site: WareSite

    @property
    def name(self) -> str:
        """Of the family."""
        return self.site.family.family

    @property
    def family(self) -> Any:
        """As its file declares it."""
        return self.project.family(self.name)

    def write(self, port: int) -> None:
        """The files of an operator."""
        site, truth = self.site, self.site.truth()
        known = list(truth.items())[: 2 if site.is_list else EXAMPLES]
        declared = site.family.model_dump(mode="json", by_alias=True, include=_DECLARED)
        declared |= {
            "discover": {"seeds": list(truth), "max_urls": len(truth)},
            "refresh": {"automatic": False},
            "heal": {"cooldown": site.cooldown},
            "examples": [
                {"url": url, "records": rows}
                if site.is_list
                else {"url": url, "record": rows[0]}
                for url, rows in known
            ],
        }
        domain = {
            "host": HOST,
            "scheme": "http",
            "resolve": f"127.0.0.1:{port}",
            "max_rps": 500.0,
            "concurrency": 8,
        }
        self.project.families.mkdir(parents=True)
        (self.project.families / "wares.yaml").write_text(yaml.safe_dump(declared))
        self.project.domains.write_text(yaml.safe_dump({"domains": [domain]}))


_DECLARED = {"family", "record_schema", "key", "kind"}


@dataclass
class DagsterLife(Life):
    """A life whose runs are Dagster's, `served` what they served and nobody has judged yet."""

    instance: Any = None
    served: list[ServedBatch] = field(default_factory=list)

    def begin(self) -> Any:
        """Discovery makes the first crawler of the examples; then some quiet days."""
        self._runs.discover()
        for _ in range(QUIET_DAYS):
            self.live()
        return self.store.active(self.site.family.family)

    @property
    def questions(self) -> int:
        """What a person was asked."""
        family = self.site.family.family
        reviews = self.store.audits(family, AuditKind.REVIEW_ASKED)
        return len(self.store.questions.all(family)) + len(reviews)

    @property
    def _runs(self) -> "_JudgedRuns":
        folder = ShopFolder(Project.at(self.folder), self.site)
        return _JudgedRuns(cast(ReplayFolder, folder), self.instance, life=self)

    def _refresh(self) -> None:
        self._runs.refresh()

    def _heal(self) -> None:
        self._runs.heal()

    def judge_runs(self) -> None:
        """Look at what the last run has published, and at what is red."""
        for served in self.served:
            self.judge.note(served, self.store)
            failed = [one for one in served.judgement.checks if not one.passed]
            self.checks = tuple(f"{one.name}: {one.sentence}" for one in failed)
        self.served.clear()
        names = AssetNames(self.site.family)
        red = failed_batches(self.instance, names.gate)
        now = datetime.now(UTC)
        self.red = {one.batch: RedBatch(one.batch, 0, False, now) for one in red}
        started = self.store.audits(self.site.family.family, AuditKind.WAVE_STARTED)
        self.waves = len(started)


@dataclass
class _JudgedRuns(InProcess):
    """Runs after each of which somebody looks at the table."""

    life: DagsterLife | None = None

    def _run(self, job: str, tags: Mapping[str, str], *, may_fail: bool = False) -> str:
        run = super()._run(job, tags, may_fail=may_fail)
        assert self.life is not None
        self.life.judge_runs()
        return run


@contextmanager
def dagster_life(folder: Path, site: WareSite) -> Iterator[DagsterLife]:
    """A family with its quiet days behind it, in a project and a Dagster instance of its own, until the block ends."""
    life = DagsterLife(site, folder, RealTime())

    def respond(method: str, target: str, *_: object) -> Reply:
        for page in site.pages(datetime.now(UTC)):
            if page.url == f"{BASE}{target}":
                return Reply(200, page.body, page.headers)
        return Reply(404)

    def noted(stream: Stream, batches: Any) -> Iterator[ServedBatch]:
        for served in run(stream, batches):
            life.served.append(served)
            yield served

    run = Stream.run
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        port = stack.enter_context(listening(respond))
        project = Project.at(folder)
        ShopFolder(project, site).write(port)
        patch.setattr(Stream, "run", noted)
        patch.setenv("CRAWLOOP_HOME", str(folder))
        patch.setenv("DAGSTER_HOME", str(folder))
        patch.delenv("CRAWLOOP_RESOLVE", raising=False)
        patch.chdir(folder)
        prepare(project)
        life.instance = stack.enter_context(dg.DagsterInstance.get())
        life.begin()
        yield life
