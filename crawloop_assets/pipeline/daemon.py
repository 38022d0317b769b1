"""The Dagster daemon with a shorter loop and a lasting server of code: `python -m
crawloop_assets.pipeline.daemon SECONDS`."""

import sys

from dagster._daemon.cli import run_command

from crawloop_assets.pipeline.busy import is_busy
from crawloop_assets.pipeline.dagster_daemon import (
    hurry_sensors,
    keep_code_server,
    outlive_storage,
    shorten_daemon_loops,
)
from crawloop_assets.pipeline.leash import end_with_parent
from crawloop_assets.pipeline.rereading import ProjectFiles
from crawloop_assets.project import Project

if __name__ == "__main__":
    end_with_parent()
    shorten_daemon_loops(int(sys.argv[1]))
    hurry_sensors(is_busy)
    outlive_storage()
    files = ProjectFiles(Project.find())
    files.have_changed()  # what changes while the first server reads them is seen, too
    keep_code_server(files.have_changed)
    run_command.main(args=[], prog_name="crawloop-daemon")
