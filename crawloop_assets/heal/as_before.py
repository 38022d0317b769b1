"""What may serve although no known value confirms it: what reads many rows as before, or
rows that bear each other out as before."""

from operator import attrgetter

from crawloop_assets.crawler.program import FieldProgram, Program, Reader
from crawloop_assets.crawler.transforms import Op
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.proof.scores import ScoreSheet

_MANY_ROWS = 10
_CUTS = frozenset((Op.STRIP_PREFIX, Op.STRIP_SUFFIX))


def may_serve_unconfirmed(
    active: Program, candidate: Program, healed: HealedProgram, proof: ScoreSheet
) -> bool:
    """Whether a candidate reads every field of many rows by the active version's own
    readers, of which most agree, and only where the rows are is new, or which words are
    cut off; or is as it was `healed`, of rows that bear each other out.

    Readers that were made for the page find what they were made to find. The old ones
    were proved elsewhere, and more than one of each field would have to be led astray
    alike; and what stands in the address of a row no reader has put there.
    """
    often = {score.field for score in proof.fields if score.found >= _MANY_ROWS}
    names = map(attrgetter("spec.name"), candidate.fields)
    is_as_before = _uncut(candidate) == _uncut(active)
    is_borne_out = healed.borne_out and candidate == healed.program
    return (is_as_before or is_borne_out) and often.issuperset(names)


def _uncut(program: Program) -> list[FieldProgram]:
    """The fields of a program as if their readers cut no words off."""
    fields = []
    for field in program.fields:
        readers = tuple(map(_uncut_reader, field.readers))
        fields.append(field.model_copy(update={"readers": readers}))
    return fields


def _uncut_reader(reader: Reader) -> Reader:
    """A reader without its steps that cut words off."""
    pipe = tuple(step for step in reader.pipe if step.op not in _CUTS)
    return reader.model_copy(update={"pipe": pipe})
