"""Fits a few entries of the compiler's trust table: `python -m bench.fit_trust DATA_DIR
--only NAME... [--by 1.2] [--rounds 2] [--cost 2] [--every N] [--schema NAME]...`.

One entry after the other is multiplied and divided by the factor, and keeps what makes
most of "right minus COST x wrong" on the fit half of the families, until a round changes
nothing. What it found is told for both halves: only the half it was not fitted on says
what it is worth.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.sensitivity import Chosen, Outcomes, outcomes_of_each
from crawloop_assets.eval.score import Score
from crawloop_assets.eval.tasks import Input, Task
from crawloop_assets.induce.trust import TRUST

State = dict[str, float]
"""The factor of each entry that is not as the table has it."""


class Tally(NamedTuple):
    """How many fields are right, and how many wrong, of how many."""

    right: int
    wrong: int
    fields: int

    def worth(self, cost: float) -> float:
        """What is right, less the cost of what is wrong."""
        return self.right - cost * self.wrong

    def __str__(self) -> str:
        """For a line of the report."""
        return f"right {self.right} wrong {self.wrong} of {self.fields}"


Measure = Callable[[Sequence[State]], list[Tally]]
"""What some states of the table make of the same fields."""


def tally(found: Outcomes) -> Tally:
    """The fields of a run, counted."""
    scores = list(found.values())
    return Tally(scores.count(Score.RIGHT), scores.count(Score.WRONG), len(scores))


def changes(state: State) -> list[str]:
    """A state as changes of the table."""
    return [f"{name}=x{factor:.6f}" for name, factor in sorted(state.items())]


def fitted(
    names: Sequence[str], by: float, rounds: int, cost: float, measure: Measure
) -> State:
    """The best state that changing one entry at a time leads to; of equals the table as
    it is."""
    (tally_now,) = measure([{}])
    state: State = {}
    best = tally_now.worth(cost)
    for _ in range(rounds):
        before = dict(state)
        for name in names:
            factor = state.get(name, 1.0)
            tried = [{**state, name: factor * by}, {**state, name: factor / by}]
            worths = [found.worth(cost) for found in measure(tried)]
            if max(worths) > best:
                best = max(worths)
                state = tried[worths.index(best)]
        if state == before:
            break
    return state


def main() -> None:
    """Print what was found, and what it does on both halves."""
    parser = argparse.ArgumentParser(description="fit a few entries of the trust table")
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--only", required=True, nargs="+", help="names of entries")
    parser.add_argument("--by", type=float, default=1.2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--cost", type=float, default=2.0, help="of a wrong field")
    parser.add_argument("--input", type=Input, choices=list(Input), default=Input.AS_IS)
    parser.add_argument(
        "--task", type=Task, choices=list(Task), action="append", default=[]
    )
    parser.add_argument("--schema", action="append", default=[])
    parser.add_argument("--every", type=int, default=1, help="only every n-th family")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    unknown = sorted(set(options.only) - set(TRUST))
    if unknown:
        parser.error(f"the trust table has no {', '.join(unknown)}")
    tasks = frozenset(options.task or [Task.COMPILE])
    chosen = Chosen(
        options.data_dir, tuple(options.schema), options.every, options.input, tasks
    )

    def on(half: str) -> Measure:
        """What states make of the fields of a half."""
        jobs = chosen.jobs(half)

        def measure(states: Sequence[State]) -> list[Tally]:
            """A run for each state."""
            runs = outcomes_of_each(jobs, list(map(changes, states)), options.jobs)
            return list(map(tally, runs))

        return measure

    found = fitted(options.only, options.by, options.rounds, options.cost, on("fit"))
    print(" ".join(changes(found)) or "the table as it is")
    for half in ("fit", "report"):
        before, after = on(half)([{}, found])
        print(f"{half}: {before} -> {after}")


if __name__ == "__main__":
    main()
