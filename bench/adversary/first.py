"""The first process inside: it starts the harness and buries those whose parents are gone."""

import os
import subprocess
import sys

from bench.adversary.space import INSIDE


def main() -> int:
    """The exit code of the harness."""
    assert os.environ[INSIDE]
    harness = subprocess.Popen([sys.executable, "-m", "bench.adversary", *sys.argv[1:]])
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == harness.pid:
            return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main())
