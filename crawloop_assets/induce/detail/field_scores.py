"""The evidence for a field of pages with one record: what its readers do on known pages,
also on those that they were not made from."""

from collections.abc import Mapping, Sequence

from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Reader
from crawloop_assets.crawler.read import Scope
from crawloop_assets.induce.detail.ensemble import field_program
from crawloop_assets.induce.detail.objects import read_right
from crawloop_assets.induce.detail.recurrence import taught
from crawloop_assets.induce.detail.trials import KnownValue, Tried, pages_with_value
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.proof.scores import FieldScore, kin_names
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same

_MOST_HELD_OUT = 3
"""Known pages that are held out in turn: each makes all readers of a field anew."""
_NO_READER = "no reader gives the known values"


def no_reader(readers: Sequence[Reader]) -> str:
    """Why there are no readers, "" if there are any."""
    return "" if readers else _NO_READER


def held_out_share(
    known: Sequence[KnownValue], spec: FieldSpec, general: Sequence[CandidateReader]
) -> float | None:
    """Share of known pages read right by readers made from the other known pages only;
    None with fewer than two."""
    with_value = pages_with_value(known)
    tested = with_value[:_MOST_HELD_OUT]
    if len(tested) < 2:
        return None
    right = 0
    for index, held_out in enumerate(tested):
        rest = [*tested[:index], *tested[index + 1 :]]
        field = field_program(taught(rest, spec, general), spec, rest)
        value, _ = vote_on(field, Scope(held_out.document))
        right += same(value, held_out.value, spec)
    return round(right / len(tested), 4)


def nested_score(field: FieldProgram, known: Sequence[KnownValue]) -> FieldScore:
    """The evidence for a field of objects."""
    readers = field.all_readers
    total = sum(value.value is not None for value in known)
    right = read_right(field, known)
    return FieldScore(
        field=field.spec.name,
        required=field.spec.required,
        readers=len(readers),
        kins=kin_names(readers),
        right=right,
        wrong=total - right,
        reason=no_reader(readers),
    )


def field_score(
    field: FieldProgram, tried: Sequence[Tried], held_out: float | None
) -> FieldScore:
    """The evidence for a field: that of its best reader."""
    right = wrong = silent = 0
    reason = _NO_READER
    if tried:
        best = tried[0]
        right, wrong, silent = best.right, best.wrong, best.silent
        reason = ""
    return FieldScore(
        field=field.spec.name,
        required=field.spec.required,
        readers=len(field.readers),
        kins=kin_names(field.readers),
        right=right,
        wrong=wrong,
        silent=silent,
        held_out=held_out,
        reason=reason,
    )


def without_readers(
    score: FieldScore, shared: Mapping[str, Sequence[str]]
) -> FieldScore:
    """The evidence for a field, of one that `shared` its place with others without its readers."""
    names = shared.get(score.field, ())
    reason = f"{' and '.join(names)} would be read in one place: add an example in which they differ"
    bare: Mapping[str, object] = {
        "readers": 0,
        "kins": (),
        "right": 0,
        "reason": reason,
    }
    return score.model_copy(update=bare) if names else score
