"""What is said of flat fields, as it is said of the records whose parts they are: of each
record what is said of the part of which least is."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

from crawloop_assets.crawler.flat import (
    folded_program,
    record_name,
)
from crawloop_assets.crawler.program import Program
from crawloop_assets.induce.compile_rows import without_reader
from crawloop_assets.induce.made import Compiled
from crawloop_assets.induce.proof.scores import FieldScore
from crawloop_assets.schema import FieldSpec, RecordSchema

_Said = TypeVar("_Said")


def folded_compiled(schema: RecordSchema, made: Compiled) -> Compiled:
    """What was compiled of a flat schema. A record that is required is read in one part at
    least."""
    program = made.program and folded_program(schema, made.program)
    fields = folded_scores(schema, made.scores.fields, program, ())
    update: dict[str, Any] = {"fields": fields}
    missing = without_reader(fields) if program else ""
    if missing:
        program, update = None, {**update, "passed": False, "reason": missing}
    return Compiled(program=program, scores=made.scores.model_copy(update=update))


def folded_scores(
    schema: RecordSchema,
    scores: Sequence[FieldScore],
    program: Program | None,
    counted: Collection[str],
) -> tuple[FieldScore, ...]:
    """The scores of the fields and records that a program reads."""
    folded = []
    by_name = {one.field: one for one in scores}
    for spec in schema.fields:
        name, score = worst_part(spec, by_name, counted, _soundness)
        field = program.field(spec.name) if program else None
        if spec.is_one_record:
            said = f"{name}: {score.reason}" if counted or not field else ""
            update = {
                "field": spec.name,
                "required": spec.required,
                "readers": len(field.all_readers) if field else 0,
                "reason": said,  # "": what is counted says it
            }
            score = FieldScore(**{**score.model_dump(), **update})
        folded.append(score)
    return tuple(folded)


def _soundness(score: FieldScore) -> tuple[bool, bool, int]:
    """How much is said for a part."""
    return score.healed, score.readers > 0, score.right


def worst_part(
    spec: FieldSpec,
    said: Mapping[str, _Said],
    counted: Collection[str],
    worth: Callable[[_Said], Any],
) -> tuple[str, _Said]:
    """The part of a record of which least is said, by its name; of those that count, if any
    does."""
    parts = [name for name in said if record_name(name) == spec.name]
    parts = list(filter(counted.__contains__, parts)) or parts
    return min(((name, said[name]) for name in parts), key=lambda one: worth(one[1]))
