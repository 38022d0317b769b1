"""A worker that takes runs from the broker, so many at a time: `python -m
crawloop_assets.pipeline.worker RUNS`."""

import os
import sys

import dagster as dg

from crawloop_assets.errors import ConfigError
from crawloop_assets.pipeline.dagster_workers import worker_app
from crawloop_assets.pipeline.leash import end_with_parent


def arguments(runs: int) -> list[str]:
    """What Celery is told: its name is one of its own, also beside another on its
    machine, and it needs to know nothing of others."""
    return [
        "worker",
        f"--concurrency={runs}",
        f"--hostname=crawloop-{os.getpid()}@%h",
        "--loglevel=WARNING",
        "--without-gossip",
        "--without-mingle",
    ]


if __name__ == "__main__":
    end_with_parent()
    try:
        with dg.DagsterInstance.get() as instance:
            app = worker_app(instance)
    except ConfigError as error:
        sys.exit(str(error))
    app.worker_main(arguments(int(sys.argv[1])))
