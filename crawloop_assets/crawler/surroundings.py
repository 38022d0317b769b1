"""Keeps with a vote what stands around the value that won, and what there contradicts
the notation of the program."""

from collections.abc import Sequence

from crawloop_assets.crawler.context import context_of
from crawloop_assets.crawler.evidence import Kind, kind_of
from crawloop_assets.crawler.extraction import FieldVote
from crawloop_assets.crawler.program import FieldProgram, Reader
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.vote import Ballot
from crawloop_assets.crawler.written import is_counted, is_noted, otherwise
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value


def with_surroundings(
    vote: FieldVote,
    field: FieldProgram,
    value: Value,
    ballots: Sequence[Ballot],
    scope: Scope,
) -> FieldVote:
    """The vote with what stands around the value that won, and against the notation of
    the program."""
    has_context = vote.reader and is_counted(field.spec)
    if not (has_context or is_noted(field.spec)):
        return vote
    readers = field.readers if value is None else agreeing(field, value, ballots)
    changes: dict[str, object] = {}
    if has_context:
        changes["context"] = context_of(readers[0], scope, value)
    against = otherwise(field.spec, readers, scope, value)
    if against is not None:
        changes["otherwise"] = against
    return vote.model_copy(update=changes) if changes else vote


def agreeing(
    field: FieldProgram, value: Value, ballots: Sequence[Ballot]
) -> Sequence[Reader]:
    """The readers of a field whose ballots have a value, those first that read what is
    shown: more is said around it."""
    found: list[Reader] = []
    for reader, (_, _, read_value) in zip(field.readers, ballots, strict=True):
        if read_value is value or same(read_value, value, field.spec):
            found.append(reader)
    found.sort(key=_is_stated)
    return found


def _is_stated(reader: Reader) -> bool:
    """Whether a reader reads what nobody sees, of which little is said around it."""
    return kind_of(reader) is not Kind.SHOWN
