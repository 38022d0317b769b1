"""Counts amounts with three decimals in a family whose amounts never had so many.

"1.234" is said twice in the world: a little more than one, and more than a thousand. A
version reads it as its decimal point says. Where no amount of the family was ever told
to a thousandth, that is what the mark was not meant for.
"""

import re
from collections.abc import Iterator, Sequence

from crawloop_assets.drift.bonds import is_money
from crawloop_assets.drift.fields import single_fields
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import PageOutcome, filled_values
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.tally import Tallies
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

_EXACT = "3"
"""Three decimals or more."""

_LIKE_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""No mark for thousands stands behind a zero."""


def count_decimal_signs(
    schema: RecordSchema, pages: Sequence[PageOutcome], norms: Norms, tallies: Tallies
) -> None:
    """Count THOUSANDS of every amount, where it is known how many decimals they have, and
    that they have less than three."""
    for spec in _amounts(schema):
        known = norms.known(_trait(spec.name))
        if not known or _EXACT in known:
            continue
        for at, _, _, value in filled_values(pages, spec.name):
            is_like = _LIKE_THOUSANDS.fullmatch(str(value)) is not None
            tallies.add(Sign.THOUSANDS, spec.name, at, has_sign=is_like, got=value)


def decimal_traits(
    schema: RecordSchema, page: PageOutcome
) -> Iterator[tuple[str, str]]:
    """(trait of a field, number of decimals) of each amount of a page, as history keeps
    it."""
    for spec in _amounts(schema):
        for _, _, _, value in filled_values([page], spec.name):
            decimals = len(str(value).partition(".")[2])
            yield _trait(spec.name), str(min(decimals, int(_EXACT)))


def _amounts(schema: RecordSchema) -> list[FieldSpec]:
    """The fields of money: a weight may be told more exactly than others."""
    return list(filter(is_money, single_fields(schema, (FieldKind.NUMBER,))))


def _trait(field: str) -> str:
    return f"decimals:{field}"
