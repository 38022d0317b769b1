"""How much each entry of the compiler's trust table matters: `python -m bench.sensitivity
DATA_DIR [--only REGEX] [--by 1.2] [--every N] [--task GROUP]... [--half fit|report]`.

Every entry is multiplied and divided by the factor, one at a time, and the same cases of
the pack are run again, each state of the table in a process of its own. Told are the
fields that turn right or stop being right, and those that turn wrong, against the table
as it is; entries that change no field at all come last, in one line.
"""

import argparse
import multiprocessing
import re
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from crawloop_assets.eval.pack import PackFamily, load_pack
from crawloop_assets.eval.pool import EvalJob
from crawloop_assets.eval.run import Bench
from crawloop_assets.eval.score import Score
from crawloop_assets.eval.tasks import Input, Task
from crawloop_assets.induce.trust import TRUST, vary

Outcomes = dict[tuple[str, ...], Score]
"""Family, task, page, row and field of each value, and how it was read."""


class Effect(NamedTuple):
    """What a change of the table does, in fields: more right, more wrong, any change."""

    change: str
    right: int
    wrong: int
    changed: int

    def __str__(self) -> str:
        """One line of the report."""
        entry = TRUST[self.change.partition("=")[0]]
        counts = f"right {self.right:+5} wrong {self.wrong:+5} changed {self.changed:5}"
        return f"{self.change:45} {counts}  {entry.unit}, fitted: {entry.fitted}"


class Chosen(NamedTuple):
    """What is run: every n-th family of some schemas (all without any) of a pack, in one
    form, for some tasks."""

    folder: Path
    schemas: tuple[str, ...]
    every: int
    form: Input
    tasks: frozenset[Task]

    def jobs(self, half: str) -> list[EvalJob]:
        """The families of one half."""
        families = [
            one
            for one in load_pack(self.folder)
            if half_of(one) == half
            and (not self.schemas or one.schema_name in self.schemas)
        ]
        return [
            EvalJob(self.folder, family, self.form, tasks=self.tasks)
            for family in families[:: self.every]
        ]


def outcomes(jobs: Sequence[EvalJob], changes: Sequence[str]) -> Outcomes:
    """How every field of every case is read with some changes of the table."""
    vary(changes)
    found: Outcomes = {}
    for job in jobs:
        for unit, case in job.plan():
            result = Bench(job.folder, unit, job.form).run(case)
            for seen in result.observations:
                place = (job.family.family, case.task.value, *case.learn)
                found[(*place, seen.page, str(seen.row), seen.field)] = seen.outcome
    return found


def outcomes_of_each(
    jobs: Sequence[EvalJob], states: Sequence[Sequence[str]], workers: int
) -> list[Outcomes]:
    """How the fields are read with each state of the table, a process for each: what is
    kept of one must not answer for the next."""
    context = multiprocessing.get_context("fork")
    with context.Pool(workers, maxtasksperchild=1) as pool:
        return pool.map(partial(outcomes, jobs), states, chunksize=1)


def effect(change: str, before: Outcomes, after: Outcomes) -> Effect:
    """What a change does to the fields."""

    def count(found: Outcomes, score: Score) -> int:
        """How many fields have this score."""
        return list(found.values()).count(score)

    return Effect(
        change,
        count(after, Score.RIGHT) - count(before, Score.RIGHT),
        count(after, Score.WRONG) - count(before, Score.WRONG),
        sum(after.get(place) != score for place, score in before.items()),
    )


def changes_of(pattern: str, factor: float) -> list[str]:
    """The changes of all entries whose names match, up and down."""
    names = filter(re.compile(pattern).search, sorted(TRUST))
    return [f"{name}=x{by:.4g}" for name in names for by in (factor, 1 / factor)]


def half_of(family: PackFamily) -> str:
    """Which half of the pack a family is of, by the hash of its name."""
    is_fit = sha256(family.family.encode()).digest()[0] % 2 == 0
    return "fit" if is_fit else "report"


def report(effects: Sequence[Effect]) -> list[str]:
    """The effects as lines, the greatest first; then the entries that have none."""
    by_size = sorted(effects, key=attrgetter("changed", "change"), reverse=True)
    lines = list(map(str, filter(attrgetter("changed"), by_size)))
    moved = {one.change.partition("=")[0] for one in effects if one.changed}
    still = {one.change.partition("=")[0] for one in effects} - moved
    return [*lines, f"no effect ({len(still)}): {', '.join(sorted(still))}"]


def main() -> None:
    """Print what each change does."""
    parser = argparse.ArgumentParser(description="what each entry of the table matters")
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--only", default="", help="entries whose names match")
    parser.add_argument("--by", type=float, default=1.2)
    parser.add_argument("--input", type=Input, choices=list(Input), default=Input.AS_IS)
    parser.add_argument(
        "--task", type=Task, choices=list(Task), action="append", default=[]
    )
    parser.add_argument("--schema", action="append", default=[])
    parser.add_argument("--half", choices=("fit", "report"), default="fit")
    parser.add_argument("--every", type=int, default=1, help="only every n-th family")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    chosen = Chosen(
        options.data_dir,
        tuple(options.schema),
        options.every,
        options.input,
        frozenset(options.task or [Task.COMPILE]),
    )
    jobs = chosen.jobs(options.half)
    changes = changes_of(options.only, options.by)
    states = [[], *([change] for change in changes)]
    before, *after = outcomes_of_each(jobs, states, options.jobs)
    effects = [
        effect(change, before, found)
        for change, found in zip(changes, after, strict=True)
    ]
    print(f"{len(jobs)} families, {len(before)} fields, {len(changes)} changes")
    print("\n".join(report(effects)))


if __name__ == "__main__":
    main()
