"""Counts pages that a cache has kept since before the last refresh, and that say what is
not known any more.

What was made earlier cannot be news of what was read later. Such a page tells nothing
until the site itself, or a younger copy, answers.
"""

from collections.abc import Iterator, Sequence
from operator import attrgetter

from crawloop_assets.drift.changes import RecordPair
from crawloop_assets.drift.outcome import OldCopy, PageOutcome
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.equality import same


def count_cached_signs(
    schema: RecordSchema,
    outcomes: Sequence[PageOutcome],
    pairs: Sequence[RecordPair],
    tallies: Tallies,
) -> None:
    """Count CACHED of the known records that have a page of their own, and of the values
    that may be other ones every day of those that have not.

    That an old copy says what is known is no sign, unless the page was held the last
    time: then it clears no doubt.
    """
    for pair in pairs:
        outcome = outcomes[pair.page]
        is_old = outcome.old_copy is OldCopy.OTHER
        others = list(_other_values(schema, pair)) if is_old else []
        if len(outcome.values) != 1:
            _count_row(schema, pair, others, tallies)
            continue
        tallies.add(
            Sign.CACHED,
            "",
            pair.page,
            has_sign=bool(others) or (is_old and outcome.was_held),
            expected="an answer of the site",
            got=f"an old copy with other {', '.join(others)}"
            if others
            else "an old copy",
        )


def _count_row(
    schema: RecordSchema, pair: RecordPair, others: Sequence[str], tallies: Tallies
) -> None:
    """Count a row of a list by its fields: it waits alone."""
    for spec in filter(attrgetter("volatile"), schema.fields):
        tallies.add(
            Sign.CACHED,
            spec.name,
            pair.page,
            has_sign=spec.name in others,
            expected="an answer of the site",
            got=pair.new.get(spec.name),
        )


def _other_values(schema: RecordSchema, pair: RecordPair) -> Iterator[str]:
    """The fields that may be other ones every day, and are."""
    for spec in schema.fields:
        before, after = pair.old.get(spec.name), pair.new.get(spec.name)
        is_known = spec.volatile and before not in EMPTY
        if is_known and not same(before, after, spec):
            yield spec.name
