"""One run of the harness, inside: the world, the control, the product, the table."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from bench.adversary import control, costs, table
from bench.adversary.authority import Authority
from bench.adversary.costs import Cost, Meter
from bench.adversary.doors import HONEST, SHORT, WHOLE, Plan, Run, lay_out, plan
from bench.adversary.drive import Done
from bench.adversary.judge import wrongs
from bench.adversary.names import NameServer
from bench.adversary.outcome import Outcome
from bench.adversary.rows import compared
from bench.adversary.seen import Record
from bench.adversary.sites import CERTIFIED, SITES
from bench.adversary.sniffer import Sniffer
from bench.adversary.space import furnish, trust
from bench.adversary.web import Web

_SETTLE_S = 1.0
_TICK_S = 30.0


@dataclass(frozen=True)
class Options:
    """How the harness is asked to run. No job is begun after so many `seconds`, what
    has `only` not in its family's name is left out, `keep` is a folder for what is
    left."""

    short: bool
    seed: int
    seconds: float
    only: str
    keep: str


def attack(options: Options) -> int:
    """The exit code: 0 if nothing got through and the control did."""
    until = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory(prefix="adversary-") as name:
        folder = Path(name)
        record, tried = (
            Record(),
            plan(SHORT if options.short else WHOLE, Random(options.seed)),
        )
        names, sniffer = _world(folder, record, tried)
        ticker = Ticker(record)
        ticker.start()
        _say(
            f"{len(tried.baits)} urls, {len(tried.world.hostile)} hostile pages; the control begins"
        )
        control.try_all(tried, record)
        time.sleep(_SETTLE_S)
        outcome = _product(folder, record, tried, options.only, until)
        time.sleep(_SETTLE_S)
        found = wrongs(record.all, names.owner)
        if options.keep:
            shutil.copytree(folder, options.keep, dirs_exist_ok=True)
        ticker.end()
        return table.shown(tried, found, outcome, sniffer.lost())


class Ticker(threading.Thread):
    """Says now and then that the run goes on, also where nobody watches."""

    def __init__(self, record: Record):
        """Starts with the others."""
        super().__init__(daemon=True, name="ticker")
        self._record = record
        self._ended = threading.Event()

    def run(self) -> None:
        """Until it is told to end."""
        while not self._ended.wait(_TICK_S):
            _say(f"  {self._record.phase}: {len(self._record.all)} things seen")

    def end(self) -> None:
        """Nothing is said after this, so that the table is the last that is read."""
        self._ended.set()
        self.join()


def _world(folder: Path, record: Record, tried: Plan) -> tuple[NameServer, Sniffer]:
    """Everything that is not the product, running."""
    furnish(folder)
    authority = Authority.make(folder, CERTIFIED)
    trust(authority.file, authority.encoded)
    names = NameServer(record, {site.host: site.turns for site in SITES.values()})
    sniffer = Sniffer(record)
    web = Web(record, authority.context, tried.world.answer)
    for witness in (names, sniffer, web):
        witness.start()
    web.ready.wait(10)
    return names, sniffer


def _product(
    folder: Path, record: Record, tried: Plan, only: str, until: float
) -> Outcome:
    """Runs every job of every door, one after the other."""
    home, scratch = folder / "project", folder / "scratch"
    scratch.mkdir()
    lay_out(tried, home)
    outcome, meter = Outcome(), Meter()
    environment = {**os.environ, "CRAWLOOP_HOME": str(home), "TMPDIR": str(scratch)}
    with (folder / "product.log").open("wb") as log:
        product = subprocess.Popen(
            [sys.executable, "-m", "bench.adversary.drive", str(home)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        meter.start()
        for run in tried.runs:
            if only in run.name:
                record.phase = run.name
                _through(run, product, tried, outcome, meter, until)
        record.phase = "after"
        product.communicate()
    outcome.rows = compared(
        home / "crawloop.duckdb", HONEST, tried.world.honest, tried.world.edition
    )
    outcome.left = list(map(costs.named, costs.others()))
    outcome.left += costs.left_in(scratch)
    if product.returncode or outcome.failed:
        print((folder / "product.log").read_text()[-6_000:], flush=True)
    return outcome


def _through(
    run: Run,
    product: "subprocess.Popen[str]",
    tried: Plan,
    outcome: Outcome,
    meter: Meter,
    until: float,
) -> None:
    """The jobs of one family, as long as there is time."""
    assert product.stdin is not None and product.stdout is not None
    for job in run.jobs:
        if job == "edit":
            tried.world.edition += 1
            continue
        if why := _hindrance(product, until):
            outcome.failed.append(f"{run.name}: {job}: {why}")
            return
        began, before = time.time(), meter.cpu(time.time())
        print(job, run.name, file=product.stdin, flush=True)
        line = product.stdout.readline()
        done = Done(**json.loads(line)) if line else Done(False)
        wall, cpu = time.time() - began, meter.cpu(time.time()) - before
        _say(
            f"{run.name}: {job} took {wall:.1f} s, {cpu:.1f} CPU s, {len(done.urls)} urls known"
        )
        if not done.success:
            outcome.failed.append(f"{run.name}: {job}")
        if job == "refresh":
            _note(run, done, began, meter, outcome)


def _hindrance(product: "subprocess.Popen[str]", until: float) -> str:
    """Why no job can be begun, "" if one can."""
    if product.poll() is not None:
        return "the process is gone"
    return "" if time.monotonic() < until else "not begun: the time was up"


def _note(run: Run, done: Done, began: float, meter: Meter, outcome: Outcome) -> None:
    """What a refresh cost: all of it by the page, and, where each page is a batch of its
    own, each of them."""
    made = done.batches.values()
    ended = max(made, default=began)
    pages = max(1, len(done.urls))
    spent = Cost(meter.cpu(ended) - meter.cpu(began), ended - began)
    outcome.mean[run.name] = Cost(spent.cpu_s / pages, spent.wall_s / pages)
    if run.family.get("batch_size") == 1:
        each = meter.between(done.batches, began)
        outcome.costs |= {
            url: each[batch] for url, batch in done.urls.items() if batch in each
        }


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {text}", flush=True)
