"""Does healing converge? Redesigns of a small shop, each lived through for some days, in
process, with the real store and the decisions of the heal sensor.

python -m bench.redesigns [--kinds bare,ab] [--families detail,listing,json,table]
[--days 10] [--plain] [--said] [--json FILE]

Product pages, tables of specifications, listings, tables of rows and answers of an API,
the pages with and without linked data, have some quiet days behind them; then the
redesign comes, and prices and stock move every night. What waits for a person is
answered the same evening: gone fields are accepted, of others one value of each is
taught. Per redesign: days that ended red, waves, rows that were published untrue,
known values that were emptied though the page shows one, rows that say all their page
shows at the end, questions to a person. *green*: the last day is green and nearly all
rows are right, and nobody was asked; *asked*: the same after one question for each
redesign; *partly*: green, and less is read than the pages show, or more was asked;
*red*: the answers of a person did not turn it green. `--said` prints every question
with its answer, `--plain` leaves out pages with linked data. Prints a Markdown table;
makes its stores in memory where the machine has a folder for that.
"""

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, filterfalse
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import NamedTuple

from tests.heal.redesign_kinds import REDESIGNS, Redesign, Shown, pairs
from tests.heal.redesign_lives import Ending, Lives, ending_of
from tests.heal.redesign_run import Life

_SHOWN = {one.value: (one,) for one in Shown} | {"table": (Shown.SPECS, Shown.ROWS)}
_FAMILIES = ("detail", "listing", "json", "table")
_MEMORY = Path("/dev/shm")


@dataclass(frozen=True)
class Figures:
    """What came of one redesign of one family."""

    family: str
    linked: bool
    redesign: str
    ending: str
    red_days: int
    waves: int
    allowed: int
    wrong: int
    emptied: int
    right: int
    rows: int
    questions: int
    seconds: float
    why: str = ""
    said: tuple[str, ...] = ()

    @property
    def is_at_once(self) -> bool:
        """Green, without a wave too many."""
        return self.ending == Ending.GREEN and self.waves <= self.allowed

    def __str__(self) -> str:
        where = f"{self.family}, linked" if self.linked else self.family
        return (
            f"| {self.redesign.replace('_', ' ')} | {where} | {self.ending} | {self.red_days} | {self.waves} "
            f"| {self.wrong} | {self.emptied} | {self.right}/{self.rows} | {self.questions} |"
        )


def figures(redesign: Redesign, life: Life, seconds: float) -> Figures:
    """What is to be said of a life after its redesign."""
    last = life.days[-1]
    return Figures(
        family=life.site.shown.value,
        linked=life.site.is_linked,
        redesign=redesign.name,
        ending=ending_of(redesign, life),
        red_days=sum(map(attrgetter("is_red"), life.days)),
        waves=life.waves,
        allowed=redesign.waves,
        wrong=len(life.judge.wrong),
        emptied=len(life.judge.emptied),
        right=last.right,
        rows=last.rows,
        questions=life.questions,
        seconds=round(seconds, 1),
        why="; ".join(last.checks)[:300],
        said=tuple(life.person.said),
    )


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kinds", type=_names, default=())
    parser.add_argument("--families", type=_names, default=_FAMILIES)
    parser.add_argument("--days", type=int, default=10)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--said", action="store_true")
    parser.add_argument("--plain", action="store_true")
    args = parser.parse_args()
    unknown = set(args.kinds) - REDESIGNS.keys()
    if unknown:
        parser.error(f"no redesign of the name {', '.join(sorted(unknown))}")
    started = time.monotonic()
    print(
        "| redesign | family | end | days red | waves | wrong rows published | known values emptied "
        "| rows right at the end | questions |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    found: list[Figures] = []
    cells = Cells(args.kinds, args.days, args.plain)
    shown = chain.from_iterable(map(_SHOWN.__getitem__, args.families))
    for one in _measured(shown, cells):
        found.append(one)
        print(one, flush=True)
        for said in one.said if args.said else ():
            print(f"  - {said}", flush=True)
    print()
    print("\n".join(totals(found)))
    print(f"\n{time.monotonic() - started:.0f} s")
    if args.json:
        text = json.dumps(list(map(asdict, found)), indent=1)
        args.json.write_text(text + "\n", encoding="utf-8")


def _names(text: str) -> tuple[str, ...]:
    return tuple(map(str.strip, text.split(",")))


class Cells(NamedTuple):
    """What is lived through: redesigns by name (none: all), for so many days, in all families or in those without linked
    data."""

    names: tuple[str, ...]
    days: int
    plain: bool

    def of(self, shown: Shown) -> Iterator[tuple[Shown, bool, Redesign]]:
        """Those of one family."""
        made = pairs((shown,), self.names)
        return filterfalse(itemgetter(1), made) if self.plain else made


def _measured(shown: Iterable[Shown], cells: Cells) -> Iterator[Figures]:
    """All redesigns, family by family."""
    memory = str(_MEMORY) if _MEMORY.is_dir() else None
    for family in shown:
        with tempfile.TemporaryDirectory(dir=memory) as folder:
            lives = Lives(Path(folder))
            for one, is_linked, redesign in cells.of(family):
                started = time.monotonic()
                life = lives.after(one, is_linked, redesign, cells.days)
                yield figures(redesign, life, time.monotonic() - started)


def totals(found: Sequence[Figures]) -> Iterator[str]:
    """The same in numbers."""
    count = len(found)
    if not count:
        return
    endings = Counter(map(attrgetter("ending"), found))
    at_once = sum(one.is_at_once for one in found)
    kinds = len({one.redesign for one in found})
    yield f"{kinds} redesigns, {count} with their families:"
    for ending in Ending:
        yield f"- {ending.value}: {endings[ending]} ({endings[ending] / count:.2f})"
    yield f"- green within one wave for each redesign: {at_once} ({at_once / count:.2f})"
    for said, name in _SUMS.items():
        yield f"- {said}: {sum(map(attrgetter(name), found))}"
    right, rows = (sum(map(attrgetter(name), found)) for name in ("right", "rows"))
    yield f"- rows right at the end: {right} of {rows} ({right / rows:.2f})"


_SUMS = {
    "days red": "red_days",
    "waves": "waves",
    "wrong rows published": "wrong",
    "known values emptied": "emptied",
    "questions": "questions",
}


if __name__ == "__main__":
    main()
