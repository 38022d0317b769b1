"""How sure a cell is: who on its page says it, and whether anybody says otherwise.

What two kinds of places say is sure, as long as no other place that is called as the
field is says anything else. What a page states for programs, as data or in meta tags, is
one kind. The program that read the cell is not asked: it is what is judged.
"""

from collections.abc import Mapping, Sequence

from crawloop_assets.document.document import Document
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.scout.columns import TITLES, value_of_cell
from crawloop_assets.scout.naming import name_of
from crawloop_assets.scout.pages import page_sheet
from crawloop_assets.scout.sheet import Origin, Sheet, SheetPlace
from crawloop_assets.values.equality import same
from crawloop_assets.values.short_texts import remembered
from crawloop_assets.values.text import letters, stem
from crawloop_assets.values.value import Value

_ENOUGH = 2
_INDEPENDENT = {Origin.META: Origin.STATED}
"""Whoever writes the data of a page writes its meta tags, too."""
_LONGEST_VALUE = 80
"""Characters of a number, a date, a duration, or a short list of them."""


def weighed(
    pages: Sequence[Page], schema: RecordSchema, read: Sequence[Mapping[str, Value]]
) -> tuple[frozenset[str], ...]:
    """The fields whose values are sure, of the one record that was `read` on each of
    some pages of one layout."""
    sheet = page_sheet(list(map(Document, pages)))
    sure: list[frozenset[str]] = []
    for page, values in enumerate(read):
        said = [(spec, values.get(spec.name)) for spec in schema.fields]
        backed = filter(lambda one: _is_backed(sheet, page, *one), said)
        sure.append(frozenset(spec.name for spec, _ in backed))
    return tuple(sure)


def _is_backed(sheet: Sheet, page: int, spec: FieldSpec, value: Value) -> bool:
    """Whether enough say a value on a page, and nobody says otherwise."""
    base = sheet.bases[page]
    if value is None or str(value) == base:
        return value is not None
    kinds: set[Origin] = set()
    for place in filter(lambda one: one.cells[page], sheet.places):
        if _says(place, page, spec, value, base):
            kinds.add(_INDEPENDENT.get(place.origin, place.origin))
        elif _is_called(spec.name, place):
            return False
    return len(kinds) >= _ENOUGH


def _says(
    place: SheetPlace, page: int, spec: FieldSpec, value: Value, base: str
) -> bool:
    """Whether the texts of a cell are a value: by their letters, or as its kind."""
    cell = place.cells[page]
    if _written(" ".join(cell)) == _written(_text_of(value)):
        return True
    if not _is_of_kind(place, cell, spec):
        return False
    read = value_of_cell(spec, cell, base)
    return read is not None and same(read, value, spec)


def _is_of_kind(place: SheetPlace, cell: Sequence[str], spec: FieldSpec) -> bool:
    """Whether a cell may hold a value of a field that is no mere text."""
    is_one = len(cell) == 1 or spec.shape is not Shape.ONE
    is_link = spec.kind is FieldKind.URL
    is_short = is_link or sum(map(len, cell)) <= _LONGEST_VALUE
    is_alike = is_link is place.is_link and spec.kind is not FieldKind.TEXT
    return all((is_one, is_short, is_alike))


def _text_of(value: Value) -> str:
    """A value as one text."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


@remembered(10_000)
def _written(text: str) -> str:
    """The letters and digits of a text."""
    return letters(text)


def _is_called(name: str, place: SheetPlace) -> bool:
    """Whether a place has the name of a field, or the end of it: `ingredients` and
    `recipe_ingredient`."""
    other = name_of(place)
    if name in TITLES and other in TITLES:
        return True
    mine, its = (list(map(stem, one.split("_"))) for one in (name, other))
    return mine[-len(its) :] == its or its[-len(mine) :] == mine
