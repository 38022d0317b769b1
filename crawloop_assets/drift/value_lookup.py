"""Whether a value is shown on the page it was read from: what a page is asked, and what
its answers say of a value."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product, starmap
from typing import Any

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.fields import has_records
from crawloop_assets.drift.forms import (
    ANY_POINT,
    Points,
    list_form,
    net_form,
    numeral_form,
    shown_form,
    shown_text_form,
    struck_form,
    text_form,
)
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.values import as_items, is_filled
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.present import present

_MOST_ITEMS = 20
"""So many items of a list are looked up."""

_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER)

_MOST_SHARED = 6
"""Texts of a field that all pages are asked for, if there are no more."""

LEAST_LETTERS = 6
"""Shorter texts are found on any page."""

_LEAST_PAGES = 3
"""So many pages of other records tell what stands on all of them."""

_FORM_OF = {
    FieldKind.TEXT: text_form,
    FieldKind.NUMBER: numeral_form,
    FieldKind.INTEGER: numeral_form,
}
"""How the values of a kind are looked up; others (dates, urls) are written in many
ways, and no page is asked for them."""
_SEEN = {
    FieldKind.TEXT: shown_text_form,
    FieldKind.NUMBER: shown_form,
    FieldKind.INTEGER: shown_form,
}


def is_on_page(value: Any, spec: FieldSpec, facts: PageFacts) -> bool | None:
    """Whether all of a value's (first twenty) items are on the page.

    None where that is not known: of kinds that are written in many ways, and of forms
    for which the page was not asked.
    """
    if spec.kind not in _FORM_OF:
        return None
    answers = set(map(facts.holds, value_forms(value, spec)))
    if False in answers:
        return False
    if None in answers:
        return None
    return True


def asked_forms(
    records: Iterable[Mapping[str, Any]], specs: Iterable[FieldSpec]
) -> set[str]:
    """The forms a page is asked for on which these records are read, or were.

    Numbers are also asked for as net of tax.
    """
    forms: set[str] = set()
    asked = [spec for spec in specs if spec.kind in _FORM_OF]
    for record in records:
        for spec in asked:
            value = record.get(spec.name)
            if is_filled(value):
                forms.update(_asked_of(value, spec))
    return forms


def points_of(specs: Iterable[FieldSpec]) -> Points:
    """The decimal points by which the numbers of fields are read."""
    points = {spec.decimal for spec in specs if spec.kind in _NUMBERS}
    return tuple(sorted(points)) or ANY_POINT


def known_forms(
    records: Iterable[Mapping[str, Any]], specs: Iterable[FieldSpec]
) -> set[str]:
    """The forms a page is asked for of which these records are known.

    Amounts are also asked for as crossed out: so a former price stands there; lists of
    texts also as wholes. Of a page of one record also the texts of the records in it.
    """
    known, fields = list(records), list(specs)
    crossed_out = map(struck_form, _values(known, filter(is_amount, fields)))
    whole = map(list_form, _values(known, filter(is_list, fields)))
    inside = starmap(record_forms, product(known[: len(known) == 1], fields))
    return asked_forms(known, fields).union(crossed_out, whole, *inside)


def record_forms(record: Mapping[str, Any], spec: FieldSpec) -> set[str]:
    """The texts of the (first twenty) records that a record has in a field, by which
    those are known; none of other fields."""
    if not has_records(spec):
        return set()
    inner = record.get(spec.name) or []
    texts = [part for part in spec.fields if part.kind is FieldKind.TEXT]
    values = map(str, _values(inner[:_MOST_ITEMS], texts))
    return set(filter(_is_telling, map(text_form, values)))


def _values(
    records: Iterable[Mapping[str, Any]], specs: Iterable[FieldSpec]
) -> Iterator[Any]:
    """The values that records have in some fields."""
    pairs = product(records, specs)
    return filter(is_filled, (record.get(spec.name) for record, spec in pairs))


def shared_forms(
    records: Iterable[Mapping[str, Any]], specs: Iterable[FieldSpec]
) -> set[str]:
    """The forms that all pages are asked for of which these records are known: texts of
    which there are few in the family, such as its categories. Where one stands on pages
    of other ones as well it stands there anyway."""
    known, forms = list(records), set[str]()
    for spec in specs:
        if spec.kind is FieldKind.TEXT and spec.shape is Shape.ONE:
            texts = {text_form(str(record.get(spec.name) or "")) for record in known}
            if len(texts) <= _MOST_SHARED and len(known) > len(texts):
                forms.update(filter(_is_telling, texts))
    return forms


def _is_telling(text: str) -> bool:
    """Whether a text is not found on any page."""
    return len(text) >= LEAST_LETTERS


class Commonplaces:
    """Which texts stand on the pages of a batch whatever their records are, in a menu
    or a footer."""

    def __init__(self, pages: Sequence[PageOutcome]):
        self._pages = pages
        self._known: dict[tuple[str, str], bool] = {}

    def has(self, field: str, text: object) -> bool:
        """Whether a text stands on most pages of which the field is another one."""
        form = text_form(str(text))
        if (field, form) not in self._known:
            answers = [
                page.facts.holds(form)
                for page in self._pages
                if page.facts is not None and not _has_text(page, field, form)
            ]
            asked = present(answers)
            is_common = len(asked) >= _LEAST_PAGES and 2 * sum(asked) > len(asked)
            self._known[field, form] = is_common
        return self._known[field, form]


def _has_text(page: PageOutcome, field: str, form: str) -> bool:
    """Whether a record of a page has a text in a field, or was known for it."""
    rows = (*page.previous, *page.values)
    return any(text_form(str(row.get(field))) == form for row in rows)


def _asked_of(value: Any, spec: FieldSpec) -> Iterator[str]:
    """The forms that are asked for one value."""
    yield from value_forms(value, spec)
    if is_amount(spec):
        yield net_form(value)
    if is_number_that_moves(spec):
        yield shown_form(value)


def is_looked_up(spec: FieldSpec) -> bool:
    """Whether values of a field's kind are looked up on pages."""
    return spec.kind in _FORM_OF


def is_amount(spec: FieldSpec) -> bool:
    """Whether a field holds one number that may be an amount with or without tax."""
    return spec.kind is FieldKind.NUMBER and spec.shape is Shape.ONE


def is_number_that_moves(spec: FieldSpec) -> bool:
    """Whether a field is one number that may be another one every day."""
    return spec.volatile and spec.kind in _NUMBERS and spec.shape is Shape.ONE


def seen_form(value: Any, spec: FieldSpec) -> str:
    """The form by which a value is looked up in what people see of a page; "" for kinds
    that are not, and for lists."""
    if spec.kind not in _SEEN or spec.shape is not Shape.ONE or not is_filled(value):
        return ""
    return _SEEN[spec.kind](str(value))


def seen_forms(
    records: Iterable[Mapping[str, Any]], specs: Iterable[FieldSpec]
) -> set[str]:
    """The forms by which the values of rows are looked up in what people see."""
    pairs = product(records, specs)
    return {seen_form(record.get(spec.name), spec) for record, spec in pairs} - {""}


def is_list(spec: FieldSpec) -> bool:
    """Whether a field holds several texts."""
    return spec.kind is FieldKind.TEXT and spec.shape is not Shape.ONE


def value_forms(value: Any, spec: FieldSpec) -> Iterator[str]:
    """The forms of a value's items, of a field that is looked up; items of no letters
    have none."""
    items = map(str, as_items(value)[:_MOST_ITEMS])
    return filter(None, map(_FORM_OF[spec.kind], items))
