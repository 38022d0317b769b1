"""Laws that bind fields of a record to each other: a price and the former one, a price
and its currency, a beginning and an end.

Values that are bound say something true together only if they are of one moment. So a
known value is never put beside a fresh one that it is bound to.
"""

from collections.abc import Callable, Mapping
from itertools import combinations

from crawloop_assets.drift.fields import MOMENTS, NUMERIC_KINDS
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.text import tokens

_MEASURES = frozenset(
    (
        *("rating", "ratings", "score", "stars", "calories", "area", "distance"),
        *("weight", "mass", "width", "height", "depth", "length", "size", "volume"),
        *("latitude", "longitude", "lat", "lon", "lng"),
    )
)
"""Words for numbers that are no amounts of money."""

_CURRENCY = "currency"


def is_money(spec: FieldSpec) -> bool:
    """Whether a field has amounts of money in it, or says of which currency they are.

    A decimal number that is named after no other measure is one.
    """
    if any(map(is_money, spec.fields)):
        return True
    if _CURRENCY in _words(spec):
        return True
    return spec.kind is FieldKind.NUMBER and not _words(spec) & _MEASURES


def _is_duration(spec: FieldSpec) -> bool:
    """Whether a field is a part of a total time, or the total."""
    return spec.kind is FieldKind.MINUTES


def _is_moment(spec: FieldSpec) -> bool:
    """Whether a field says when something begins, ends or changed."""
    return spec.kind in MOMENTS


_LAWS: tuple[Callable[[FieldSpec], bool], ...] = (is_money, _is_duration, _is_moment)
"""Each binds all fields of which it holds."""


def bonds(schema: RecordSchema) -> Mapping[str, frozenset[str]]:
    """Field -> the fields that a law binds it to.

    Bound are fields of one law, and numbers that share a word of their name with
    another field ("rating", "rating_count").
    """
    bound: dict[str, set[str]] = {spec.name: set() for spec in schema.fields}
    for one, other in combinations(schema.fields, 2):
        if _are_bound(one, other):
            bound[one.name].add(other.name)
            bound[other.name].add(one.name)
    return {name: frozenset(others) for name, others in bound.items()}


def _are_bound(one: FieldSpec, other: FieldSpec) -> bool:
    """Whether a law is about both fields."""
    if any(holds(one) and holds(other) for holds in _LAWS):
        return True
    has_number = one.kind in NUMERIC_KINDS or other.kind in NUMERIC_KINDS
    return has_number and bool(_name(one) & _name(other))


def _name(spec: FieldSpec) -> set[str]:
    """The words of a field's name."""
    return set(tokens(spec.name))


def _words(spec: FieldSpec) -> set[str]:
    """The words of a field's name and aliases."""
    return _name(spec).union(*map(tokens, spec.aliases))
