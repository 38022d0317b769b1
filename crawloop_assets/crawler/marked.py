"""A page on which every place that a record was read from is marked."""

from collections.abc import Iterator
from itertools import chain
from operator import attrgetter

from crawloop_assets.crawler.trace import FieldTrace, ReaderTrace, RecordTrace
from crawloop_assets.document.display import Mark, MarkRole

_MOST_CHARS = 120
_MOST_STATED = 20_000
_ROLES = {True: MarkRole.ALSO, False: MarkRole.AGAINST}
"""What a reader is that agrees, and one that does not."""


def marks_of(record: RecordTrace) -> list[Mark]:
    """The places of all readers that read anything, field by field."""
    return list(chain.from_iterable(map(_of_field, record.fields)))


def _of_field(field: FieldTrace) -> Iterator[Mark]:
    """The places of one field."""
    winner = field.winner
    for reader in filter(attrgetter("texts"), field.readers):
        mark = Mark(
            element=None,
            role=MarkRole.READ if reader is winner else _ROLES[reader.agrees],
            says=f"{field.name}: {_found(reader)}",
            text=f"{reader.line}: {' | '.join(reader.texts)}"[:_MOST_STATED],
        )
        for number in reader.elements or (None,):
            yield mark.model_copy(update={"element": number})


def _found(reader: ReaderTrace) -> str:
    """What a reader took of its place, and voted for."""
    found, value = " | ".join(reader.texts)[:_MOST_CHARS], "nothing"
    if reader.value is not None:
        value = str(reader.value)[:_MOST_CHARS]
    if reader.get.startswith("@"):
        return f"{reader.get} = {found} → {value}"
    if found == value:
        return value
    return f"{found} → {value}"
