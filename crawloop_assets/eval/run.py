"""Runs the cases of one unit: compiles, extracts, heals, and says what came out.

Lives in a killable process.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from crawloop_assets.crawler.extraction import Example, ExtractedRecord, Extraction
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.eval.drifting import (
    PageReading,
    alarm_of,
    outcome_today,
    quiet_history,
    refusals,
    watched_case,
)
from crawloop_assets.eval.gold import (
    Gold,
    gold_record,
    page_url,
    stands_in_page,
    to_learn,
)
from crawloop_assets.eval.inputs import load_page
from crawloop_assets.eval.layouts import Unit
from crawloop_assets.eval.plan import EXAMPLES, Case
from crawloop_assets.eval.results import Alarm, CaseResult, Count
from crawloop_assets.eval.schemas import CORE, SCHEMAS
from crawloop_assets.eval.score import (
    Observation,
    Score,
    counted,
    match_rows,
    passes_gate,
    score_value,
)
from crawloop_assets.eval.tasks import Input, Task
from crawloop_assets.eval.watch import Watch
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import (
    HealDecision,
    HealedProgram,
    heal_program,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import RecordSchema, schema_of


class Bench:
    """The pages, gold records and compiled programs of one unit."""

    def __init__(self, folder: Path, unit: Unit, form: Input):
        self.folder, self.unit, self.form = folder, unit, form
        model = next(
            model
            for model in SCHEMAS[unit.family.schema_name]
            if model.__name__ == unit.model
        )
        self.schema: RecordSchema = schema_of(model)
        self.captures = {page.id: page for page in unit.pages}
        self._pages: dict[str, Page] = {}
        self._gold: dict[str, list[Gold]] = {}
        self._programs: dict[tuple[str, ...], Program | None] = {}
        self._extracted: set[str] = set()

    def run(self, case: Case) -> CaseResult:
        """One case.

        Whatever the compiler raises, passes through.
        """
        result = CaseResult(task=case.task)
        match case.task:
            case Task.COMPILE | Task.COMPILE_K2 | Task.COMPILE_K3:
                self._compile_case(case, result)
            case Task.ZERO_EXAMPLES:
                page = self.page(case.learn[0])
                self.score(case, self.compile([page], [], result), result)
            case Task.LISTING:
                self._listing_case(case, result)
            case Task.DRIFT:
                self._drift_case(case, result)
            case _:
                self._heal_case(case, result)
        return result

    def missing(self, case: Case) -> CaseResult:
        """The case as it counts when its process died: every field none.

        Needs no parsing.
        """
        result = CaseResult(task=case.task)
        if case.task is Task.DRIFT:
            result.alarms = [
                Alarm(page, case.unchanged, True, False, False, False, False)
                for page in case.test
            ]
            return result
        skip = EXAMPLES if case.task is Task.LISTING else 0
        for page in case.test:
            for row, gold in enumerate(self.gold(page)[skip:], start=skip):
                for name in counted(gold, self.captures[page].in_dom, self.form):
                    before = Score.NONE if case.hints else None
                    seen = Observation(
                        case.task,
                        page,
                        name,
                        Score.NONE,
                        row=row,
                        before=before,
                        broken=before is not None,
                        abstained=True,
                    )
                    result.observations.append(replace(seen, expected=gold[name][0]))
            if self._countable(case):
                result.counts.append(
                    Count(page, -1, len(set(map(str, self.gold(page)))))
                )
        return result

    @property
    def kind(self) -> FamilyKind:
        if self.unit.family.kind == "json":
            return FamilyKind.JSON
        return FamilyKind.LISTING if self.unit.listing else FamilyKind.DETAIL

    def page(self, page_id: str) -> Page:
        """The capture as a page, in this bench's form."""
        if page_id not in self._pages:
            capture = self.captures[page_id]
            url = page_url(capture.url, capture.records)
            self._pages[page_id] = load_page(self.folder / capture.file, url, self.form)
        return self._pages[page_id]

    def gold(self, page_id: str) -> list[Gold]:
        """The typed gold records of a capture."""
        if page_id not in self._gold:
            capture = self.captures[page_id]
            url = page_url(capture.url, capture.records)
            self._gold[page_id] = [
                gold_record(record, self.schema, url) for record in capture.records
            ]
        return self._gold[page_id]

    def _compile_case(self, case: Case, result: CaseResult) -> None:
        self.score(case, self.learned(case.learn, result), result)

    def _listing_case(self, case: Case, result: CaseResult) -> None:
        page_id = case.learn[0]
        records = tuple(to_learn(gold) for gold in self.gold(page_id)[:EXAMPLES])
        program = self.compile(
            [self.page(page_id)], [Example(page=0, records=records)], result
        )
        self.score(case, program, result, skip=EXAMPLES)

    def _drift_case(self, case: Case, result: CaseResult) -> None:
        """A program that was never made cannot drift."""
        program = self.learned(case.learn, result)
        if program is None:
            return
        learned = [gold for page in case.learn for gold in self.gold(page)]
        core = CORE[self.unit.model]
        drift = watched_case(case, self.schema, self.kind, core, program, learned)
        read = [
            (self.page(page), self.extract(program, page, result))
            for page in case.learn
        ]
        history = quiet_history(drift, read)
        scored = CaseResult()
        today = self.score(case, program, scored)
        outcomes = [
            outcome_today(drift, self.page(page), found, self.gold(page))
            for page, found in today.items()
        ]
        noticed = drift.watch.noticed(history, outcomes)
        for (page, found), (raised, why) in zip(today.items(), noticed, strict=True):
            seen = [one for one in scored.observations if one.page == page]
            reading = PageReading(page, found, seen, self.gold(page))
            result.alarms.append(alarm_of(drift, reading, raised, why))
        if not case.unchanged:
            target = case.test[0]
            known = [to_learn(gold) for gold in self.gold(target)]
            result.refusals += refusals(drift, self.page(target), known, history)

    def _heal_case(self, case: Case, result: CaseResult) -> None:
        old = self.learned(case.learn, result)
        before = CaseResult()
        self.score(case, old, before)
        healed = self.heal(case, old, result) if old else None
        after = CaseResult()
        extractions = self.score(
            case, healed.program if healed and healed.program else old, after
        )
        watch = Watch(self.schema, self.kind)
        held = {
            page: watch.held(self.page(page), found)
            for page, found in extractions.items()
        }
        first = CaseResult()
        self.score(case, _first_readers(old) if old else None, first)
        outcomes, firsts = _outcomes(before), _outcomes(first)
        read = {field.spec.name for field in old.fields} if old else frozenset()
        for seen in after.observations:
            at = (seen.page, seen.row, seen.field)
            changed = replace(
                seen,
                before=outcomes[at],
                broken=seen.field in read and firsts[at] is not Score.RIGHT,
                gated=seen.gated and not held[seen.page],
                abstained=_abstained(healed, seen.field),
            )
            result.observations.append(changed)

    def heal(self, case: Case, old: Program, result: CaseResult) -> HealedProgram:
        pages = [self.page(hint.page) for hint in case.hints]
        known = [
            Example(
                page=index,
                records=tuple(to_learn(gold) for gold in self.gold(hint.known)),
            )
            for index, hint in enumerate(case.hints)
            if hint.known
        ]
        start = time.process_time()
        healed = heal_program(self.schema, old, pages, known)
        result.times.setdefault("heal_ms", []).append(_since(start))
        return healed

    def learned(self, learn: tuple[str, ...], result: CaseResult) -> Program | None:
        if learn not in self._programs:
            examples = [
                Example(
                    page=index,
                    records=tuple(to_learn(gold) for gold in self.gold(page_id)),
                )
                for index, page_id in enumerate(learn)
            ]
            self._programs[learn] = self.compile(
                [self.page(page_id) for page_id in learn], examples, result
            )
        return self._programs[learn]

    def compile(
        self, pages: Sequence[Page], examples: Sequence[Example], result: CaseResult
    ) -> Program | None:
        start = time.process_time()
        compiled = compile_program(self.schema, pages, examples, self.kind)
        result.times.setdefault("induce_ms", []).append(_since(start))
        return compiled.program

    def extract(
        self, program: Program | None, page_id: str, result: CaseResult
    ) -> Extraction:
        if program is None:
            return Extraction()
        start = time.process_time()
        document = Document(self.page(page_id))
        parsed = time.process_time()
        extraction = run(program, document)
        if (
            page_id not in self._extracted
        ):  # one time per page: pages with many cases do not weigh more
            self._extracted.add(page_id)
            result.times.setdefault("parse_ms", []).append((parsed - start) * 1000)
            result.times.setdefault("extract_ms", []).append(_since(parsed))
        return extraction

    def score(
        self, case: Case, program: Program | None, result: CaseResult, skip: int = 0
    ) -> Mapping[str, Extraction]:
        extractions = {page: self.extract(program, page, result) for page in case.test}
        for page, extraction in extractions.items():
            golds = self.gold(page)
            single = not self.unit.listing and extraction.records
            rows = (
                [extraction.records[0]]
                if single
                else match_rows(golds, extraction.records)
            )
            for row, (gold, record) in enumerate(zip(golds, rows, strict=False)):
                if row >= skip:
                    result.observations += self._observe(case, page, row, gold, record)
            if self._countable(case):
                result.counts.append(
                    Count(page, len(extraction.records), len(set(map(str, golds))))
                )
        return extractions

    def _observe(
        self,
        case: Case,
        page: str,
        row: int,
        gold: Gold,
        record: ExtractedRecord | None,
    ) -> list[Observation]:
        in_dom = self.captures[page].in_dom
        seen = []
        for name in counted(gold, in_dom, self.form):
            got = record.values.get(name) if record else None
            vote = record.votes.get(name) if record else None
            outcome = score_value(gold[name], got, self.schema, name)
            observation = Observation(
                task=case.task,
                page=page,
                field=name,
                outcome=outcome,
                gated=outcome is not Score.NONE and passes_gate(vote),
                row=row,
                expected=gold[name][0],
                got=got,
                grounded=stands_in_page(name, in_dom),
            )
            if vote:
                observation = replace(
                    observation,
                    reader=vote.reader,
                    agreement=vote.agreement,
                    live_readers=vote.live_readers,
                )
            seen.append(observation)
        return seen

    def _countable(self, case: Case) -> bool:
        return (
            self.unit.listing
            and not self.unit.partial
            and case.task is not Task.ZERO_EXAMPLES
        )


def _first_readers(program: Program) -> Program:
    """The program with only the most trusted reader of each field, as a crawler of one
    selector per field would be."""
    fields = (
        field.model_copy(
            update={"readers": (max(field.readers, key=lambda reader: reader.weight),)}
        )
        if field.readers
        else field
        for field in program.fields
    )
    return program.model_copy(update={"fields": tuple(fields)})


def _outcomes(result: CaseResult) -> dict[tuple[str, int, str], Score]:
    return {
        (seen.page, seen.row, seen.field): seen.outcome for seen in result.observations
    }


def _abstained(healed: HealedProgram | None, name: str) -> bool:
    decision = healed.fields.get(name) if healed else None
    return decision is None or decision.decision is HealDecision.ABSTAINED


def _since(start: float) -> float:
    return (time.process_time() - start) * 1000
