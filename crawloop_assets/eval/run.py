"""Runs the cases of one unit and scores what comes out, field by field.

Lives in a killable process.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.eval.drifting import (
    DriftCase,
    PageReading,
    alarm_of,
    outcome_today,
    quiet_history,
    refusals,
    watched_case,
)
from crawloop_assets.eval.gold import (
    Gold,
    stands_in_page,
    to_learn,
)
from crawloop_assets.eval.plan import EXAMPLES, Case
from crawloop_assets.eval.results import Alarm, CaseResult, Count, Refusal
from crawloop_assets.eval.schemas import core_of
from crawloop_assets.eval.score import (
    Observation,
    Score,
    counted,
    items_scored,
    match_rows,
    passes_gate,
    score_value,
)
from crawloop_assets.eval.tasks import Task
from crawloop_assets.eval.watch import Watch
from crawloop_assets.eval.workbench import Workbench
from crawloop_assets.induce.healing.heal import HealDecision
from crawloop_assets.induce.healing.healed import HealedProgram

_Place = tuple[str, int, str]
"""A page, a row of it and a field."""


class Bench(Workbench):
    """Runs cases of one unit, and scores what came out."""

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
            result.alarms = [_missed(page, case.unchanged) for page in case.test]
            return result
        for page in case.test:
            result.observations += self._unread_page(case, page)
            if self._is_countable(case):
                result.counts.append(self._count(page, -1))
        return result

    def _unread_page(self, case: Case, page: str) -> Iterator[Observation]:
        """The fields of a page nobody read; of a listing without the records that its
        program would have learned from."""
        skip = EXAMPLES if case.task is Task.LISTING else 0
        for row, gold in enumerate(self.gold(page)[skip:], start=skip):
            yield from self._unread(case, page, row, gold)

    def _unread(
        self, case: Case, page: str, row: int, gold: Gold
    ) -> Iterator[Observation]:
        """The fields of a gold record nobody read: none of them is right, and none is
        wrong."""
        is_healing = bool(case.hints)
        for name in counted(gold, self.in_dom(page), self.form):
            yield Observation(
                case.task,
                page,
                name,
                Score.NONE,
                row=row,
                expected=gold[name][0],
                items=items_scored(gold[name], None, Score.NONE),
                before=Score.NONE if is_healing else None,
                broken=is_healing,
                abstained=True,
            )

    def _count(self, page: str, found: int) -> Count:
        """Records found against those the page holds; equal ones are one."""
        return Count(page, found, len(set(map(str, self.gold(page)))))

    def _compile_case(self, case: Case, result: CaseResult) -> None:
        """Learn from pages, score on others."""
        self.score(case, self.learned(case.learn, result), result)

    def _listing_case(self, case: Case, result: CaseResult) -> None:
        """Learn from a page's first records, score on its others."""
        page_id = case.learn[0]
        examples = [self.example(0, page_id, EXAMPLES)]
        program = self.compile([self.page(page_id)], examples, result)
        self.score(case, program, result, skip=EXAMPLES)

    def _drift_case(self, case: Case, result: CaseResult) -> None:
        """A program that was never made cannot drift."""
        program = self.learned(case.learn, result)
        if program is None:
            return
        learned = list(chain.from_iterable(map(self.gold, case.learn)))
        core = core_of(self.unit.family, self.unit.model)
        drift = watched_case(case, self.schema, self.kind, core, program, learned)
        read = [
            (self.page(page), self.extract(program, page, result))
            for page in case.learn
        ]
        history = quiet_history(drift, read)
        result.alarms += self._alarms(drift, self._readings(case, program), history)
        if not case.unchanged:
            result.refusals += self._refusals(drift, case.test[0], history)

    def _refusals(
        self, drift: DriftCase, target: str, history: Sequence[BatchStats]
    ) -> list[Refusal]:
        """What becomes of lost pages in the place of the `target`. Its own gold records
        are known, as they are to a family whose page was fine the day before."""
        known = list(map(to_learn, self.gold(target)))
        return refusals(drift, self.page(target), known, history)

    def _alarms(
        self,
        drift: DriftCase,
        readings: Sequence[PageReading],
        history: Sequence[BatchStats],
    ) -> Iterator[Alarm]:
        """One alarm, raised or not, for each page; the pages are judged as one batch
        that follows those of the history."""
        outcomes = [
            outcome_today(drift, self.page(reading.page), reading.found, reading.golds)
            for reading in readings
        ]
        noticed = drift.watch.noticed(history, outcomes)
        yield from map(partial(alarm_of, drift), readings, noticed)

    def _readings(self, case: Case, program: Program) -> list[PageReading]:
        """The test pages as the program reads them, each with its scores."""
        scored = CaseResult()
        readings = []
        for page, found in self.score(case, program, scored).items():
            seen = [mark for mark in scored.observations if mark.page == page]
            readings.append(PageReading(page, found, seen, self.gold(page)))
        return readings

    def _heal_case(self, case: Case, result: CaseResult) -> None:
        """Heal the old layout's program on pages of the new one. Each field is scored
        with what doing nothing would have read, and with what a program of one reader
        per field would have."""
        old = self.learned(case.learn, result)
        before = CaseResult()
        self.score(case, old, before)
        healed, program = None, old
        if old is not None:
            healed = self.heal(case, old, result)
            program = healed.program or old
        after = CaseResult()
        held = self._held(self.score(case, program, after))
        outcomes, broken = _outcomes(before), self._broken(case, old)
        for seen in after.observations:
            place = _place(seen)
            changed = replace(
                seen,
                before=outcomes[place],
                broken=place in broken,
                gated=seen.gated and not held[seen.page],
                abstained=_abstained(healed, seen.field),
            )
            result.observations.append(changed)

    def _held(self, extractions: Mapping[str, Extraction]) -> dict[str, bool]:
        """Page id -> whether the product's checks would hold it back."""
        watch = Watch(self.schema, self.kind)
        held = {}
        for page, found in extractions.items():
            held[page] = watch.held(self.page(page), found)
        return held

    def _broken(self, case: Case, old: Program | None) -> frozenset[_Place]:
        """The fields that the old program reads, but would not read right with one
        reader per field; none without a program."""
        if old is None:
            return frozenset()
        first = CaseResult()
        self.score(case, _first_readers(old), first)
        read = set(map(attrgetter("spec.name"), old.fields))
        return frozenset(
            _place(mark)
            for mark in first.observations
            if mark.field in read and mark.outcome is not Score.RIGHT
        )

    def score(
        self, case: Case, program: Program | None, result: CaseResult, skip: int = 0
    ) -> Mapping[str, Extraction]:
        """Read the test pages and score them from row `skip` on; what was read."""
        extractions = {page: self.extract(program, page, result) for page in case.test}
        for page, extraction in extractions.items():
            pairs = list(self._pairs(page, extraction))
            for row, (gold, record) in enumerate(pairs[skip:], start=skip):
                result.observations += self._observe(case, page, row, gold, record)
            if self._is_countable(case):
                result.counts.append(self._count(page, len(extraction.records)))
        return extractions

    def _pairs(
        self, page: str, extraction: Extraction
    ) -> Iterable[tuple[Gold, ExtractedRecord | None]]:
        """Gold records and what was read for each; a page that is no listing has one
        record."""
        golds = self.gold(page)
        if extraction.records and not self.unit.listing:
            return zip(golds, extraction.records[:1], strict=False)
        return zip(golds, match_rows(golds, extraction.records), strict=True)

    def _observe(
        self,
        case: Case,
        page: str,
        row: int,
        gold: Gold,
        record: ExtractedRecord | None,
    ) -> Iterator[Observation]:
        """The scored fields of a gold record; `record` is None if nothing was read for
        it."""
        in_dom = self.in_dom(page)
        read = record or ExtractedRecord(values={})
        for name in counted(gold, in_dom, self.form):
            got, vote = read.values.get(name), read.votes.get(name)
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
                items=items_scored(gold[name], got, outcome),
                grounded=stands_in_page(name, in_dom),
            )
            yield _voted(observation, vote) if vote else observation
        if self.unit.family.fields:
            yield from self._made_up(case, page, gold, read)

    def _made_up(
        self, case: Case, page: str, gold: Gold, read: ExtractedRecord
    ) -> Iterator[Observation]:
        """What was read of fields that the page does not state, where all is known that
        it does."""
        for name in sorted(read.values.keys() - gold.keys()):
            got, vote = read.values[name], read.votes.get(name)
            observation = Observation(
                task=case.task,
                page=page,
                field=name,
                outcome=Score.WRONG,
                gated=passes_gate(vote),
                got=got,
                items=items_scored((), got, Score.WRONG),
            )
            yield _voted(observation, vote) if vote else observation

    def _is_countable(self, case: Case) -> bool:
        """True if the records found can be held against those the page has: the pack
        knows them all."""
        if case.task is Task.ZERO_EXAMPLES or self.unit.partial:
            return False
        return self.unit.listing


def _voted(observation: Observation, vote: FieldVote) -> Observation:
    """An observation with what is told of its value in the list of errors: which reader
    gave it, and how many others agreed."""
    return replace(
        observation,
        reader=vote.reader,
        agreement=vote.agreement,
        live_readers=vote.live_readers,
    )


def _missed(page: str, unchanged: bool) -> Alarm:
    """A broken page that nobody noticed."""
    return Alarm(
        page,
        unchanged,
        broken=True,
        silent=False,
        right=False,
        raised=False,
        plain=False,
    )


def _first_readers(program: Program) -> Program:
    """The program with only the most trusted reader of each field, as a crawler of one
    selector per field would be."""
    fields = tuple(map(_first_reader, program.fields))
    return program.model_copy(update={"fields": fields})


def _first_reader(field: FieldProgram) -> FieldProgram:
    """The field with its most trusted reader only."""
    if not field.readers:
        return field
    first = max(field.readers, key=lambda reader: reader.weight)
    return field.model_copy(update={"readers": (first,)})


def _place(seen: Observation) -> _Place:
    """Which field of which record was scored."""
    return seen.page, seen.row, seen.field


def _outcomes(result: CaseResult) -> dict[_Place, Score]:
    """The scores of a case, by the field of the record they are about."""
    return {_place(seen): seen.outcome for seen in result.observations}


def _abstained(healed: HealedProgram | None, name: str) -> bool:
    """True if healing left the field as it was, or there was none."""
    decision = healed.fields.get(name) if healed else None
    return decision is None or decision.decision is HealDecision.ABSTAINED
