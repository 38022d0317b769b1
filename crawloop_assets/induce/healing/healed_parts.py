"""What was healed of flat fields, as it is healed of the records whose parts they are."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from operator import attrgetter

from crawloop_assets.crawler.flat import (
    flat_program,
    folded_program,
    record_name,
)
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.folded import folded_scores, worst_part
from crawloop_assets.induce.healing.decision import FieldDecision, HealDecision
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.healing.rows import filled_anywhere
from crawloop_assets.page import Page
from crawloop_assets.schema import RecordSchema

_WORST_FIRST = (
    HealDecision.ABSTAINED,
    HealDecision.RELOCATED,
    HealDecision.REALIGNED,
    HealDecision.KEPT,
)


def folded_healed(
    schema: RecordSchema, before: Program, made: HealedProgram, pages: Sequence[Page]
) -> HealedProgram:
    """What was healed of a flat schema on `pages`, of whose parts those count that the
    version `before` read. A record that may be missing is not read where one of them is read
    nowhere: it would be another one."""
    if not any(map(attrgetter("is_one_record"), schema.fields)):
        return made
    counted = set(map(attrgetter("spec.name"), flat_program(before).fields))
    healed = made.program or made.partial or Program(fields=())
    silent = counted - filled_anywhere(healed, list(map(Document, pages)))
    lost = set(map(record_name, silent)).intersection(
        spec.name for spec in schema.fields if spec.is_one_record and not spec.required
    )
    program, part = (
        one and folded_program(schema, one).without(lost)
        for one in (made.program, made.partial)
    )
    scores = folded_scores(schema, made.scores.fields, program, counted)
    update = {
        "program": program,
        "partial": part,
        "fields": dict(_decisions(schema, made.fields, counted)),
        "scores": made.scores.model_copy(update={"fields": scores}),
    }
    return made.model_copy(update=update)


def _decisions(
    schema: RecordSchema,
    decisions: Mapping[str, FieldDecision],
    counted: Collection[str],
) -> Iterator[tuple[str, FieldDecision]]:
    """What was decided about the fields and records."""
    for spec in schema.fields:
        name, made = worst_part(spec, decisions, counted, _safety)
        if spec.is_one_record:
            update = {"reason": f"{name}: {made.reason}"}
            made = made.model_copy(update=update)
        yield spec.name, made


def _safety(made: FieldDecision) -> int:
    """How much is decided for a part."""
    return _WORST_FIRST.index(made.decision)
