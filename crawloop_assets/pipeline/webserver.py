"""Dagster's webserver on a port of loopback, behind the guard:
`python -m crawloop_assets.pipeline.webserver PORT`."""

import os
import sys

from crawloop_assets.pipeline.daemons import follow_clock
from crawloop_assets.pipeline.dagster_ui import run_webserver
from crawloop_assets.pipeline.guard import AsgiApp, Guard, names_of
from crawloop_assets.pipeline.leash import end_with_parent
from crawloop_assets.pipeline.shown_reports import ShownReports
from crawloop_assets.project import Project
from crawloop_assets.report.shelf import Reports

TOKEN = "CRAWLOOP_UI_TOKEN"
HOSTS = "CRAWLOOP_UI_HOSTS"


def guarded(app: AsgiApp, port: int) -> Guard:
    """The app and the reports behind the guard, as the environment says."""
    hosts = names_of(port, os.environ.get(HOSTS, ""))
    shown = ShownReports(app, Reports(Project.find().var).folder)
    return Guard(shown, hosts, os.environ.get(TOKEN, ""))


if __name__ == "__main__":
    end_with_parent()
    follow_clock()
    asked_port = int(sys.argv[1])
    run_webserver(asked_port, lambda app: guarded(app, asked_port))
