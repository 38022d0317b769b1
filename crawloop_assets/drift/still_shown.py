"""Fields of whose known values most stand on their pages and are not read: what one version
does not read of a field the next one may.

A field that pages say nothing of is asked about, and waits for an answer; where they say it
again nobody need wait.
"""

from collections.abc import Hashable, Iterator, Sequence, Set
from functools import partial
from itertools import chain

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.matching import key_of
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.still_there import is_still_there
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.present import present

_FEWEST = 2
"""Different values; one alone may stand anywhere."""


def still_shown(schema: RecordSchema, pages: Sequence[PageOutcome]) -> tuple[str, ...]:
    """The names of those fields, in the order of the schema."""
    shown = filter(partial(_is_still_shown, pages), schema.fields)
    return tuple(spec.name for spec in shown)


def _is_still_shown(pages: Sequence[PageOutcome], spec: FieldSpec) -> bool:
    """Whether several known values of a field that are read in no record of a batch, and
    most of those that are looked up, are on the pages where they were."""
    read = {None, *chain.from_iterable(map(partial(_read, spec), pages))}
    unread = dict(chain.from_iterable(_unread(spec, page, read) for page in pages))
    shown = present(unread.values())
    return sum(shown) >= _FEWEST and 2 * sum(shown) > len(shown)


def _read(spec: FieldSpec, page: PageOutcome) -> Iterator[Hashable]:
    """What is read of a field on a page, but for what was put beside it."""
    for at, row in enumerate(page.values):
        if spec.name not in page.completed_at(at):
            yield key_of(row, (spec,))


def _unread(
    spec: FieldSpec, page: PageOutcome, read: Set[Hashable]
) -> Iterator[tuple[Hashable, bool | None]]:
    """What is known of a page and read nowhere, and whether it is there; None if nobody
    looked."""
    facts = page.facts or PageFacts()
    for row in page.previous:
        key = key_of(row, (spec,))
        if key not in read:
            yield key, is_still_there(row[spec.name], spec, facts)
