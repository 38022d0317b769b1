"""Does a value occur on a page at all?"""

from decimal import Decimal
from functools import partial
from itertools import chain

from crawloop_assets.induce.locate.fit import item_spec
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.regrouped import clock_letters
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, as_list

_NUMERIC = frozenset((FieldKind.NUMBER, FieldKind.INTEGER))
_MOMENTS = frozenset((FieldKind.DATE, FieldKind.DATETIME))
_TEXTUAL = frozenset((FieldKind.TEXT, FieldKind.CHOICE, FieldKind.URL))


def occurs_on(index: Index, value: Value, spec: FieldSpec) -> bool:
    """True if the value (every item of a list) is found in the text, an attribute or
    the JSON of the page."""
    items = [value]
    if spec.shape is not Shape.ONE and isinstance(value, list):
        items = value
    single = item_spec(spec)
    return all(_item_occurs(index, item, single) for item in items)


def is_stated_whole(index: Index, value: Value, spec: FieldSpec) -> bool:
    """True if one place of the page's JSON has just the items of a list, in any order:
    what stands around them is none of them, such as the name of a section. One item
    alone stands anywhere."""
    if spec.shape is Shape.ONE:
        return False
    wanted = sorted(map(letters, map(str, as_list(value))))
    return len(wanted) > 1 and tuple(wanted) in index.stated_lists


def _item_occurs(index: Index, value: Value, spec: FieldSpec) -> bool:
    """True for a value that some transform gives, or whose letters are there."""
    if spec.kind is FieldKind.OBJECT:
        return _parts_occur(index, value, spec)
    if index.places(value, spec):
        return True
    if spec.kind in _NUMERIC and _as_decimal(value) in index.stated_numbers:
        return True
    if spec.kind in _MOMENTS and index.states_moment(value, spec):
        return True
    forms = _letters_of(value, spec), clock_letters(str(value))
    return any(map(partial(_letters_occur, index, kind=spec.kind), forms))


def _as_decimal(value: Value) -> Decimal | None:
    """A typed value as a number, which JSON may write otherwise ("32600.0", "32.600,00")."""
    return parse_number(str(value), 0, ".")


def _letters_of(value: Value, spec: FieldSpec) -> str:
    """The letters of a value; of an address those of its last step, as pages write it
    in many ways."""
    text = str(value)
    if spec.kind is FieldKind.URL:
        _, _, text = text.rpartition("/")
    return letters(text)


def _letters_occur(index: Index, wanted: str, kind: FieldKind) -> bool:
    """True if the letters are in the text, for kinds that are texts, or are a whole
    text of the page's JSON."""
    if not wanted:
        return False
    # A number that ends an address is any number of the text.
    is_any = kind is FieldKind.URL and wanted.isdecimal()
    if kind in _TEXTUAL and not is_any and index.holds(wanted):
        return True
    leaves = chain.from_iterable(index.document.leaves.values())
    return wanted in map(letters, leaves)


def _parts_occur(index: Index, value: Value, spec: FieldSpec) -> bool:
    """True if every part that an object has occurs on the page."""
    if not isinstance(value, dict):
        return True
    present = [part for part in spec.fields if part.name in value]
    return all(occurs_on(index, value[part.name], part) for part in present)
