"""Do the checks notice real redesigns? On a folder of captured pages, with the past a daily refresh would have.

    python -m bench.drift_pages DATA_DIR [--input as-is|no-scripts|bare] [--families 120] [--seed 1] [--jsonl FILE]

Per redesign: a program is compiled from the before-pages and reads them for ten quiet days; then the after-pages come,
read by the same program, and the last known record of each is its gold record (what the site said yesterday, in the old
layout). Per pair of captures of one unchanged layout: the program reads the other capture as it did the day before. A
page is *noticed* if it is held, refused as another kind of page, or its batch is. Core fields are required, as an
operator would have them. Rates are averaged over families.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from crawloop_assets.crawler.document import Document
from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.drift import BatchStats, PageFacts, PageOutcome, judge_batch, judge_page, page_facts, page_verdict
from crawloop_assets.errors import CrawloopError
from crawloop_assets.eval.gold import to_learn
from crawloop_assets.eval.inputs import Input
from crawloop_assets.eval.pack import PackFamily, load_pack
from crawloop_assets.eval.plan import Case, Task, cases, units
from crawloop_assets.eval.run import Bench, CaseResult
from crawloop_assets.eval.schemas import CORE
from crawloop_assets.eval.score import Outcome
from crawloop_assets.family import Family
from crawloop_assets.page import Verdict

QUIET_DAYS = 10
Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--input", type=Input, default=Input.AS_IS)
    parser.add_argument("--families", type=int, default=120, help="of each sort: redesigned, unchanged")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jsonl", type=Path)
    args = parser.parse_args()
    pack = [family for family in load_pack(args.data) if family.kind != "document"]
    random.Random(args.seed).shuffle(pack)
    redesigned = [family for family in pack if family.redesigns][: args.families]
    unchanged = [family for family in pack if family.unchanged][: args.families]
    rows = [row for family in redesigned for row in _family(args.data, family, args.input, redesigns=True)]
    rows += [row for family in unchanged for row in _family(args.data, family, args.input, redesigns=False)]
    if args.jsonl:
        args.jsonl.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    print(f"{args.input.value}, seed {args.seed}: {len(redesigned)} redesigned families, {len(unchanged)} unchanged")
    _print("core-broken pages noticed", rows, lambda row: row["redesigned"] and row["broken"])
    _print("silently wrong pages noticed", rows, lambda row: row["redesigned"] and row["silent"])
    _print("redesigned, core right: held", rows, lambda row: row["redesigned"] and not row["broken"])
    _print("unchanged, core right: held", rows, lambda row: not row["redesigned"] and not row["broken"])


def _print(what: str, rows: Sequence[Row], wanted: Callable[[Row], bool]) -> None:
    by_family: defaultdict[str, list[bool]] = defaultdict(list)
    for row in rows:
        if wanted(row):
            by_family[row["family"]].append(row["noticed"])
    shares = [sum(found) / len(found) for found in by_family.values()]
    noticed, pages = sum(map(sum, by_family.values())), sum(map(len, by_family.values()))
    mean = f"{sum(shares) / len(shares):.3f}" if shares else "-"
    print(f"  {what}: {mean} ({noticed} of {pages} pages, {len(shares)} families)")


def _family(folder: Path, pack: PackFamily, form: Input, redesigns: bool) -> Iterator[Row]:
    for unit in units(pack):
        bench = Bench(folder, unit, form)
        core = CORE[unit.model]
        fields = tuple(spec.model_copy(update={"required": spec.name in core}) for spec in bench.schema.fields)
        bench.schema = bench.schema.model_copy(update={"fields": fields})
        kind = "listing" if unit.listing else "detail"
        family = Family.model_validate(
            {"family": "pack/page", "schema": "tests.models:Item", "discover": {}, "kind": kind}
        )
        for case in cases(unit):
            if case.task is Task.HEAL_BLIND if redesigns else case.unchanged:
                yield from _case(bench, family, case, redesigns)


def _case(bench: Bench, family: Family, case: Case, redesigned: bool) -> Iterator[Row]:
    try:
        program = bench._learned(case.learn, CaseResult())
    except (CrawloopError, ValueError):
        return
    if program is None:
        return
    history, last = _quiet_days(bench, family, program, case)
    outcomes = []
    for page in case.test:
        if redesigned:
            known = [to_learn(gold) for gold in bench.gold(page)]
            outcomes.append(_outcome(bench, family, program, page, known, last))
        else:
            before = _outcome(bench, family, program, page, (), None)
            outcomes.append(_outcome(bench, family, program, page, before.values, before.facts))
    judgement = judge_batch(bench.schema, family, outcomes, history, batch="1")
    scored = CaseResult()
    bench._score(case, program, scored)
    for page, outcome in zip(case.test, outcomes, strict=True):
        core = [seen for seen in scored.observations if seen.page == page and seen.field in CORE[bench.unit.model]]
        broken = any(seen.outcome is not Outcome.RIGHT for seen in core)
        yield {
            "family": bench.unit.family.family,
            "page": page,
            "redesigned": redesigned,
            "broken": broken,
            "silent": broken and all(seen.outcome is not Outcome.NONE for seen in core),
            "noticed": outcome.verdict is not Verdict.OK
            or outcome.url in judgement.held
            or judgement.hold_all is not None,
            "verdict": outcome.verdict.value,
            "why": [
                f"{check.name} {check.severity}: {check.sentence}" for check in judgement.checks if not check.passed
            ],
        }


def _quiet_days(
    bench: Bench, family: Family, program: Program, case: Case
) -> tuple[list[BatchStats], PageFacts | None]:
    history: list[BatchStats] = []
    first = [_outcome(bench, family, program, page, (), None) for page in case.learn]
    later = [
        _outcome(bench, family, program, page, one.values, one.facts)
        for page, one in zip(case.learn, first, strict=True)
    ]
    for day in range(QUIET_DAYS):
        judgement = judge_batch(bench.schema, family, later if day else first, history, batch="1")
        history.append(judgement.stats.model_copy(update={"drifted": False}))
    return history, first[-1].facts


def _outcome(
    bench: Bench,
    family: Family,
    program: Program,
    page_id: str,
    previous: Sequence[Any],
    facts_before: PageFacts | None,
) -> PageOutcome:
    page = bench.page(page_id)
    document = Document(page)
    extraction: Extraction = run(program, document)
    facts = page_facts(document, page)
    required = [spec.name for spec in bench.schema.fields if spec.required]
    valid = [
        dict(record.values)
        for record in extraction.records
        if all(record.values.get(name) not in (None, "", []) for name in required)
    ]
    verdict, _ = page_verdict(page, facts, family, len(valid))
    findings = judge_page(bench.schema, family, extraction, (), previous) if verdict is Verdict.OK else []
    return PageOutcome(
        url=f"{page.url}#{page_id}",
        verdict=verdict,
        version=1,
        page_sha256=page.sha256,
        extraction=extraction,
        values=tuple(valid),
        findings=tuple(findings),
        facts=facts,
        previous=tuple(previous),
        previous_facts=facts_before,
    )


if __name__ == "__main__":
    main()
