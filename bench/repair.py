"""What a model repairs of real redesigns that deterministic healing leaves open.

python -m bench.repair DATA_DIR [--families 30] [--after FAMILY] [--only FILE]
    [--jobs 8] [--json FILE] [--code]

Families with a redesign that keeps a page are taken in the order of a hash of their
name, schema by schema in turn (`replay/choice.py`), until so many are found of which
healing without a model rejects the candidate or leaves fields unread whose known values
stand on the pages. A crawler is compiled from the pages before; known of the pages
after are the records that the same pages had before. Pages are bare: without scripts,
meta, microdata and RDFa. The model is that of the environment (docs/model.md); without
one it is only told which families would be asked about. `--after` begins behind a
family of that order, so that others are counted than before; `--only` takes the
families of a file, `--code` allows crawlers that are code.

Printed are a line for each family and a table: of the fields that were open and stand
on the pages after, those that are read rightly, wrongly or not at all by the version
that is promoted, on pages that healing has seen and on others; calls and tokens. Of
what the model's part of promoted versions reads on the pages after, all is compared
with the pack, also what the pack does not say is written on them, and each value that
it has otherwise or not at all is printed, to be looked at on its page.
"""

import argparse
import tempfile
from collections.abc import Container, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from bench.repaired import (
    ENDED,
    RepairedFamily,
    RepairedField,
    UntoldValue,
    line,
    table,
)
from crawloop_assets.crawler.extraction import Example, ExtractedRecord
from crawloop_assets.crawler.program import Program, Reader
from crawloop_assets.drift.values import is_filled
from crawloop_assets.errors import CrawlerFault
from crawloop_assets.eval.gold import stands_in_page, to_learn
from crawloop_assets.eval.layouts import Unit
from crawloop_assets.eval.pack import PackFamily, load_pack
from crawloop_assets.eval.plan import Case, cases, units
from crawloop_assets.eval.results import CaseResult
from crawloop_assets.eval.schemas import model_for
from crawloop_assets.eval.score import Score, match_rows, score_value
from crawloop_assets.eval.tasks import Input, Task
from crawloop_assets.eval.workbench import Workbench
from crawloop_assets.family import Family
from crawloop_assets.heal.attempts import Attempt
from crawloop_assets.heal.model_repair import ModelRepair
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.resort import Helped
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.llm.settings import ModelChoice
from crawloop_assets.page import Page
from crawloop_assets.replay.choice import chosen
from crawloop_assets.sandbox import ReadByCodeJob, WorkerPool
from crawloop_assets.schema import RecordSchema
from crawloop_assets.store import CrawlerKind, CrawlerVersion, NewCrawler, Store, ledger
from crawloop_assets.values.value import Value

_TIMEOUT = "1500s"
_TELLING = 12
"""Characters of a file's name from which on it names one picture."""
_PRINTED = 120
"""Characters of a value."""


@dataclass
class _Noting:
    """Notes what healing alone made, then asks the model, if there is one."""

    model: ModelRepair | None
    attempt: Attempt | None = None
    helped: Helped | None = None

    def help(
        self,
        regenerator: Regenerator,
        active: CrawlerVersion,
        sample: HealSample,
        attempt: Attempt,
    ) -> Helped:
        """See `LastResort`."""
        self.attempt = attempt
        self.helped = Helped(attempt.program, attempt.proof)
        if self.model is not None and _is_open(attempt):
            self.helped = self.model.help(regenerator, active, sample, attempt)
        return self.helped


def _is_open(attempt: Attempt) -> bool:
    """Whether healing alone abstained, failed, or left out what stands there."""
    if attempt.program is None or not attempt.proof.passed:
        return True
    return any(score.silent > score.right for score in attempt.proof.fields)


@dataclass
class _Redesign:
    """One redesign of a pack."""

    folder: Path
    bench: Workbench
    case: Case
    family: PackFamily
    code: bool = False
    noting: _Noting = field(default_factory=lambda: _Noting(None))

    def run(self) -> RepairedFamily | None:
        """What comes of it; None if no first crawler is made, or nothing is open."""
        before = self.bench.learned(self.case.learn, CaseResult())
        if before is None:
            return None
        with tempfile.TemporaryDirectory() as home, WorkerPool(1) as pool:
            store = Store(Path(home, "var"), Path(home, "crawloop.duckdb"))
            family = self._declared()
            version = NewCrawler(family=family.family, body=before.to_json())
            store.promote(family.family, store.add_crawler(version), why="bench")
            self.noting = _Noting(ModelRepair.of(family, ModelChoice(wave="bench")))
            regenerator = Regenerator(
                family, store, pool, "bench", "bench", self.noting
            )
            made = regenerator.heal(self._sample())
            attempt = self.noting.attempt
            if attempt is None or not _is_open(attempt):
                return None
            return self._told(before, attempt, made, store, pool)

    def _declared(self) -> Family:
        """The family as an operator would declare it."""
        unit = self.bench.unit
        fields = {name for page in unit.pages for row in page.records for name in row}
        model = model_for(self.family, fields).__name__
        return Family.model_validate(
            {
                "family": "bench/family",
                "schema": f"crawloop_assets.eval.schemas:{model}",
                "kind": self.bench.kind.value,
                "discover": {},
                "heal": {
                    "budget_usd": 100,
                    "model_price": [1, 5],
                    "model_timeout": _TIMEOUT,
                    "code": self.code,
                },
            }
        )

    def _sample(self) -> HealSample:
        """The pages after, those of which something is known first."""
        hints = sorted(self.case.hints, key=lambda hint: hint.known is None)
        pages = tuple(self.bench.page(hint.page) for hint in hints)
        known = tuple(
            Example(page=at, records=tuple(map(to_learn, self.bench.gold(hint.known))))
            for at, hint in enumerate(hints)
            if hint.known
        )
        return HealSample(pages, known)

    def _told(
        self,
        before: Program,
        attempt: Attempt,
        made: Regeneration,
        store: Store,
        pool: WorkerPool,
    ) -> RepairedFamily:
        """What is told of it."""
        passed = attempt.program if attempt.proof.passed else None
        alone = passed or before
        healed: Program | _Code = alone
        if made.outcome is RegenerationOutcome.PROMOTED:
            healed = _promoted(made.program, store, pool)
        candidate = attempt.program or before
        pages = [
            _OnePage(self.bench, page, alone, candidate, healed)
            for page in self.case.test
        ]
        known = {hint.page for hint in self.case.hints if hint.known}
        with store.publisher.database.read() as connection:
            spent = ledger.calls_of(connection, ["bench"])
        return RepairedFamily(
            family=self.family.family,
            schema_name=self.family.schema_name,
            alone="healed in part" if passed else "abstained",
            outcome=made.outcome.value if self.noting.model else "",
            reason=made.reason,
            tries=tuple(map(str, made.tries)),
            calls=len(spent),
            tokens_in=sum(filter(None, map(attrgetter("tokens_in"), spent))),
            tokens_out=sum(filter(None, map(attrgetter("tokens_out"), spent))),
            fields=tuple(chain.from_iterable(one.fields(known) for one in pages)),
            untold=tuple(chain.from_iterable(one.untold() for one in pages)),
        )


@dataclass
class _OnePage:
    """A page after a redesign, read without the model's part and with it; `candidate` is
    what the model was given to complete."""

    bench: Workbench
    page: str
    alone: Program
    candidate: Program
    healed: "Program | _Code"

    def __post_init__(self) -> None:
        self.golds = self.bench.gold(self.page)
        self.read = self._records(self.healed)
        self.rows = match_rows(self.golds, self.read)

    def fields(self, known: Container[str]) -> Iterator[RepairedField]:
        """The fields of which the pack has a value."""
        before = match_rows(self.golds, self._records(self.alone))
        rows = zip(self.golds, before, self.rows, strict=True)
        for row, (gold, first, last) in enumerate(rows):
            for name, wanted in gold.items():
                got = last.values.get(name) if last else None
                helped = self._score(name, wanted, last)
                yield RepairedField(
                    page=f"{self.page}#{row}",
                    field=name,
                    is_known=self.page in known,
                    is_by_model=self._is_by_model(name),
                    is_written=_readers(self.candidate, name)
                    != _readers(self.healed, name),
                    is_stated=stands_in_page(name, self.bench.in_dom(self.page)),
                    alone=self._score(name, wanted, first),
                    helped=helped,
                    is_resized=helped is Score.WRONG and _is_same_file(wanted, got),
                    said=f"{_cut(wanted[0])}, read {_cut(got)}",
                )

    def untold(self) -> Iterator[UntoldValue]:
        """What the model's part reads and the pack has no value of."""
        golds = {id(one): gold for gold, one in zip(self.golds, self.rows, strict=True)}
        for row, one in enumerate(self.read):
            for name, value in one.values.items():
                is_told = name in golds.get(id(one), {})
                if is_filled(value) and not is_told and self._is_by_model(name):
                    at = f"{self.page}+{row}"
                    yield UntoldValue(page=at, field=name, read=_cut(value))

    def _is_by_model(self, name: str) -> bool:
        """Whether the model wrote how a field is read."""
        return _readers(self.alone, name) != _readers(self.healed, name)

    def _score(
        self, name: str, wanted: Sequence[Value], read: ExtractedRecord | None
    ) -> Score:
        """How a value is read."""
        got = read.values.get(name) if read else None
        return score_value(wanted, got, self.bench.schema, name)

    def _records(self, made: "Program | _Code") -> Sequence[ExtractedRecord]:
        """What is read on the page."""
        if isinstance(made, Program):
            return self.bench.extract(made, self.page, CaseResult()).records
        return made.records(self.bench.page(self.page), self.bench.schema)


class _Code(NamedTuple):
    """A crawler that is code, and who runs it."""

    text: str
    pool: WorkerPool

    def records(self, page: Page, schema: RecordSchema) -> Sequence[ExtractedRecord]:
        """What it reads on a page; nothing where it fails."""
        job = ReadByCodeJob(code=self.text, page=page, schema=schema)
        try:
            return self.pool.run(job).extraction.records
        except CrawlerFault:
            return ()


def _promoted(body: str, store: Store, pool: WorkerPool) -> Program | _Code:
    """The version that was made last."""
    is_code = store.crawlers("bench/family")[-1].kind is CrawlerKind.CODE
    return _Code(body, pool) if is_code else Program.from_json(body)


def _cut(value: Value) -> str:
    """A value as it is printed."""
    return repr(value)[:_PRINTED]


def _is_same_file(wanted: Sequence[Value], got: Value) -> bool:
    """Whether an address ends in the same file as one of those that are right: sites
    say in the folders before it how large a picture is to be."""
    name = _file_name(got)
    return len(name) >= _TELLING and name in map(_file_name, wanted)


def _file_name(value: Value) -> str:
    """The file that an address ends in, "" of anything else."""
    address = urlsplit(value) if isinstance(value, str) else urlsplit("")
    return address.path.rpartition("/")[2] if address.netloc else ""


def _readers(made: Program | _Code, name: str) -> tuple[Reader, ...]:
    """The readers of a field, none if the program has no such field; code has none."""
    field = made.field(name) if isinstance(made, Program) else None
    return field.readers if field else ()


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, metavar="DATA_DIR")
    parser.add_argument("--families", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--after", help="a family of the order")
    parser.add_argument("--only", type=Path, help="a file of families, one a line")
    parser.add_argument("--code", action="store_true")
    parser.add_argument("--json", type=Path, default=Path("/dev/null"))
    asked = parser.parse_args()
    pack = load_pack(asked.data)
    names = list(map(attrgetter("family"), chosen(pack)))
    if asked.after:
        names = names[names.index(asked.after) + 1 :]
    if asked.only:
        names = asked.only.read_text(encoding="utf-8").split()
    by_name = dict(zip(map(attrgetter("family"), pack), pack, strict=True))
    families = map(by_name.__getitem__, names)
    found: list[RepairedFamily] = []
    with ThreadPoolExecutor(asked.jobs) as threads:
        looked = threads.map(partial(_looked, asked.data, asked.code), families)
        for ended in islice(filter(None, looked), asked.families):
            found.append(ended)
            print(line(ended), flush=True)
            asked.json.write_bytes(ENDED.dump_json(found, indent=1))
        threads.shutdown(cancel_futures=True)
    print("\n".join(["", *table(found)]))


def _looked(data: Path, code: bool, family: PackFamily) -> RepairedFamily | None:
    """One family; None if nothing of it is open."""
    for case, unit in chain.from_iterable(map(_redesigns, units(family))):
        bench = Workbench(data, unit, Input.BARE)
        return _Redesign(data, bench, case, family, code).run()
    return None


def _redesigns(unit: Unit) -> list[tuple[Case, Unit]]:
    """The last redesign of a unit that keeps a page, if one does."""
    found = [(case, unit) for case in cases(unit) if _keeps(case)]
    return found[-1:]


def _keeps(case: Case) -> bool:
    """Whether a case is a redesign of whose pages something is known."""
    is_known = any(map(attrgetter("known"), case.hints))
    return case.task is Task.DRIFT and is_known


if __name__ == "__main__":
    main()
