"""`python -m bench.product_soak --seconds 600 --seed 1`; `--postgres`: the store is in one."""

import argparse
import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import dagster as dg

from bench.product_soak.clock import Clock
from bench.product_soak.course import ProductSoak
from bench.product_soak.ground import HOST, Town, lay_out
from crawloop_assets.demo.site.server import served
from crawloop_assets.demo.site.shop import Shop
from crawloop_assets.store.places import STORE_URL
from tests.postgres import own_databases

parser = argparse.ArgumentParser(description="The whole product under fire.")
parser.add_argument("--seconds", type=float, default=600)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--keep", type=Path, help="where to leave the project")
parser.add_argument("--postgres", action="store_true", help="the store is in one")
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
    town = Town(lay_out(folder / "project"), clock, port)
    with town.open(), dg.DagsterInstance.get() as instance:
        soak = ProductSoak(town, shop, instance, options.seconds, options.seed)
        outcome = soak.run()
if not clock.is_settable:
    print("the clock was not set: there is no compiler here")
for line in outcome.lines():
    print(line)
sys.exit(0 if outcome.clean else 1)
