"""Attacks on the whole product, in a world of its own: `python -m bench.adversary`.

`--short` tries a few of each kind, `--seed` says which. The table at the end is what
name server, web servers and the wire have seen; the exit code is 1 if anything is in it
that must be 0, if a bound is broken, or if the control saw nothing.
"""

import argparse
import os
import sys

from bench.adversary.space import INSIDE, enter, refused


def main() -> int:
    """0 if nothing got through."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else None
    )
    parser.add_argument("--short", action="store_true", help="a few of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--seconds", type=float, default=3_600.0, help="begin no job after so long"
    )
    parser.add_argument("--only", default="", help="families whose name has this in it")
    parser.add_argument("--keep", default="", help="a folder for project and logs")
    options = parser.parse_args()
    if INSIDE in os.environ:
        from bench.adversary.run import Options, attack

        return attack(Options(**vars(options)))
    if not (why := refused()):
        enter(sys.argv[1:])
    print(
        f"NOT RUN: a world of its own cannot be made here ({why}); be root", flush=True
    )
    return 2


if __name__ == "__main__":
    sys.exit(main())
