"""`python -m bench.product_soak --seconds 600 --seed 1`; `--postgres`: the store is in one;
`--workers 3`: runs on Celery workers behind a broker, everything else in Postgres;
`--families 20`: shelves of ten products beside the families of the demo."""

import argparse
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import dagster as dg

from bench.product_soak import audit
from bench.product_soak.clock import Clock
from bench.product_soak.course import ProductSoak
from bench.product_soak.ground import HOST, Town, lay_out
from bench.product_soak.machines import Machines
from crawloop_assets.demo.site.server import served
from crawloop_assets.demo.site.shop import Shop
from crawloop_assets.store.places import STORE_URL
from tests.postgres import own_databases

_GRACE_S = 60.0
"""What was started by what was killed ends by itself, a server of code after 45 seconds
without a sign of life."""

parser = argparse.ArgumentParser(description="The whole product under fire.")
parser.add_argument("--seconds", type=float, default=600)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--keep", type=Path, help="where to leave the project")
parser.add_argument("--postgres", action="store_true", help="the store is in one")
parser.add_argument("--workers", type=int, default=0, help="behind a broker")
parser.add_argument("--families", type=int, default=3)
options = parser.parse_args()
with (
    tempfile.TemporaryDirectory() as temporary,
    served(Shop()) as shop,
    ExitStack() as stack,
):
    if options.postgres:
        databases = stack.enter_context(own_databases())
        os.environ[STORE_URL] = stack.enter_context(databases.one())
    folder = options.keep or Path(temporary)
    folder.mkdir(parents=True, exist_ok=True)
    port = int(shop.base_url.rpartition(":")[2])
    shop.base_url = f"http://{HOST}"
    clock = Clock(folder)
    project = lay_out(folder / "project", options.families)
    machines = Machines(folder / "machines") if options.workers else None
    if machines is not None:
        stack.enter_context(machines.open(project))
    town = Town(project, clock, port, options.workers)
    with town.open(), dg.DagsterInstance.get() as instance:
        soak = ProductSoak(
            town, shop, instance, options.seconds, options.seed, machines
        )
        outcome = soak.run()
    time.sleep(_GRACE_S)
    outcome.wrong["processes left behind"] = list(audit.left_behind(project))
if not clock.is_settable:
    print("the clock was not set: there is no compiler here")
for line in outcome.lines():
    print(line)
sys.exit(0 if outcome.clean else 1)
