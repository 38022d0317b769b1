"""Heal a crawler: field by field, and replace what works no more on independent evidence.

Witnesses for a field on a changed page: the old readers that still speak, readers
aligned anew to a last known value, the page's structured data, likeness to what the
field was, and what became of it in other families of the site. A change is accepted
when two of them say the same, when structured data names the field, or when the last
known value itself is found under the field's name. Otherwise the field stays as it is.
Pages on which few fields are found at all are not the family's pages, and heal nothing.
"""

from collections.abc import Sequence
from functools import partial, reduce
from itertools import starmap
from operator import attrgetter, methodcaller
from typing import NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.flat import flat_example, flat_program, flat_schema
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FamilyKind, FieldProgram, Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.choices import is_worded
from crawloop_assets.induce.detail.named import PageNames
from crawloop_assets.induce.detail.structured import main_roots
from crawloop_assets.induce.detail.trials import KnownValue
from crawloop_assets.induce.healing.borrowed import own_fields
from crawloop_assets.induce.healing.decision import (
    FieldDecision,
    HealDecision,
    HealedField,
)
from crawloop_assets.induce.healing.field import heal_field, heal_object
from crawloop_assets.induce.healing.healed import HealedProgram, Sibling
from crawloop_assets.induce.healing.healed_parts import folded_healed
from crawloop_assets.induce.healing.listing import HealedListing, heal_listing
from crawloop_assets.induce.healing.merging import all_of, joined_behind
from crawloop_assets.induce.healing.moved_object import with_moved_object
from crawloop_assets.induce.healing.own_parts import own_parts, with_own_part
from crawloop_assets.induce.healing.passed_on import KnownRecord
from crawloop_assets.induce.healing.shown_too import with_shown
from crawloop_assets.induce.healing.siblings import sibling_candidates
from crawloop_assets.induce.healing.todays_price import with_todays_prices
from crawloop_assets.induce.healing.witness import Witnesses
from crawloop_assets.induce.locate.lasting import mark_passing
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.notation import noted_as_read, noted_as_shown
from crawloop_assets.induce.proof.right import is_right
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.induce.proof.wandered import where_they_stand
from crawloop_assets.induce.proof.worded import with_worded_numbers
from crawloop_assets.induce.trust import tuned
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, noted
from crawloop_assets.values.present import present
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

__all__ = [
    "NO_PAST",
    "FamilyPast",
    "FieldDecision",
    "HealDecision",
    "HealedProgram",
    "heal_program",
]

_LEAST_FIELDS = 2
_FOUND_AGAIN = (HealDecision.REALIGNED, HealDecision.RELOCATED)
_BORROWED = FieldDecision(
    decision=HealDecision.ABSTAINED, reason="what it says is another field's"
)


class FamilyPast(NamedTuple):
    """What is left of earlier days: `older` versions of the family, what became of
    `siblings` on the same site, and earlier `captures` of the pages."""

    older: Sequence[Program] = ()
    siblings: Sequence[Sibling] = ()
    captures: Sequence[Page] = ()


NO_PAST = FamilyPast()


def heal_program(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    past: FamilyPast = NO_PAST,
) -> HealedProgram:
    """Heal a program on pages it drifted on.

    `known` are last known good records of some of `pages` (their values may have
    changed since). Deterministic. The healed program keeps every field that still
    works.
    """
    flat = list(map(partial(flat_example, schema), known))
    past = FamilyPast(
        list(map(flat_program, past.older)),
        [
            Sibling(before=flat_program(one.before), after=flat_program(one.after))
            for one in past.siblings
        ],
        past.captures,
    )
    healed = _healed(flat_schema(schema), flat_program(program), pages, flat, past)
    return folded_healed(schema, program, healed, pages)


def _healed(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    past: FamilyPast,
) -> HealedProgram:
    """The same for records without records inside."""
    documents = list(map(Document, pages))
    mark_passing(documents, past.captures)
    if program.kind is FamilyKind.DETAIL:
        program = with_moved_object(program, documents, known)
        program = with_own_part(schema, program, documents, known)
        documents = own_parts(documents, program.part)
    else:
        known = where_they_stand(schema, documents, known)
    schema = noted_as_shown(schema, documents, known)
    schema = noted(schema, program.notation.of_texts)
    heal = partial(_heal_fields, schema, program, documents, past=past)
    if program.kind is not FamilyKind.DETAIL:
        heal = partial(_heal_rows, schema, program, documents)
    healed = with_todays_prices(schema, program, heal(known), documents, known, heal)
    healed = with_shown(schema, program, healed, documents, known)
    worded = partial(with_worded_numbers, schema, documents=documents, known=known)
    if healed.program is None:
        part = healed.partial and worded(healed.partial)
        return healed.model_copy(update={"partial": part})
    made = worded(healed.program)
    made = noted_as_read(schema, made, documents, before=program)
    return healed.model_copy(update={"program": made})


def _heal_fields(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
    past: FamilyPast,
) -> HealedProgram:
    """Pages of one record: one field after the other."""
    changed = _ChangedPages(schema, program, documents, known)
    fields: list[FieldProgram] = []
    decisions: dict[str, FieldDecision] = {}
    for spec in schema.fields:
        old = program.field(spec.name) or FieldProgram(spec=spec)
        # The pages may write numbers and dates otherwise than when it was made.
        old = old.model_copy(update={"spec": spec})
        before = filter(None, map(methodcaller("field", spec.name), past.older))
        old = changed.as_read(old, tuple(before))
        healed = changed.heal(spec, old, past.siblings)
        decisions[spec.name] = healed.decision
        if healed.program.all_readers:
            fields.append(healed.program)
    found = {field.spec.name for field in fields}
    fields = own_fields(program, fields, decisions, documents)
    borrowed = found.difference(field.spec.name for field in fields)
    decisions |= dict.fromkeys(sorted(borrowed), _BORROWED)
    reason = _refusal(
        schema, changed.wanted(program), fields, decisions, changed.indexes
    )
    if not reason and not changed.records and len(program.fields) < _LEAST_FIELDS:
        reason = "one field, of which nothing is known, fits any page"
    made = program.model_copy(update={"fields": tuple(fields)})
    return HealedProgram(
        program=None if reason else made,
        fields=decisions,
        scores=changed.sheet(decisions, reason),
        partial=made if reason else None,
    )


class _ChangedPages:
    """The pages of a detail family, and what is known of the record on each."""

    def __init__(
        self,
        schema: RecordSchema,
        program: Program,
        documents: Sequence[Document],
        known: Sequence[Example],
    ):
        """`known` are the last known records of these pages; of a page without one the
        field can only be guessed. `program` is the one that drifted."""
        self._schema = schema
        self._main = main_roots(documents, schema)
        self.indexes = tuple(
            Index(document, schema.name, self._main) for document in documents
        )
        self._names = tuple(map(PageNames, self.indexes))
        self.records = {
            one.page: KnownRecord(
                schema, program, self.indexes[one.page], one.records[0]
            )
            for one in known
            if one.records
        }

    def heal(
        self, spec: FieldSpec, old: FieldProgram, siblings: Sequence[Sibling]
    ) -> HealedField:
        """One field of the record."""
        values = self._values(spec.name)
        if spec.kind is FieldKind.OBJECT:
            pairs = zip(self.indexes, values, strict=True)
            return heal_object(spec, old, [KnownValue(*pair) for pair in pairs])
        candidates = tuple(sibling_candidates(siblings, old, spec))
        witnesses = Witnesses(
            spec,
            old,
            self._names,
            values,
            self._main,
            candidates,
            recorded=frozenset(self.records),
            taken={at: one.taken(spec.name) for at, one in self.records.items()},
            is_kept_in_another=self._on_some_page("is_kept_in_another", spec.name),
            is_shared=self._on_some_page("is_shared", spec.name),
        )
        healed = heal_field(witnesses)
        readers = tuple(map(witnesses.rounded, healed.program.readers))
        return healed._replace(
            program=healed.program.model_copy(update={"readers": readers})
        )

    def as_read(self, old: FieldProgram, older: Sequence[FieldProgram]) -> FieldProgram:
        """The field with the readers of all versions, those first, and before all
        others, that read most of its known values, or where none does say most; as they
        come where all are silent."""
        heard = partial(self._heard, old.spec)
        fields = sorted((old, *older), key=heard, reverse=True)
        right, said = heard(fields[0])
        if right and right == len(present(self._values(old.spec.name))):
            fields = fields[:1]  # it needs no help
        join = joined_behind if said else all_of
        readers = reduce(join, map(attrgetter("readers"), fields))
        return old.model_copy(update={"readers": readers})

    def wanted(self, program: Program) -> int:
        """How many fields of a program the pages should show: those that are known of them,
        or all where nothing is known; one fits any page."""
        names = [field.spec.name for field in program.fields]
        known = [name for name in names if present(self._values(name))]
        least = max(len(known), _LEAST_FIELDS) if known else len(names)
        return min(len(names), least)

    def _heard(self, spec: FieldSpec, field: FieldProgram) -> tuple[int, int]:
        """How many known values a field reads right, and on how many pages it reads
        any."""
        field = field.model_copy(update={"spec": spec})
        read = [vote_on(field, Scope(index.document))[0] for index in self.indexes]
        pairs = zip(read, self._values(spec.name), strict=True)
        right = sum(is_right(value, known, spec) for value, known in pairs)
        return right, len(present(read))

    def _on_some_page(self, asked: str, name: str) -> bool:
        """Whether what is asked of a field is true of the known record of some page."""
        return any(map(methodcaller(asked, name), self.records.values()))

    def _scored(self, score: FieldScore) -> FieldScore:
        """The score, with whether no page has anything under the field's name, nor, where
        nothing is found of it, its known values in other words."""
        spec = self._schema.field(score.field)
        is_named = any(names.guess(spec) is not None for names in self._names)
        is_open = not is_named and score.reason.startswith(HealDecision.ABSTAINED)
        is_there = is_named or (is_open and self._is_worded(spec))
        return score.model_copy(update={"gone": not is_there})

    def _is_worded(self, spec: FieldSpec) -> bool:
        """Whether the known values of a field are on the pages in other words."""
        pairs = zip(self.indexes, self._values(spec.name), strict=True)
        known = list(starmap(KnownValue, pairs))
        return is_worded(known, spec, self._others(spec.name))

    def _others(self, name: str) -> list[set[str]]:
        """The letters of what is known of all other fields, page by page."""
        others = [spec.name for spec in self._schema.fields if spec.name != name]
        pages = zip(*map(self._values, others), strict=True)
        return [set(map(letters, map(str, values))) for values in pages]

    def _values(self, name: str) -> tuple[Value | None, ...]:
        """The last known values of a field, page by page."""
        records = map(self.records.get, range(len(self.indexes)))
        return tuple(record.value(name) if record else None for record in records)

    def sheet(self, decisions: dict[str, FieldDecision], reason: str) -> ScoreSheet:
        """The scores; `reason` says why there is no healed program, "" if there is
        one."""
        again = sum(made.decision in _FOUND_AGAIN for made in decisions.values())
        oracle = "last known good" if self.records else "structured data and likeness"
        return ScoreSheet(
            fields=tuple(map(self._scored, _field_scores(self._schema, decisions))),
            pages=len(self.indexes),
            records=len(self.records),
            oracle=oracle,
            passed=not reason,
            reason=reason or f"{again} field(s) found again",
        )


def _refusal(
    schema: RecordSchema,
    wanted: int,
    fields: Sequence[FieldProgram],
    decisions: dict[str, FieldDecision],
    indexes: Sequence[Index],
) -> str:
    """Why there is no healed program, of which so many fields are `wanted`; "" if there is
    one."""
    if not fields or not indexes:
        return "nothing to heal from"
    lost = []
    for name, made in decisions.items():
        is_lost = made.decision is HealDecision.ABSTAINED
        if is_lost and schema.field(name).required:
            lost.append(name)
    if lost:
        return f"required {', '.join(lost)} not recovered"
    found = _different(fields, indexes)
    least = max(tuned("heal.enough_fields") * wanted, min(wanted, _LEAST_FIELDS))
    if found < least:
        return f"only {found} of {wanted} fields are found: these are not pages of this family"
    return ""


def _different(fields: Sequence[FieldProgram], indexes: Sequence[Index]) -> int:
    """How many fields are found; those that read one text count once: it is the title
    of whatever page this is."""
    scopes = [Scope(index.document) for index in indexes]
    columns = ([vote_on(field, scope)[0] for scope in scopes] for field in fields)
    forms = (tuple(map(letters, map(str, read))) for read in filter(present, columns))
    return len(set(forms))


def _heal_rows(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> HealedProgram:
    """Pages of many records: their boundary broke, not one field."""
    healed = heal_listing(schema, program, documents, known)
    decisions = {spec.name: _row_decision(spec.name, healed) for spec in schema.fields}
    sheet = ScoreSheet(
        fields=_field_scores(schema, decisions),
        pages=len(documents),
        records=sum(len(example.records) for example in known),
        oracle="last known good",
        passed=healed.program is not None,
        reason=healed.reason,
    )
    return HealedProgram(
        program=healed.program,
        fields=decisions,
        scores=sheet,
        borne_out=healed.borne_out,
    )


def _row_decision(name: str, healed: HealedListing) -> FieldDecision:
    """What was done about a field of a listing."""
    field = healed.program.field(name) if healed.program else None
    decision = HealDecision.ABSTAINED
    reason = f"{healed.reason}; no known record vouches for a reader of {name}"
    if name in healed.fields:
        decision, reason = HealDecision.REALIGNED, healed.reason
    if name in healed.kept:
        decision, reason = HealDecision.KEPT, healed.reason
    readers = len(field.readers) if field else 0
    return FieldDecision(decision=decision, reason=reason, readers=readers)


def _field_scores(
    schema: RecordSchema, decisions: dict[str, FieldDecision]
) -> tuple[FieldScore, ...]:
    """What was decided about each field, as a score sheet has it."""
    return tuple(
        FieldScore(
            field=name,
            required=schema.field(name).required,
            readers=made.readers,
            gone=True,
            healed=made.decision is not HealDecision.ABSTAINED,
            reason=f"{made.decision.value}: {made.reason}",
        )
        for name, made in decisions.items()
    )
