"""Heal a crawler: field by field, keep what works, and replace only on independent evidence.

Witnesses for a field on a changed page: the old readers that still speak, readers aligned anew to a last known value,
the page's structured data, and likeness to what the field was. A change is accepted when two of them say the same, or
when the last known value itself is found again under the field's name. Otherwise the field stays as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.document import Document
from crawloop_assets.crawler.extraction import Example, Value
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, PageKind, Program, Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.vote import decide
from crawloop_assets.induce.candidate import Candidate
from crawloop_assets.induce.ensemble import MOST_READERS, Known, Tried, ensemble, induce
from crawloop_assets.induce.listing_heal import heal_listing
from crawloop_assets.induce.places import Index
from crawloop_assets.induce.relocate import relocate, relocated_readers
from crawloop_assets.induce.scores import FieldScore, ScoreSheet
from crawloop_assets.induce.structured import main_roots, structured_candidates
from crawloop_assets.page import Page
from crawloop_assets.record import same
from crawloop_assets.schema import FieldSpec, RecordSchema


class Decision(StrEnum):
    """What was done about a field."""

    KEPT = "kept"
    REALIGNED = "realigned"
    RELOCATED = "relocated"
    ABSTAINED = "abstained"


class FieldDecision(BaseModel):
    """What was done about a field, why, and with how many readers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    decision: Decision
    reason: str
    readers: int = 0


class Healed(BaseModel):
    """A healed program (None if a required field could not be recovered or nothing had to change) and the evidence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    program: Program | None
    fields: dict[str, FieldDecision]
    scores: ScoreSheet


@dataclass(frozen=True)
class _Case:
    """One field on the changed pages."""

    spec: FieldSpec
    old: FieldProgram
    known: tuple[Known, ...]
    fresh: tuple[Candidate, ...]

    @property
    def documents(self) -> list[Document]:
        return [each.document for each in self.known]


def heal_program(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    older: Sequence[Program] = (),
) -> Healed:
    """Heal a program on pages it drifted on.

    `known` are last known good records of some of `pages` (their values may have changed since), `older` other versions
    of the family. Deterministic. The healed program keeps every field that still works.
    """
    if program.kind is not PageKind.DETAIL:
        return _heal_rows(schema, program, pages, known)
    documents = [Document(page) for page in pages]
    main = main_roots(documents, schema)
    indexes = [Index(document, schema.name, main) for document in documents]
    rows = {example.page: example.records[0] for example in known if example.records}
    fields: list[FieldProgram] = []
    decisions: dict[str, FieldDecision] = {}
    for spec in schema.fields:
        old = program.field(spec.name) or FieldProgram(spec=spec)
        readers = [*old.readers, *(r for other in older for r in _readers(other, spec.name) if r not in old.readers)]
        case = _Case(
            spec,
            old.model_copy(update={"readers": tuple(readers)}),
            tuple(Known(index, rows.get(at, {}).get(spec.name)) for at, index in enumerate(indexes)),
            tuple(_structured(indexes, spec, main)),
        )
        healed, decisions[spec.name] = _heal_field(case)
        if healed.readers:
            fields.append(healed)
    return _finished(schema, program, fields, decisions, indexes, len(rows))


def _readers(program: Program, name: str) -> tuple[Reader, ...]:
    field = program.field(name)
    return field.readers if field else ()


def _structured(indexes: Sequence[Index], spec: FieldSpec, main: Sequence[str]) -> list[Candidate]:
    found: dict[tuple[str, ...], Candidate] = {}
    for index in indexes:
        for candidate in structured_candidates(index.document, spec, main):
            found.setdefault(candidate.key, candidate)
    return sorted(found.values(), key=lambda each: (-round(each.prior, 6), each.key))[:3]


def _heal_field(case: _Case) -> tuple[FieldProgram, FieldDecision]:
    old_votes = [vote_on(case.old, Scope(document)) for document in case.documents]
    live = sum(value is not None for value, _ in old_votes)
    strong = sum(value is not None and vote.agreement >= 0.5 for value, vote in old_votes)
    confirmed = sum(
        known.value is not None and same(value, known.value, case.spec)
        for known, (value, _) in zip(case.known, old_votes, strict=True)
    )
    tried = induce(case.known, case.spec) if any(known.value is not None for known in case.known) else []
    if confirmed or (live == len(old_votes) and strong == live):
        reason = f"still right on {confirmed} known page(s)" if confirmed else "its readers still agree"
        return _decided(case, Decision.KEPT, reason, _refreshed(case, tried if confirmed else []))
    if tried:
        aligned = [each for each in tried if each.candidate.named > 0 or not _is_chance(each)]
        if aligned and aligned[0].candidate.prior >= 0.4:
            return _decided(case, Decision.REALIGNED, "last known value found again", ensemble(aligned))
    return _without_values(case, [value for value, _ in old_votes])


def _is_chance(tried: Tried) -> bool:
    return tried.candidate.prior < 0.5


def _decided(
    case: _Case, decision: Decision, reason: str, readers: tuple[Reader, ...]
) -> tuple[FieldProgram, FieldDecision]:
    field = case.old.model_copy(update={"readers": readers, "spec": case.spec})
    return field, FieldDecision(decision=decision, reason=reason, readers=len(readers))


def _refreshed(case: _Case, tried: Sequence[Tried]) -> tuple[Reader, ...]:
    """The old readers that still speak, joined by new ones where there is room."""
    speaking = [r for r in case.old.readers if any(read(r, Scope(d), case.spec) is not None for d in case.documents)]
    old = tuple(speaking or case.old.readers)[:MOST_READERS]
    new = tuple(r for r in ensemble(tried) if all((r.at, r.get) != (o.at, o.get) for o in old)) if tried else ()
    return (*old, *new)[:MOST_READERS]


def _without_values(case: _Case, old: Sequence[Value]) -> tuple[FieldProgram, FieldDecision]:
    """No known value stands on the pages: two of structured data, likeness and the old readers must agree."""
    votes = 0
    agreed: list[Candidate] = []
    for known, old_value in zip(case.known, old, strict=True):
        found = relocate(known.index, case.old, case.spec)
        fresh = next((read(c.reader, Scope(known.document), case.spec) for c in case.fresh), None)
        witnesses = [("old", 1.0, old_value), ("structured", 1.0, fresh), ("like", 1.0, found.value if found else None)]
        value, vote = decide(witnesses, case.spec)
        if value is not None and vote.agreement >= 0.6:
            votes += 1
            if found and same(found.value, value, case.spec):
                agreed.extend(relocated_readers(known.index, found, case.spec))
    if votes >= max(1, len(case.known) / 2):
        pool = [*case.fresh, *agreed]
        tried = [Tried(each, 1, 0, 0) for each in sorted(set(pool), key=lambda each: (-round(each.prior, 6), each.key))]
        if tried:
            return _decided(case, Decision.RELOCATED, f"two witnesses agree on {votes} page(s)", ensemble(tried))
    return _decided(case, Decision.ABSTAINED, "no two witnesses agree", case.old.readers[:MOST_READERS])


def _finished(
    schema: RecordSchema,
    program: Program,
    fields: Sequence[FieldProgram],
    decisions: dict[str, FieldDecision],
    indexes: Sequence[Index],
    records: int,
) -> Healed:
    scores = tuple(
        FieldScore(
            field=name,
            required=schema.field(name).required,
            readers=made.readers,
            reason=f"{made.decision.value}: {made.reason}",
        )
        for name, made in decisions.items()
    )
    changed = [name for name, made in decisions.items() if made.decision in (Decision.REALIGNED, Decision.RELOCATED)]
    healed = program.model_copy(update={"fields": tuple(fields)}) if fields else None
    dead = [s.name for s in schema.fields if s.required and decisions[s.name].decision is Decision.ABSTAINED]
    if not fields or dead:
        healed = None
    reason = f"{len(changed)} field(s) found again" if not dead else f"required {', '.join(dead)} not recovered"
    sheet = ScoreSheet(
        fields=scores,
        pages=len(indexes),
        records=records,
        oracle="last known good",
        passed=healed is not None,
        reason=reason,
    )
    return Healed(program=healed, fields=decisions, scores=sheet)


def _heal_rows(schema: RecordSchema, program: Program, pages: Sequence[Page], known: Sequence[Example]) -> Healed:
    """Pages of many records: their boundary broke, not one field, so all of it is kept, found again or guessed."""
    healed = heal_listing(schema, program, [Document(page) for page in pages], known)
    decisions = {}
    for spec in schema.fields:
        field = healed.program.field(spec.name) if healed.program else None
        decision = Decision.KEPT if healed.kept else Decision.REALIGNED if spec.name in healed.fields else None
        decisions[spec.name] = FieldDecision(
            decision=decision or Decision.ABSTAINED, reason=healed.reason, readers=len(field.readers) if field else 0
        )
    records = sum(len(example.records) for example in known)
    passed = healed.program is not None and not healed.kept
    scores = ScoreSheet(
        pages=len(pages), records=records, oracle="last known good", passed=passed, reason=healed.reason
    )
    return Healed(program=healed.program if passed else None, fields=decisions, scores=scores)
