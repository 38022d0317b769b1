"""Heal a crawler: field by field, keep what works, and replace only on independent
evidence.

Witnesses for a field on a changed page: the old readers that still speak, readers
aligned anew to a last known value, the page's structured data, likeness to what the
field was, and what became of it in other families of the site. A change is accepted
when two of them say the same, when structured data names the field, or when the last
known value itself stands under the field's name. Otherwise the field stays as it is.
Pages on which few fields are found at all are not the family's pages, and heal nothing.
"""

from collections.abc import Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FamilyKind, FieldProgram, Program, Reader
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.contradictions import with_rival
from crawloop_assets.induce.detail.ensemble import MOST_READERS, ensemble, look
from crawloop_assets.induce.detail.named import PageNames
from crawloop_assets.induce.detail.objects import object_field, read_right
from crawloop_assets.induce.detail.structured import main_roots
from crawloop_assets.induce.detail.trials import KnownValue, Tried
from crawloop_assets.induce.healing.listing import HealedListing, heal_listing
from crawloop_assets.induce.healing.siblings import Sibling, sibling_candidates
from crawloop_assets.induce.healing.witness import Witnesses
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.text import letters

ENOUGH_FIELDS = 0.4


class HealDecision(StrEnum):
    """What was done about a field."""

    KEPT = "kept"
    REALIGNED = "realigned"
    RELOCATED = "relocated"
    ABSTAINED = "abstained"


class FieldDecision(BaseModel):
    """What was done about a field, why, and with how many readers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    decision: HealDecision
    reason: str
    readers: int = 0


class HealedProgram(BaseModel):
    """A healed program (None if a required field could not be recovered or the pages
    are not the family's)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    program: Program | None
    fields: dict[str, FieldDecision]
    scores: ScoreSheet


def heal_program(
    schema: RecordSchema,
    program: Program,
    pages: Sequence[Page],
    known: Sequence[Example],
    older: Sequence[Program] = (),
    siblings: Sequence[Sibling] = (),
) -> HealedProgram:
    """Heal a program on pages it drifted on.

    `known` are last known good records of some of `pages` (their values may have
    changed since), `older` other versions of the family, `siblings` what other families
    of the site went through. Deterministic. The healed program keeps every field that
    still works.
    """
    documents = [Document(page) for page in pages]
    if program.kind is not FamilyKind.DETAIL:
        return _heal_rows(schema, program, documents, known)
    main = main_roots(documents, schema)
    indexes = tuple(Index(document, schema.name, main) for document in documents)
    names = tuple(PageNames(index) for index in indexes)
    rows = {example.page: example.records[0] for example in known if example.records}
    fields: list[FieldProgram] = []
    decisions: dict[str, FieldDecision] = {}
    for spec in schema.fields:
        old = _with_older(program.field(spec.name) or FieldProgram(spec=spec), older)
        values = tuple(rows.get(at, {}).get(spec.name) for at in range(len(indexes)))
        if spec.kind is FieldKind.OBJECT:
            shown = [
                KnownValue(index, value)
                for index, value in zip(indexes, values, strict=True)
            ]
            healed, decisions[spec.name] = _heal_nested(spec, old, shown)
        else:
            told = sibling_candidates(siblings, old, spec)
            witnesses = Witnesses(spec, old, names, values, main, tuple(told))
            healed, decisions[spec.name] = _heal_field(witnesses)
            healed = healed.model_copy(
                update={"readers": tuple(map(witnesses.rounded, healed.readers))}
            )
        if healed.all_readers:
            fields.append(healed)
    return _finished(schema, program, fields, decisions, indexes, len(rows))


def _with_older(field: FieldProgram, older: Sequence[Program]) -> FieldProgram:
    """The field with the readers of the other versions behind its own."""
    readers = list(field.readers)
    for other in older:
        found = other.field(field.spec.name)
        readers += [
            reader
            for reader in (found.readers if found else ())
            if reader not in readers
        ]
    return field.model_copy(update={"readers": tuple(readers)})


def _heal_nested(
    spec: FieldSpec, old: FieldProgram, known: Sequence[KnownValue]
) -> tuple[FieldProgram, FieldDecision]:
    """A record inside the record is only ever healed by last known values that are
    found again whole."""
    still = read_right(old, known)
    made = old if still else object_field(spec, known)
    if still:
        decision, reason = HealDecision.KEPT, f"still right on {still} known page(s)"
    elif read_right(made, known):
        decision, reason = HealDecision.REALIGNED, "last known value found again"
    else:
        made, decision, reason = (
            old,
            HealDecision.ABSTAINED,
            "last known value not found again",
        )
    return made, FieldDecision(
        decision=decision, reason=reason, readers=len(made.all_readers)
    )


def _heal_field(witnesses: Witnesses) -> tuple[FieldProgram, FieldDecision]:
    confirmed = witnesses.confirmed()
    if confirmed and witnesses.settled():
        return _decided(
            witnesses,
            HealDecision.KEPT,
            f"still right on {confirmed} known page(s)",
            (),
        )
    aligned = witnesses.aligned()
    if confirmed:
        return _decided(
            witnesses,
            HealDecision.KEPT,
            f"still right on {confirmed} known page(s)",
            aligned,
        )
    if aligned and (not witnesses.speaking() or _overrules(witnesses, aligned[0])):
        return _decided(
            witnesses, HealDecision.REALIGNED, "last known value found again", aligned
        )
    stated = witnesses.most_like()
    if stated is not None:
        return _stated(witnesses, stated)
    agreed = [guess for guess in witnesses.agreed if guess is not None]
    if not agreed:
        return _kept_as_is(witnesses, HealDecision.ABSTAINED, "no two witnesses agree")
    contradicted = any(
        guess is not None
        and value is not None
        and not same(guess.value, value, witnesses.spec)
        for guess, (value, _) in zip(witnesses.agreed, witnesses.votes, strict=True)
    )
    if witnesses.speaking() and not contradicted:
        fresh = () if witnesses.settled() else witnesses.taught()
        kept = _decided(
            witnesses, HealDecision.KEPT, "its readers still agree", fresh, proved=False
        )
        if witnesses.drifted():
            return _alone(kept, "its readers agree on something like the known value")
        return (
            _alone(kept, "its readers agree; the known value stands elsewhere")
            if witnesses.elsewhere()
            else kept
        )
    taught = witnesses.taught()
    if not taught:
        return _kept_as_is(
            witnesses, HealDecision.ABSTAINED, "no reader gives what the witnesses say"
        )
    reason = f"witnesses agree on {len(agreed)} page(s)"
    found = _decided(witnesses, HealDecision.RELOCATED, reason, taught, proved=False)
    if not any(guess.sure for guess in agreed):
        return _guessed(witnesses, found[0])
    return (
        _alone(found, "witnesses agree on something like the known value")
        if witnesses.drifted()
        else found
    )


def _alone(
    decided: tuple[FieldProgram, FieldDecision], reason: str
) -> tuple[FieldProgram, FieldDecision]:
    """With its best reader only: that is a guess, and one reader is never certain."""
    field, made = decided
    only = field.model_copy(update={"readers": field.readers[:1]})
    return only, made.model_copy(
        update={"reason": reason, "readers": len(only.readers)}
    )


def _stated(witnesses: Witnesses, reader: Reader) -> tuple[FieldProgram, FieldDecision]:
    """One statement of the page alone, for it is not the known value."""
    field = witnesses.old.model_copy(
        update={"spec": witnesses.spec, "readers": (reader,)}
    )
    reason = "of what the page states, the most like the known value"
    return field, FieldDecision(
        decision=HealDecision.RELOCATED, reason=reason, readers=1
    )


def _guessed(
    witnesses: Witnesses, found: FieldProgram
) -> tuple[FieldProgram, FieldDecision]:
    """One name alone speaks for the field.

    Old readers may only be silent where there is no value: they go first.
    """
    readers = _behind(witnesses.old.readers[: MOST_READERS - 1], found.readers[:1])
    made = FieldDecision(
        decision=HealDecision.RELOCATED,
        reason="one name alone speaks for it",
        readers=min(len(readers), 1),
    )
    return found.model_copy(update={"readers": readers}), made


def _behind(first: Sequence[Reader], second: Sequence[Reader]) -> tuple[Reader, ...]:
    """Readers that only count where those before them are silent."""
    least = min((reader.weight for reader in first), default=0.0)
    if not least:
        return tuple(second)
    low = [
        reader.model_copy(update={"weight": max(0.001, round(_BEHIND * least, 4))})
        for reader in second
    ]
    return _joined(first, low)


_BEHIND = 0.05


def _overrules(witnesses: Witnesses, aligned: Tried) -> bool:
    """True if the last known value, found whole under the field's name, outweighs old
    readers that agree on another:

    usually a value has changed and they are right, so structured data has to say the
    same.
    """
    whole = all(
        step.op not in (Op.STRIP_PREFIX, Op.STRIP_SUFFIX)
        for step in aligned.candidate.reader.pipe
    )
    backed = any(
        said is not None and value is not None and same(said, value, witnesses.spec)
        for said, value in zip(witnesses.said, witnesses.values, strict=True)
    )
    return whole and backed and aligned.candidate.named >= AT_ITS_NAME


AT_ITS_NAME = 0.7


def _decided(
    witnesses: Witnesses,
    decision: HealDecision,
    reason: str,
    tried: Sequence[Tried],
    *,
    proved: bool = True,
) -> tuple[FieldProgram, FieldDecision]:
    """New readers first where the field changed, old ones first where it was kept; dead
    ones are dropped or come last.

    Where no known value has `proved` the new ones, those of one kin are one witness.
    """
    known = [
        KnownValue(index, value)
        for index, value in zip(witnesses.indexes, _oracle(witnesses), strict=True)
    ]
    fresh, living = ensemble(tried, witnesses.spec, known), _agreeing(witnesses, tried)
    if decision is HealDecision.RELOCATED:
        fresh = with_rival(fresh, witnesses.named, known, witnesses.spec)
    kept = decision is HealDecision.KEPT
    if not proved:
        fresh = _of_other_kin(fresh, living if kept else ())
    readers = (
        _joined(living, fresh)
        if kept
        else _behind(_joined(fresh, living), witnesses.dead()[:_LAST])
    )
    if kept and not readers:
        readers = witnesses.old.readers[:MOST_READERS]
    seen = look(tried, witnesses.spec, known) if tried else None
    field = witnesses.old.model_copy(
        update={
            "readers": readers,
            "spec": witnesses.spec,
            "fingerprint": seen or witnesses.old.fingerprint,
        }
    )
    return field, FieldDecision(decision=decision, reason=reason, readers=len(readers))


_LAST = 2


def _of_other_kin(
    fresh: Sequence[Reader], living: Sequence[Reader]
) -> tuple[Reader, ...]:
    kins = {reader.kin for reader in living}
    first = {reader.kin: reader for reader in reversed(fresh) if reader.kin not in kins}
    return tuple(reader for reader in fresh if first.get(reader.kin) is reader)


def _oracle(witnesses: Witnesses) -> list[object]:
    if all(value is not None for value in witnesses.values):
        return list(witnesses.values)
    agreed = [guess and guess.value for guess in witnesses.agreed]
    return [
        value if value is not None else other
        for value, other in zip(witnesses.values, agreed, strict=True)
    ]


def _agreeing(witnesses: Witnesses, tried: Sequence[Tried]) -> tuple[Reader, ...]:
    """The living old readers; where new ones exist, only those that say the same on
    some page."""
    living = witnesses.living()
    if not tried:
        return living
    best = tried[0].candidate.reader
    return tuple(
        reader for reader in living if _same_somewhere(witnesses, reader, best)
    )


def _same_somewhere(witnesses: Witnesses, one: Reader, other: Reader) -> bool:
    left, right = (
        FieldProgram(spec=witnesses.spec, readers=(reader,)) for reader in (one, other)
    )
    for index in witnesses.indexes:
        a, b = (vote_on(each, Scope(index.document))[0] for each in (left, right))
        if a is not None and b is not None and same(a, b, witnesses.spec):
            return True
    return False


def _joined(first: Sequence[Reader], second: Sequence[Reader]) -> tuple[Reader, ...]:
    places = {(reader.at, reader.get) for reader in first}
    return (
        *first,
        *(reader for reader in second if (reader.at, reader.get) not in places),
    )[:MOST_READERS]


def _kept_as_is(
    witnesses: Witnesses, decision: HealDecision, reason: str
) -> tuple[FieldProgram, FieldDecision]:
    readers = witnesses.old.readers[:MOST_READERS]
    field = witnesses.old.model_copy(
        update={"readers": readers, "spec": witnesses.spec}
    )
    return field, FieldDecision(decision=decision, reason=reason, readers=len(readers))


def _finished(
    schema: RecordSchema,
    program: Program,
    fields: Sequence[FieldProgram],
    decisions: dict[str, FieldDecision],
    indexes: Sequence[Index],
    records: int,
) -> HealedProgram:
    reason = _refusal(schema, program, fields, decisions, indexes)
    if not reason and not records and len(program.fields) < 2:
        reason = "one field, of which nothing is known, fits any page"
    changed = [
        name
        for name, made in decisions.items()
        if made.decision in (HealDecision.REALIGNED, HealDecision.RELOCATED)
    ]
    healed = None if reason else program.model_copy(update={"fields": tuple(fields)})
    sheet = ScoreSheet(
        fields=_field_scores(schema, decisions),
        pages=len(indexes),
        records=records,
        oracle="last known good" if records else "structured data and likeness",
        passed=healed is not None,
        reason=reason or f"{len(changed)} field(s) found again",
    )
    return HealedProgram(program=healed, fields=decisions, scores=sheet)


def _refusal(
    schema: RecordSchema,
    program: Program,
    fields: Sequence[FieldProgram],
    decisions: dict[str, FieldDecision],
    indexes: Sequence[Index],
) -> str:
    """Why there is no healed program; "" if there is one."""
    if not fields or not indexes:
        return "nothing to heal from"
    dead = [
        s.name
        for s in schema.fields
        if s.required and decisions[s.name].decision is HealDecision.ABSTAINED
    ]
    if dead:
        return f"required {', '.join(dead)} not recovered"
    found = _different(fields, indexes)
    if found < ENOUGH_FIELDS * len(program.fields) or (
        len(program.fields) > 1 and found < 2
    ):
        return f"only {found} of {len(program.fields)} fields are found: these are not pages of this family"
    return ""


def _different(fields: Sequence[FieldProgram], indexes: Sequence[Index]) -> int:
    """How many fields are found; those that read one text say one thing: the title of
    whatever page this is."""
    rows = [
        [vote_on(field, Scope(index.document))[0] for index in indexes]
        for field in fields
    ]
    return len(
        {
            tuple(letters(str(value)) for value in row)
            for row in rows
            if any(value is not None for value in row)
        }
    )


def _heal_rows(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> HealedProgram:
    """Pages of many records: their boundary broke, not one field."""
    healed = heal_listing(schema, program, documents, known)
    decisions = {spec.name: _row_decision(spec.name, healed) for spec in schema.fields}
    records = sum(len(example.records) for example in known)
    sheet = ScoreSheet(
        fields=_field_scores(schema, decisions),
        pages=len(documents),
        records=records,
        oracle="last known good",
        passed=healed.program is not None,
        reason=healed.reason,
    )
    return HealedProgram(program=healed.program, fields=decisions, scores=sheet)


def _row_decision(name: str, healed: HealedListing) -> FieldDecision:
    field = healed.program.field(name) if healed.program else None
    if name in healed.kept:
        decision = HealDecision.KEPT
    else:
        decision = (
            HealDecision.REALIGNED if name in healed.fields else HealDecision.ABSTAINED
        )
    return FieldDecision(
        decision=decision,
        reason=healed.reason,
        readers=len(field.readers) if field else 0,
    )


def _field_scores(
    schema: RecordSchema, decisions: dict[str, FieldDecision]
) -> tuple[FieldScore, ...]:
    return tuple(
        FieldScore(
            field=name,
            required=schema.field(name).required,
            readers=made.readers,
            reason=f"{made.decision.value}: {made.reason}",
        )
        for name, made in decisions.items()
    )
