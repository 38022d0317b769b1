"""One digest of all the compiler makes of a pack: `python -m bench.digest DATA_DIR`.

Every case of every family is run as `crawloop eval` runs it: each program that is
compiled or healed, each decision about a field and each reading goes into a digest of
its case. A change that is meant to move code only leaves all of them as they are;
`--json` writes the digests of the cases, so that two states can be compared case by
case.
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path

from crawloop_assets.crawler.extraction import Example, Extraction
from crawloop_assets.crawler.program import Program
from crawloop_assets.eval.pack import load_pack
from crawloop_assets.eval.plan import Case
from crawloop_assets.eval.pool import EvalJob
from crawloop_assets.eval.results import CaseResult
from crawloop_assets.eval.run import Bench
from crawloop_assets.eval.tasks import Input, Task
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.page import Page


class Recorder(Bench):
    """A bench that notes what the compiler and the interpreter return."""

    only_values = False
    """Whether only what is read is noted, and not by which program."""

    def digest(self, case: Case) -> str:
        """The digest of one case; an error of the compiler is part of what came out."""
        self._programs.clear()  # each case stands for itself, whatever ran before it
        self._noted = sha256()
        try:
            self.run(case)
        except Exception as error:  # noqa: BLE001 - whatever the compiler raises is what is compared
            self._note(f"{type(error).__name__}: {error}")
        return self._noted.hexdigest()[:16]

    def _note(self, text: str) -> None:
        self._noted.update(text.encode("utf-8", "surrogatepass") + b"\0")

    def compile(
        self, pages: Sequence[Page], examples: Sequence[Example], result: CaseResult
    ) -> Program | None:
        program = super().compile(pages, examples, result)
        self._note_program(program)
        return program

    def _note_program(self, program: Program | None) -> None:
        """A program's bytes, or whether there is one."""
        if self.only_values:
            self._note(str(program is not None))
        else:
            self._note(program.to_json() if program else "no program")

    def heal(self, case: Case, old: Program, result: CaseResult) -> HealedProgram:
        healed = super().heal(case, old, result)
        self._note_program(healed.program)
        self._note(
            json.dumps(
                {name: made.decision for name, made in sorted(healed.fields.items())}
            )
        )
        return healed

    def extract(
        self, program: Program | None, page_id: str, result: CaseResult
    ) -> Extraction:
        extraction = super().extract(program, page_id, result)
        self._note(json.dumps(extraction.model_dump(mode="json"), sort_keys=True))
        return extraction


def family_digests(job: EvalJob) -> dict[str, str]:
    """`task family model learned>tested` -> digest, for every case of a family."""
    digests: dict[str, str] = {}
    bench: Recorder | None = None
    for unit, case in job.plan():
        if bench is None or bench.unit != unit:
            bench = Recorder(job.folder, unit, job.form)
        pages = f"{'+'.join(case.learn)}>{'+'.join(case.test)}"
        name = f"{case.task.value} {job.family.family} {unit.model} {pages}"
        digests[name] = bench.digest(case)
    return digests


def main() -> None:
    """Print a digest per task and one of all."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else None
    )
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--input", type=Input, choices=list(Input), default=Input.AS_IS)
    parser.add_argument(
        "--task", type=Task, choices=list(Task), action="append", default=[]
    )
    parser.add_argument("--every", type=int, default=1, help="only every n-th family")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path, help="write the digests of all cases here")
    parser.add_argument(
        "--values", action="store_true", help="only what is read, not the programs"
    )
    options = parser.parse_args()
    Recorder.only_values = options.values  # the processes below are forked
    families = load_pack(options.data_dir)[:: options.every]
    work = [
        EvalJob(options.data_dir, family, options.input, tasks=frozenset(options.task))
        for family in families
    ]
    digests: dict[str, str] = {}
    with ProcessPoolExecutor(options.jobs) as pool:
        for done, found in enumerate(pool.map(family_digests, work), start=1):
            digests |= found
            if done % 25 == 0:
                print(f"{done} of {len(work)} families", file=sys.stderr, flush=True)
    if options.json:
        options.json.write_text(json.dumps(digests, indent=1, sort_keys=True) + "\n")
    by_task: dict[str, list[str]] = defaultdict(list)
    for name, digest in sorted(digests.items()):
        by_task[name.split(" ", 1)[0]].append(f"{name} {digest}")
    for task, lines in sorted(by_task.items()):
        print(f"{task:14} {len(lines):5} cases  {_of(lines)}")
    print(
        f"{'all':14} {len(digests):5} cases  {_of(f'{name} {digests[name]}' for name in sorted(digests))}"
    )


def _of(lines: Iterable[str]) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()[:16]


if __name__ == "__main__":
    main()
