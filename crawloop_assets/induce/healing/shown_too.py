"""What is shown of a number that moves, beside what is stated of it: where only the one has
moved on, the other may be yesterday's."""

from collections.abc import Iterator, Sequence
from functools import partial
from operator import attrgetter

from crawloop_assets.crawler.evidence import Kind, kind_of
from crawloop_assets.crawler.program import MOST_READERS, Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.detail.contradictions import with_weight_of_rival
from crawloop_assets.induce.detail.trials import KnownValue, Tried, pages_with_value
from crawloop_assets.induce.locate.nearness import count_near, may_move
from crawloop_assets.schema import FieldSpec


def with_shown(
    readers: tuple[Reader, ...],
    tried: Sequence[Tried],
    spec: FieldSpec,
    known: Sequence[KnownValue],
) -> tuple[Reader, ...]:
    """Readers of what is stated of a number that may change every day, and behind them one of
    what is shown that says the known ones on most pages and on others near ones, if there
    is one: where the two differ neither is certain."""
    is_stated = set(map(kind_of, readers)) == {Kind.STATED}
    if not may_move(spec) or not is_stated:
        return readers
    shown = next(_shown(tried, spec, known), None)
    if shown is None:
        return readers
    kept = readers[: MOST_READERS - 1]
    return (*kept, with_weight_of_rival(shown, kept))


def _shown(
    tried: Sequence[Tried], spec: FieldSpec, known: Sequence[KnownValue]
) -> Iterator[Reader]:
    """Readers of what is shown that has moved on, best first."""
    pages = pages_with_value(known)
    before = list(map(attrgetter("value"), pages))
    scopes = list(map(Scope, map(attrgetter("document"), pages)))
    for one in tried:
        reader = one.candidate.reader
        is_most = one.right > one.wrong and not one.silent
        if is_most and kind_of(reader) is Kind.SHOWN:
            now = list(map(partial(read, reader, spec=spec), scopes))
            if count_near(spec, before, now) == len(now):
                yield reader
