"""The Dagster daemon with a shorter loop: `python -m crawloop_assets.pipeline.daemon
SECONDS`."""

import sys

from dagster._daemon.cli import run_command

from crawloop_assets.pipeline.dagster_private import shorten_daemon_loops
from crawloop_assets.pipeline.leash import end_with_parent

if __name__ == "__main__":
    end_with_parent()
    shorten_daemon_loops(int(sys.argv[1]))
    run_command.main(args=[], prog_name="crawloop-daemon")
