"""Known values beside one that a person says, and what that person sees: a number that is only
stated for machines may be yesterday's."""

from collections.abc import Iterator, Mapping, Sequence

from crawloop_assets.crawler.evidence import Kind, kind_of
from crawloop_assets.crawler.extraction import Example
from crawloop_assets.induce.detail.trials import Tried
from crawloop_assets.induce.locate.nearness import may_move
from crawloop_assets.induce.locate.occurrence import occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.stated_late import is_unseen
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.value import Value


def still_there(
    spec: FieldSpec,
    indexes: Sequence[Index],
    known: Sequence[Example],
    said: Mapping[int, Value],
) -> Iterator[tuple[int, Value]]:
    """(page, value) of the known values of a field that stand on their pages; of a number
    that may change every day where people see it, if they see what was `said`."""
    moves = may_move(spec)
    is_seen = any(not is_unseen(indexes[at], one, spec) for at, one in said.items())
    for example in known:
        value, index = example.records[0].get(spec.name), indexes[example.page]
        if value is None or not occurs_on(index, value, spec):
            continue
        if not (moves and is_seen and is_unseen(index, value, spec)):
            yield example.page, value


def as_seen(
    spec: FieldSpec, tried: Sequence[Tried], gives: Sequence[object]
) -> list[Tried]:
    """The readers of what was said of a number that may change every day; of several of
    which each `gives` something on all pages those of what is shown, if there are any, and
    those that say the same."""
    kinds = [kind_of(one.candidate.reader) for one in tried]
    pairs = list(zip(tried, kinds, gives, strict=True))
    shown = [given for _, kind, given in pairs if kind is Kind.SHOWN]
    if not (shown and may_move(spec)):
        return list(tried)
    return [one for one, _, given in pairs if given in shown]
