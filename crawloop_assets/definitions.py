"""What workspace.yaml names: the definitions of the project that is found from here."""

import dagster as dg

from crawloop_assets.pipeline.build import build_for
from crawloop_assets.pipeline.dagster_server import (
    begin_runs_by_fork,
    job_of_run,
    listen_by_steady_clock,
)
from crawloop_assets.pipeline.lasting import made_to_last
from crawloop_assets.project import Project

begin_runs_by_fork()
listen_by_steady_clock()


@dg.definitions
def defs() -> dg.Definitions:
    """All families of the project; in the process of a run what its job needs."""
    with made_to_last():
        return build_for(Project.find(), job_of_run())
