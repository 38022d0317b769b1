"""The project of a soak, its shop, and the processes a user starts by mistake."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from bench.product_soak.clock import Clock
from bench.product_soak.roles import children_of, kill_process
from crawloop_assets.pipeline.launch import free_port, prepare
from crawloop_assets.project import PACKAGE, Project

HOST = "shop.test"
DAEMONS = 2
_CHANGED: Mapping[str, Mapping[str, Any]] = {
    "shop_product": {
        "discover": {
            "seeds": [f"http://{HOST}/"],
            "include": ["^/product/.*-10[3-6][0-9]$"],
            "sitemaps": True,
        },
        "batch_size": 8,
    },
    "shop_offer": {},
    "shop_api": {},
}
"""The families, and what is other than in the demo: forty products, no days of rest."""

_FIRST_SHELF = 107
"""Products are numbered from 1001 to 1300, and those before 1070 are the first family's."""


def _shelf(tens: int) -> dict[str, Any]:
    """What is other than in the demo of a family of ten products."""
    discover = dict(_CHANGED["shop_product"]["discover"])
    discover["include"] = [f"^/product/.*-{tens}[0-9]$"]
    return {"family": f"shop/shelf{tens}", "discover": discover, "batch_size": 5}


_ALWAYS: Mapping[str, Any] = {"heal": {"cooldown": "1m"}, "refresh": {}}
_DAEMON = ("dagster._daemon", "run")
_OF_DEPLOY = ("crawloop_assets.pipeline.daemon", "5")
"""The daemon of deploy/compose.yaml, which begins anew where the clock is set: Dagster's
own waits for the hour it was to look again."""
_WORKER = ("crawloop_assets.pipeline.worker", "2")


def lay_out(home: Path, families: int = len(_CHANGED)) -> Project:
    """The project's own files, with so many families: those of the demo, and shelves of
    ten products each."""
    project = Project.at(home)
    project.families.mkdir(parents=True)
    shelves = range(_FIRST_SHELF, _FIRST_SHELF + families - len(_CHANGED))
    changed = _CHANGED | {f"shop_shelf{one}": _shelf(one) for one in shelves}
    for name, changes in changed.items():
        shipped = "shop_product" if "shelf" in name else name
        text = (PACKAGE / "families" / f"{shipped}.yaml").read_text(encoding="utf-8")
        family = yaml.safe_load(text) | changes | _ALWAYS
        write_family(project, name, yaml.safe_dump(family, allow_unicode=True))
    domains = (PACKAGE / "domains.yaml").read_text(encoding="utf-8")
    project.domains.write_text(domains, encoding="utf-8")
    return project


def write_family(project: Project, name: str, text: str) -> None:
    """Save a family file as an editor does."""
    file = project.families / f"{name}.yaml"
    fresh = file.with_suffix(".new")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(file)


@dataclass
class Town:
    """A project with its webserver, its daemons and the workers behind a broker, if there
    are any, which are started again whenever they end."""

    project: Project
    clock: Clock
    shop_port: int
    workers: int = 0
    port: int = field(default_factory=free_port)
    running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    started: int = 0

    @property
    def url(self) -> str:
        """The webserver."""
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def open(self) -> Iterator[None]:
        """This process looks at the project, and nothing it starts outlives the block."""
        os.environ["CRAWLOOP_HOME"] = str(self.project.root)
        os.environ["CRAWLOOP_RESOLVE"] = f"{HOST}=127.0.0.1:{self.shop_port}"
        prepare(self.project)
        try:
            yield
        finally:
            for process in self.running.values():
                for child in (*children_of(process.pid), process.pid):
                    kill_process(child)
                process.wait()

    def keep_running(self) -> None:
        """Start what is not there: the webserver, two daemons and the workers."""
        daemon = _OF_DEPLOY if self.workers else _DAEMON
        wanted = {f"daemon-{one}": daemon for one in range(DAEMONS)}
        wanted |= {f"worker-{one}": _WORKER for one in range(self.workers)}
        wanted["webserver"] = ("crawloop_assets.pipeline.webserver", str(self.port))
        for name, arguments in wanted.items():
            process = self.running.get(name)
            if process is None or process.poll() is not None:
                self.running[name] = self._start(name, arguments)

    def working(self) -> list[int]:
        """The process ids of the daemons and the workers."""
        return [one.pid for name, one in self.running.items() if name != "webserver"]

    def _start(self, name: str, arguments: tuple[str, ...]) -> subprocess.Popen[bytes]:
        self.started += 1
        with (self.project.var / f"soak-{name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", *arguments],
                cwd=self.project.root,
                env=os.environ | self.clock.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )


def wait(seconds: float) -> float:
    """Sleep; the time on a clock that nobody sets."""
    time.sleep(seconds)
    return time.monotonic()
