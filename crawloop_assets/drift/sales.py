"""What a sale looks like: a lower price, and a field that states the usual one for as
long as the sale goes on.

Whether it begins or ends, it is the same pair of records: one of the sale, and one of
before it or after it.
"""

from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.values import as_positive
from crawloop_assets.schema import FieldKind, FieldSpec

_TOLERANCE = 0.15
"""A stated former price may differ by so much from the one that was known."""

_NO_MORE = 1e-9


def is_sale(
    price: str, before: Record, now: Record, tolerance: float = _TOLERANCE
) -> bool:
    """Whether a sale begins or ends in which the field `price` is another number."""
    begins = _former_prices(price, now, before, tolerance)
    ends = _former_prices(price, before, now, tolerance)
    return bool(begins | ends)


def is_no_more_than_sale(price: str, before: Record, now: Record) -> bool:
    """Whether such a sale is all that became of the price: the former one that is
    stated is the usual one, not one near it."""
    return is_sale(price, before, now, _NO_MORE)


def is_sale_over(former: FieldSpec, before: Record, now: Record) -> bool:
    """Whether a former price is gone because a price is (nearly) that again."""
    is_amount = former.kind is FieldKind.NUMBER
    if not is_amount or as_positive(now.get(former.name)) is not None:
        return False
    gone: set[str] = set()
    for price in now.keys() - {former.name}:
        gone |= _former_prices(price, sale=before, usual=now)
    return former.name in gone


def _former_prices(
    price: str, sale: Record, usual: Record, tolerance: float = _TOLERANCE
) -> set[str]:
    """The fields that state in the record of a sale what the price is in the usual one,
    and there state nothing that is higher."""
    lower, higher = as_positive(sale.get(price)), as_positive(usual.get(price))
    if lower is None or higher is None or lower >= higher:
        return set()
    found: set[str] = set()
    for name in sale.keys() - {price}:
        stated, beside = _amount(sale[name]), as_positive(usual.get(name))
        is_former = stated > lower and abs(stated / higher - 1) < tolerance
        if is_former and (beside is None or beside <= higher):
            found.add(name)
    return found


def _amount(value: object) -> float:
    """A stated amount, 0 for none.

    Amounts are decimals, so text: counts come near a price by chance.
    """
    if not isinstance(value, str):
        return 0.0
    return as_positive(value) or 0.0
