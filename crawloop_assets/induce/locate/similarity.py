"""How alike two values of a field are that are not equal."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from crawloop_assets.induce.locate.fit import item_spec
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_PROSE = 2000
"""Letters of two texts from which comparing them letter by letter takes too long."""
_WORD = re.compile(r"[^\W\d_]{4,}|[^\W_]{8,}")


def value_likeness(got: Value, wanted: Value, spec: FieldSpec) -> float:
    """Share of the items of two lists that are the same, in order."""
    if not isinstance(got, list) or not isinstance(wanted, list):
        return 0.0
    left, right = _canonical_items(got, spec), _canonical_items(wanted, spec)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    equal = sum(block.size for block in matcher.get_matching_blocks())
    return equal / max(len(left), len(right), 1)


def _canonical_items(items: list[Value], spec: FieldSpec) -> list[str]:
    """The items in a form that is equal for equal items and can be hashed."""
    single = item_spec(spec)
    return [repr(canonical(item, single)) for item in items]


def resembles(got: Value, wanted: Value, spec: FieldSpec) -> bool:
    """True for values that are nearly the same: a picture in another size, a text that
    holds the other, a set that shares most items, a list of which most items are or
    hold those of the other.

    Numbers and dates are the same or they are not.
    """
    if spec.shape is not Shape.ONE:
        return _items_resemble(got, wanted, spec.shape)
    if spec.kind is FieldKind.URL:
        return _urls_resemble(str(got), str(wanted))
    if spec.kind is FieldKind.TEXT:
        return _texts_resemble(letters(str(got)), letters(str(wanted)))
    return False


def _items_resemble(
    got: Iterable[Value], wanted: Iterable[Value], shape: Shape
) -> bool:
    """True for lists or sets that share half of the items of the longer."""
    left, right = _letter_forms(got), _letter_forms(wanted)
    shared = len(left & right)
    if shape is Shape.LIST:
        shared = sum(_overlaps_any(form, right) for form in left)
    return 2 * shared >= max(len(left), len(right))


def _letter_forms(items: Iterable[Value]) -> set[str]:
    """The letters of each item, by which they are compared."""
    return {letters(str(item)) for item in items}


def _overlaps_any(form: str, others: Iterable[str]) -> bool:
    """True if the form is part of another or holds another."""
    if not form:
        return False
    return any(overlap(form, other) for other in others)


def overlap(left: str, right: str) -> bool:
    """True if one text is part of the other."""
    return left in right or right in left


def _urls_resemble(got: str, wanted: str) -> bool:
    """True for pictures or pages whose addresses share half of their words."""
    left, right = _slug(got), _slug(wanted)
    fewer = min(len(left), len(right))
    return 0 < fewer <= 2 * len(left & right)


def _texts_resemble(left: str, right: str) -> bool:
    """True for a part and its whole, and for texts with few other letters."""
    if overlap(left, right):
        return True
    if len(left) + len(right) >= _PROSE:
        return False
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    return matcher.ratio() >= tuned("similarity.alike")


def _slug(url: str) -> set[str]:
    """The telling words of the last two steps of an address."""
    path, _, _ = url.partition("?")
    steps = path.split("/")[-2:]
    return set(_WORD.findall("/".join(steps).casefold()))
