"""How alike two values of a field are that are not equal."""

import re
from difflib import SequenceMatcher

from crawloop_assets.induce.locate.fit import item_spec
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

NEARLY = 0.9


def value_likeness(got: Value, wanted: Value, spec: FieldSpec) -> float:
    """Share of the items of two lists that are the same, in order."""
    if not isinstance(got, list) or not isinstance(wanted, list):
        return 0.0
    left, right = (
        [repr(_form(item, spec)) for item in items] for items in (got, wanted)
    )
    blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(len(left), len(right), 1)


def resembles(got: Value, wanted: Value, spec: FieldSpec) -> bool:
    """True for values that are nearly the same: a picture in another size, a text that
    holds the other, a set that shares most items, a list of which most items are or
    hold those of the other.

    Numbers and dates are the same or they are not.
    """
    if spec.shape is not Shape.ONE:
        left, right = (
            {letters(str(item)) for item in items} for items in (got, wanted)
        )
        shared = len(left & right)
        if spec.shape is Shape.LIST:
            shared = sum(
                any(one in other or other in one for other in right)
                for one in left
                if one
            )
        return 2 * shared >= max(len(left), len(right))
    if spec.kind is FieldKind.URL:
        left, right = (_slug(str(url)) for url in (got, wanted))
        return bool(left and right) and 2 * len(left & right) >= min(
            len(left), len(right)
        )
    if spec.kind is not FieldKind.TEXT:
        return False
    one_form, other_form = letters(str(got)), letters(str(wanted))
    return (
        one_form in other_form
        or other_form in one_form
        or _ratio(one_form, other_form) >= _ALIKE
    )


_ALIKE = 0.7


def _ratio(left: str, right: str) -> float:
    return (
        SequenceMatcher(None, left, right, autojunk=False).ratio()
        if len(left) + len(right) < _PROSE
        else 0.0
    )


_PROSE = 2000


def _slug(url: str) -> set[str]:
    """The telling words of the last two steps of an address."""
    return {
        word
        for step in url.split("?")[0].split("/")[-2:]
        for word in _WORD.findall(step.casefold())
    }


_WORD = re.compile(r"[^\W\d_]{4,}|[^\W_]{8,}")


def _form(value: Value, spec: FieldSpec) -> object:
    """Canonical form of one item."""
    return canonical(value, item_spec(spec))
