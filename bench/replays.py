"""What becomes of many real redesigns, each replayed through the whole cycle.

python -m bench.replays DATA_DIR [--limit N] [--half fit|report] [--jobs N] [--json FILE]
[--only REGEX] [--seconds N]

Redesigns are chosen by a rule that looks at no page (see
`crawloop_assets/replay/choice.py`): those that keep a page, one of each family, families
by a hash of their name, every schema in turn. Each is replayed in a process of its own,
which has limits on time and memory; one that dies counts as red. Where a family ends
red, what waits for a person is answered once with what the page shows; a question is
right if the family is green then.

Prints a line for each as it ends, then a Markdown table: of those that went red after
the redesign the share that ended green without a person, that ended in one right
question, and that is still red; published rows with a wrong value, and those of them
whose right value was known; pages read rightly that are held all the same.
"""

import argparse
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from operator import attrgetter
from pathlib import Path

from pydantic import TypeAdapter

from crawloop_assets.eval.pack import load_pack
from crawloop_assets.replay.choice import ChosenRedesign, Half, chosen
from crawloop_assets.replay.ending import (
    EndedReplay,
    ReplayEnd,
    held_share,
    replay_to_the_end,
    share,
)

_SECONDS = 300
_MEMORY_BYTES = 16 << 30  # of addresses, not of memory in use
_MEMORY = Path("/dev/shm")
_ENDED = TypeAdapter(list[EndedReplay])


def main() -> None:
    """See the module."""
    args = _arguments()
    if args.one:
        family, schema, redesign = args.one
        one = ChosenRedesign(family, schema, int(redesign))
        ended = replay_to_the_end(args.data, one)
        args.json.write_text(ended.model_dump_json(), encoding="utf-8")
        return
    named = re.compile(args.only)
    redesigns = [
        one
        for one in chosen(load_pack(args.data), args.half, args.limit)
        if named.search(one.family)
    ]
    found: list[EndedReplay] = []
    with ThreadPoolExecutor(args.jobs) as threads:
        for ended in threads.map(partial(_bounded, args.data, args.seconds), redesigns):
            found.append(ended)
            print(_line(ended), flush=True)
            if args.json:  # a run that is cut short has told what it saw
                args.json.write_bytes(_ENDED.dump_json(found, indent=1))
    print("\n".join(["", *table(found)]))


def _arguments() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, metavar="DATA_DIR")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--half", type=Half, choices=list(Half))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", default="", help="families, by a regular expression")
    parser.add_argument("--seconds", type=int, default=_SECONDS)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    return parser.parse_args()


def _bounded(data: Path, seconds: int, one: ChosenRedesign) -> EndedReplay:
    """One replay in a process of its own, with a project of its own."""
    memory = str(_MEMORY) if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as home:
        out = Path(home, "ended.json")
        what = ["--one", *map(str, one), "--json", str(out)]
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.replays", str(data.resolve()), *what],
            env=os.environ | {"CRAWLOOP_HOME": home},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            preexec_fn=partial(_limited, seconds),
        )
        said = _wait(process, seconds)
        if out.exists():
            return EndedReplay.model_validate_json(out.read_text(encoding="utf-8"))
    return EndedReplay(
        family=one.family,
        schema_name=one.schema,
        redesign=one.redesign,
        end=ReplayEnd.FAILED,
        why=said,
    )


def _limited(seconds: int) -> None:
    """Limits on what a replay may take, for its children as well."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))


def _wait(process: subprocess.Popen[str], seconds: int) -> str:
    """Waits until a process ends, for so long; the last line of what it complained
    of."""
    try:
        _, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"not over after {seconds} s"
    lines = errors.strip().splitlines()
    return lines[-1] if lines else f"ended with {process.returncode}"


def _line(ended: EndedReplay) -> str:
    """One replay in a line."""
    said = [f"{ended.end.value:17}{ended.family} {ended.redesign}"]
    if ended.wrong_rows:
        said.append(f"{ended.wrong_rows} wrong, {ended.witnessed_rows} witnessed")
    if ended.report and ended.end in (ReplayEnd.ASKED, ReplayEnd.RED):
        said.extend(map(attrgetter("reason"), ended.report.decisions[-1:]))
        said.extend(ended.report.questions)
    said.extend(ended.answers)
    return "; ".join([*said, *filter(None, [ended.why])])


def table(found: Sequence[EndedReplay]) -> Iterator[str]:
    """The figures of each schema, and of all."""
    yield (
        "| schema | replayed | no first crawler | went red | green without a person | one right question | still red "
        "| failed | wrong rows published (known before) | right pages held |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for schema in sorted(set(map(attrgetter("schema_name"), found))):
        yield _row(schema, [one for one in found if one.schema_name == schema])
    yield _row("all", found)


def _row(name: str, found: Sequence[EndedReplay]) -> str:
    """The figures of some replays."""
    ends = Counter(map(attrgetter("end"), found))
    none, never = ends[ReplayEnd.NO_CRAWLER], ends[ReplayEnd.NEVER_RED]
    wrong, known = _sums(found)
    cells = (
        name,
        len(found),
        none,
        len(found) - none - never,
        share(found, ReplayEnd.GREEN),
        share(found, ReplayEnd.ASKED),
        share(found, ReplayEnd.RED, ReplayEnd.FAILED),
        ends[ReplayEnd.FAILED],
        f"{wrong} ({known})",
        held_share(found),
    )
    return f"| {' | '.join(map(str, cells))} |"


def _sums(found: Sequence[EndedReplay]) -> tuple[int, int]:
    """Wrong rows, and those of them whose right value was known."""
    wrong = sum(map(attrgetter("wrong_rows"), found))
    return wrong, sum(map(attrgetter("witnessed_rows"), found))


if __name__ == "__main__":
    main()
