"""Numbers that may be what the thing cost before: beside the price a page begins to state
the original one. On the day of the redesign most known prices are the original ones, too,
and those that moved since are read as they were known."""

from collections.abc import Sequence

from crawloop_assets.crawler.program import FieldProgram
from crawloop_assets.induce.proof.numbers_beside import KnownInPlace, numbers_beside
from crawloop_assets.induce.proof.todays import lower_places
from crawloop_assets.schema import FieldSpec


def may_be_former(
    spec: FieldSpec, field: FieldProgram | None, rows: Sequence[KnownInPlace]
) -> bool:
    """Whether a number that may change every day is read in one place of the records while
    another one states a lower number in some, a higher one in none, and often the known
    one: which of them is today's nobody can tell from the numbers. Or names say that the
    one that is read is the former one, and the other today's, whatever was known."""
    beside = numbers_beside(spec, field, rows)
    lower = lower_places(beside) if beside else []
    return any(
        one.is_todays or (one.is_known and not one.is_of_others) for one in lower
    )
