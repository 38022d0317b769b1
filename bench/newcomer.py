"""A newcomer's first table by the clock: `python -m bench.newcomer [--folder DIR]`.

Builds the wheel, installs it into an empty environment, and from empty folders types
three commands for each of three sites of our own: a shop, events in plain HTML, a JSON
API behind a page that a script fills. What `crawloop crawl --json` prints is held
against what the sites say. The installation has a clock of its own: it depends on the
network.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.scout.sites import event, events, lamp, served, shop, station, stations

_ROOT = Path(__file__).parent.parent
_Rows = list[dict[str, Any]]
_MOST_SECONDS, _MOST_COMMANDS = 300, 3


class Site(NamedTuple):
    """A site, where a newcomer begins, pages to read in the end, and what each of them
    says."""

    pages: Callable[[], Mapping[str, tuple[str, str]]]
    start: str
    wanted: Mapping[str, _Rows]


class Timed(NamedTuple):
    """What one site took: seconds of each command, and whether all rows are right."""

    seconds: tuple[float, ...]
    is_right: bool


def _sites() -> dict[str, Site]:
    """The three sites."""
    lamps = [
        {name: lamp(number)[name] for name in ("title", "price")} for number in range(8)
    ]
    of_page = {name: lamp(20)[name] for name in ("price", "sku", "description")}
    answers = [
        {name: station(number)[name] for name in ("name", "bikes", "opened")}
        for number in range(20)
    ]
    return {
        "shop": Site(shop, "/", {"/": lamps, "/lamps/20.html": [of_page]}),
        "events": Site(events, "/events", {"/events": list(map(event, range(7)))}),
        "stations": Site(stations, "/", {"/api/stations?limit=50": answers}),
    }


def installed(folder: Path) -> tuple[Path, float]:
    """The command of the built wheel in an empty environment, and the seconds of its
    installation."""
    python = [sys.executable, "-m"]
    dist, venv = folder / "dist", folder / "venv"
    _run([*python, "build", "-q", "--wheel", "--outdir", str(dist), str(_ROOT)], folder)
    began = time.monotonic()
    _run([*python, "venv", str(venv)], folder)
    (wheel,) = dist.glob("*.whl")
    pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "-q"]
    _run([*pip, "-c", str(_ROOT / "constraints.txt"), str(wheel)], folder)
    return venv / "bin" / "crawloop", time.monotonic() - began


def timed(command: Path, folder: Path, site: Site) -> Timed:
    """A newcomer's way to the table of a site, from a folder that is empty."""
    project = folder / "project"
    with served(site.pages()) as address:
        commands = [
            ([str(command), "init", str(project)], folder),
            ([str(command), "scout", f"{address}{site.start}", "--yes"], project),
        ]
        for path in site.wanted:
            read = [str(command), "crawl", f"{address}{path}", "--json"]
            commands.append((read, project))
        seconds, said = [], []
        for one, where in commands:
            began = time.monotonic()
            said.append(_run(one, where))
            seconds.append(time.monotonic() - began)
    rows = list(map(json.loads, said[2:]))
    right = map(_holds, rows, site.wanted.values())
    return Timed(tuple(seconds), all(right))


def _holds(rows: _Rows, wanted: _Rows) -> bool:
    """Whether rows say what is wanted of them, and there is none beside them."""
    if len(rows) != len(wanted):
        return False
    pairs = zip(rows, wanted, strict=True)
    return all(want.items() <= row.items() for row, want in pairs)


def _run(command: Sequence[str], folder: Path) -> str:
    """What a command prints."""
    done = subprocess.run(
        command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True
    )
    return done.stdout


def main() -> int:
    """Print what each site took; 1 if a row is wrong or it took too long."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--command", type=Path, help="an installed crawloop")
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory() as name:
        command, install = options.command, 0.0
        if command is None:
            command, install = installed(Path(name))
        print(f"installation {install:.0f} s")
        print("site      init scout crawl      all  rows")
        for kind, site in _sites().items():
            folder = Path(name) / kind
            folder.mkdir()
            took = timed(command, folder, site)
            whole = sum(took.seconds[:_MOST_COMMANDS])
            failed |= not took.is_right or whole > _MOST_SECONDS
            first = " ".join(f"{one:5.1f}" for one in took.seconds[:_MOST_COMMANDS])
            word = "right" if took.is_right else "WRONG"
            print(f"{kind:8} {first} {whole:8.1f}  {word}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
