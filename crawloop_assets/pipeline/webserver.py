"""Dagster's webserver on a port of loopback, behind the guard:
`python -m crawloop_assets.pipeline.webserver PORT`."""

import os
import sys

from crawloop_assets.pipeline.daemons import follow_clock
from crawloop_assets.pipeline.dagster_private import run_webserver
from crawloop_assets.pipeline.guard import AsgiApp, Guard, names_of
from crawloop_assets.pipeline.leash import end_with_parent

TOKEN = "CRAWLOOP_UI_TOKEN"
HOSTS = "CRAWLOOP_UI_HOSTS"


def guarded(app: AsgiApp, port: int) -> Guard:
    """The app behind the guard, as the environment says."""
    hosts = names_of(port, os.environ.get(HOSTS, ""))
    return Guard(app, hosts, os.environ.get(TOKEN, ""))


if __name__ == "__main__":
    end_with_parent()
    follow_clock()
    asked_port = int(sys.argv[1])
    run_webserver(asked_port, lambda app: guarded(app, asked_port))
