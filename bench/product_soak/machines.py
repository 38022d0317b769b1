"""What several machines share: a Postgres for Dagster and the store, and a broker before
the workers. Each of the two is killed, too, and is back some seconds later."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from crawloop_assets.pipeline.launch import free_port
from crawloop_assets.project import Project
from crawloop_assets.store.places import STORE_URL
from tests.broker import PASSWORD, broker
from tests.postgres import down, running_postgres

_CONFIG = Path(__file__).parents[2] / "deploy" / "dagster-workers.yaml"
_USUAL, _OFTEN = "poll_interval_seconds: 15", "poll_interval_seconds: 2"
"""How often dead runs are looked for: a soak has no quarter of a minute to wait."""
_GONE_S = 5.0


@dataclass
class Machines:
    """The servers, which keep their files in a folder."""

    folder: Path
    port: int = field(default_factory=free_port)

    @contextmanager
    def open(self, project: Project) -> Iterator[None]:
        """They run, and the project and this process know where, until the block ends."""
        config = _CONFIG.read_text(encoding="utf-8").replace(_USUAL, _OFTEN)
        (project.root / "dagster.yaml").write_text(config, encoding="utf-8")
        self._postgres.mkdir(parents=True)
        self._redis.mkdir()
        with running_postgres(self._postgres) as url:
            os.environ[STORE_URL] = url
            driver = url.replace("postgresql:", "postgresql+psycopg2:", 1)
            os.environ["DAGSTER_POSTGRES_URL"] = driver
            address = f"redis://:{PASSWORD}@127.0.0.1:{self.port}/0"
            os.environ["CRAWLOOP_BROKER_URL"] = address
            self._broker = broker(self._redis, self.port)
            try:
                _make_storage(project)
                yield
            finally:
                self._broker.kill()
                self._broker.wait()

    def kill_broker(self) -> None:
        """It is gone with what it had in memory, and begins again with its file."""
        self._broker.kill()
        self._broker.wait()
        time.sleep(_GONE_S)
        self._broker = broker(self._redis, self.port)

    def crash_postgres(self) -> None:
        """It is gone without a word to those who are connected, and is back."""
        with down(self._postgres):
            time.sleep(_GONE_S)

    @property
    def _postgres(self) -> Path:
        return self.folder / "postgres"

    @property
    def _redis(self) -> Path:
        return self.folder / "redis"


def _make_storage(project: Project) -> None:
    """Dagster's tables, as deploy/compose.yaml makes them before all else starts."""
    subprocess.run(
        [sys.executable, "-m", "dagster", "instance", "migrate"],
        cwd=project.root,
        env=os.environ | {"DAGSTER_HOME": str(project.root)},
        check=True,
        capture_output=True,
    )
