"""Keeps with a vote what stands around the value that won, and what there contradicts
the notation of the program."""

from collections.abc import Sequence

from crawloop_assets.crawler.by_mark import said_of_choice, said_of_flag
from crawloop_assets.crawler.column import column_head
from crawloop_assets.crawler.context import context_of
from crawloop_assets.crawler.evidence import Kind, kind_of
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.crawler.read import ReaderTexts, Scope
from crawloop_assets.crawler.vote import Ballot
from crawloop_assets.crawler.written import is_counted, is_noted, otherwise
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value

_DATES = (FieldKind.DATE, FieldKind.DATETIME)
_SAID_OF = {FieldKind.BOOLEAN: said_of_flag, FieldKind.CHOICE: said_of_choice}


def with_surroundings(
    vote: FieldVote,
    field: FieldProgram,
    value: Value,
    ballots: Sequence[Ballot],
    readings: Sequence[ReaderTexts],
    scope: Scope,
) -> FieldVote:
    """The vote with what stands around the value that won, over its column, and against
    the notation of the program. `readings` are those of the ballots, in their order."""
    said_of = _SAID_OF.get(field.spec.kind)
    if value is None and said_of is not None:
        return vote.model_copy(update=said_of(readings))
    if head := column_head(field, vote.reader, scope):
        vote = vote.model_copy(update={"head": head})
    is_date = _is_moving_date(field.spec)
    has_context = vote.reader and (is_counted(field.spec) or is_date)
    if not (has_context or is_noted(field.spec)):
        return vote
    if value is not None:
        readings = agreeing(field.spec, value, ballots, readings)
    changes: dict[str, object] = {}
    if has_context:
        changes["context"] = context_of(readings[0], scope, value, is_date=is_date)
    against = otherwise(field.spec, readings, scope, value)
    if against is not None:
        changes["otherwise"] = against
    return vote.model_copy(update=changes) if changes else vote


def _is_moving_date(spec: FieldSpec) -> bool:
    """Whether a field is a date that is another one day by day: of others it is seen that
    they are others."""
    return spec.volatile and spec.kind in _DATES and spec.shape is Shape.ONE


def agreeing(
    spec: FieldSpec,
    value: Value,
    ballots: Sequence[Ballot],
    readings: Sequence[ReaderTexts],
) -> Sequence[ReaderTexts]:
    """The readers of a field whose ballots have a value, those first that read what is
    shown: more is said around it."""
    found: list[ReaderTexts] = []
    for reading, (_, _, read_value) in zip(readings, ballots, strict=True):
        if read_value is value or same(read_value, value, spec):
            found.append(reading)
    found.sort(key=_is_stated)
    return found


def _is_stated(reading: ReaderTexts) -> bool:
    """Whether a reader reads what nobody sees, of which little is said around it."""
    return kind_of(reading.reader) is not Kind.SHOWN
