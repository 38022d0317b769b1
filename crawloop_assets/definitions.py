"""What workspace.yaml names: the definitions of the project that is found from here."""

import dagster as dg

from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.dagster_server import begin_runs_by_fork
from crawloop_assets.project import Project

begin_runs_by_fork()


@dg.definitions
def defs() -> dg.Definitions:
    """All families of the project."""
    return build_definitions(Project.find())
