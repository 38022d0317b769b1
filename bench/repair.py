"""What a model repairs of real redesigns that deterministic healing leaves open.

python -m bench.repair DATA_DIR [--families 30] [--jobs 8] [--first N] [--json FILE]

Families with a redesign that keeps a page are taken in the order of a hash of their
name, schema by schema in turn (`replay/choice.py`), until so many are found of which
healing without a model rejects the candidate or leaves fields unread whose known values
stand on the pages. A crawler is compiled from the pages before; known of the pages after
are the records that the same pages had before. Pages are bare: without scripts, meta,
microdata and RDFa. The model is that of the environment (docs/model.md); without one it
is only told which families would be asked about. `--first` asks about fewer of them.

Printed are a line for each family and a table: of the fields that were open and stand on
the pages after, those that are read rightly, wrongly or not at all by the version that
is promoted, on pages that healing has seen and on others; calls and tokens.
"""

import argparse
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.eval.gold import stands_in_page, to_learn
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
from crawloop_assets.replay.choice import chosen
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.store import CrawlerVersion, NewCrawler, Store, ledger

_TIMEOUT = "1500s"


class RepairedField(BaseModel):
    """One field of one page after the redesign: whether its known value was there to
    heal with, and how it is read without the model's part and with it."""

    page: str
    field: str
    is_known: bool
    is_by_model: bool
    alone: Score
    helped: Score


class RepairedFamily(BaseModel):
    """A family and what came of it; `open` are the fields that a model was asked for,
    "" of `outcome` that nobody was asked."""

    family: str
    schema_name: str
    open: tuple[str, ...] = ()
    alone: str = ""
    outcome: str = ""
    reason: str = ""
    tries: tuple[str, ...] = ()
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    fields: tuple[RepairedField, ...] = ()


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
    noting: _Noting = field(default_factory=lambda: _Noting(None))

    def run(self, *, asks: bool) -> RepairedFamily | None:
        """What comes of it; None if no first crawler is made, or nothing is open."""
        before = self.bench.learned(self.case.learn, CaseResult())
        if before is None:
            return None
        with tempfile.TemporaryDirectory() as home, WorkerPool(1) as pool:
            store = Store(Path(home, "var"), Path(home, "crawloop.duckdb"))
            family = self._declared()
            version = NewCrawler(family=family.family, body=before.to_json())
            store.promote(family.family, store.add_crawler(version), why="bench")
            repair = ModelRepair.of(family, None, "bench") if asks else None
            self.noting = _Noting(repair)
            regenerator = Regenerator(
                family, store, pool, "bench", "bench", self.noting
            )
            made = regenerator.heal(self._sample())
            attempt = self.noting.attempt
            if attempt is None or not _is_open(attempt):
                return None
            return self._told(before, attempt, made, store)

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
        self, before: Program, attempt: Attempt, made: Regeneration, store: Store
    ) -> RepairedFamily:
        """What is told of it."""
        alone = attempt.program if attempt.proof.passed else None
        healed = None
        if made.outcome is RegenerationOutcome.PROMOTED:
            healed = Program.from_json(made.program)
        fields = list(self._fields(before, alone, healed))
        with store.publisher.database.read() as connection:
            spent = ledger.calls_of(connection, ["bench"])
        return RepairedFamily(
            family=self.family.family,
            schema_name=self.family.schema_name,
            open=tuple(sorted({one.field for one in fields if one.is_by_model})),
            alone="healed in part" if alone else "abstained",
            outcome=made.outcome.value if self.noting.model else "",
            reason=made.reason,
            tries=tuple(map(str, made.tries)),
            calls=len(spent),
            tokens_in=sum(filter(None, map(attrgetter("tokens_in"), spent))),
            tokens_out=sum(filter(None, map(attrgetter("tokens_out"), spent))),
            fields=tuple(fields),
        )

    def _fields(
        self, before: Program, alone: Program | None, healed: Program | None
    ) -> Iterator[RepairedField]:
        """The fields that stand on the pages after and that healing alone left open."""
        known = {hint.page for hint in self.case.hints if hint.known}
        for page in self.case.test:
            first = self._scores(alone or before, page)
            last = self._scores(healed or alone or before, page)
            for (row, name), outcome in first.items():
                if not stands_in_page(name, self.bench.in_dom(page)):
                    continue
                yield RepairedField(
                    page=f"{page}#{row}",
                    field=name,
                    is_known=page in known,
                    is_by_model=_reads_otherwise(alone or before, healed, name),
                    alone=outcome,
                    helped=last[row, name],
                )

    def _scores(self, program: Program, page: str) -> dict[tuple[int, str], Score]:
        """How each field of each record of a page is read."""
        golds = self.bench.gold(page)
        records = self.bench.extract(program, page, CaseResult()).records
        scores = {}
        for row, (gold, read) in enumerate(
            zip(golds, match_rows(golds, records), strict=True)
        ):
            for name, wanted in gold.items():
                got = read.values.get(name) if read else None
                scores[row, name] = score_value(wanted, got, self.bench.schema, name)
        return scores


def _reads_otherwise(alone: Program, healed: Program | None, name: str) -> bool:
    """Whether a field is read by other readers with the model's help."""
    if healed is None:
        return False
    first, last = alone.field(name), healed.field(name)
    return (first.readers if first else ()) != (last.readers if last else ())


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path, metavar="DATA_DIR")
    parser.add_argument("--families", type=int, default=30)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--list", type=Path, help="where the chosen ones are kept")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    pack = {one.family: one for one in load_pack(asked.data)}
    names = [one.family for one in chosen(list(pack.values()))]
    if asked.list and asked.list.exists():
        names = asked.list.read_text().split()
    found: list[RepairedFamily] = []
    look = partial(_looked, asked.data, pack, bool(asked.first))
    with ThreadPoolExecutor(asked.jobs) as threads:
        wanted = names[: asked.first] if asked.first else names
        for ended in islice(filter(None, threads.map(look, wanted)), asked.families):
            found.append(ended)
            print(_line(ended), flush=True)
            if asked.json:
                asked.json.write_bytes(
                    TypeAdapter(list[RepairedFamily]).dump_json(found, indent=1)
                )
        threads.shutdown(cancel_futures=True)
    if asked.list and not asked.list.exists():
        asked.list.write_text("\n".join(one.family for one in found))
    print("\n".join(["", *table(found)]))


def _looked(
    data: Path, pack: dict[str, PackFamily], asks: bool, name: str
) -> RepairedFamily | None:
    """One family; None if nothing of it is open."""
    family = pack[name]
    for unit in units(family):
        drifts = [
            case
            for case in cases(unit)
            if case.task is Task.DRIFT and any(hint.known for hint in case.hints)
        ]
        for case in drifts[-1:]:
            bench = Workbench(data, unit, Input.BARE)
            return _Redesign(data, bench, case, family).run(asks=asks)
    return None


def _line(ended: RepairedFamily) -> str:
    """One family in a line."""
    fields = Counter(f"{one.alone.value}->{one.helped.value}" for one in ended.fields)
    said = ", ".join(f"{name} {count}" for name, count in sorted(fields.items()))
    return (
        f"{ended.family}: {ended.alone}; {ended.outcome} ({ended.calls} calls): {said}"
    )


def table(found: Iterable[RepairedFamily]) -> Iterator[str]:
    """The figures of all families."""
    found = list(found)
    yield "| families | promoted | calls | tokens in, out | pages | right | wrong | not read |"
    yield "|---|---|---|---|---|---|---|---|"
    promoted = [one for one in found if one.outcome == "promoted"]
    calls = sum(one.calls for one in found)
    tokens = (
        f"{sum(one.tokens_in for one in found)}, {sum(one.tokens_out for one in found)}"
    )
    for said, is_known in (("known", True), ("not known", False)):
        for who in ("alone", "helped"):
            scores = Counter(
                getattr(field, who)
                for one in found
                for field in one.fields
                if field.is_known is is_known
            )
            cells = (
                len(found),
                len(promoted),
                calls,
                tokens,
                f"{said}, {who}",
                *(scores[one] for one in (Score.RIGHT, Score.WRONG, Score.NONE)),
            )
            yield f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
