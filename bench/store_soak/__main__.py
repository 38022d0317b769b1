"""`python -m bench.store_soak --seconds 600 --seed 1`; `--seconds 60` for a short one."""

import argparse
import sys
import tempfile
from pathlib import Path

from bench.store_soak.fire import Course, Soak
from bench.store_soak.ground import Ground
from bench.store_soak.harms import LESS, SABOTAGE

if __name__ == "__main__":  # not in the processes it begins
    parser = argparse.ArgumentParser(description="A store under fire.")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--writers", type=int, default=3)
    parser.add_argument("--readers", type=int, default=2)
    parser.add_argument(
        "--sabotage",
        choices=[*SABOTAGE, LESS],
        default="",
        help="harm the store on purpose in the end: the soak has to end red",
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        ground = Ground(Path(temporary))
        with ground.disk():
            outcome = Soak(ground, Course(**vars(options))).run()
    for line in outcome.lines():
        print(line)
    sys.exit(0 if outcome.clean else 1)
