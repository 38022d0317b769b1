"""Does a value stand on the page it was read from?

What a page is asked, and what its answers say of a value.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.forms import net_form, number_form, text_form
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.schema import FieldKind, FieldSpec, Shape

_ITEMS = 20
_FORMS = {
    FieldKind.TEXT: text_form,
    FieldKind.NUMBER: number_form,
    FieldKind.INTEGER: number_form,
}


def is_grounded(value: Any, spec: FieldSpec, facts: PageFacts) -> bool | None:
    """Whether all of a value's (first twenty) items stand on the page; None where it
    cannot be told: dates, urls and the like are written in many ways, and not every
    page was asked."""
    if spec.kind not in _FORMS:
        return None
    answers = [facts.holds(form) for form in _forms(value, spec)]
    return False if False in answers else None if None in answers else True


def asked_forms(
    records: Iterable[Mapping[str, Any]], specs: Iterable[FieldSpec]
) -> set[str]:
    """The forms that the checks ask a page for on which these records are read, or
    were."""
    specs = [spec for spec in specs if spec.kind in _FORMS]
    found: set[str] = set()
    for record in records:
        for spec in specs:
            value = record.get(spec.name)
            if value in EMPTY:
                continue
            found.update(_forms(value, spec))
            if spec.kind is FieldKind.NUMBER and spec.shape is Shape.ONE:
                found.add(net_form(value))
    return found


def _forms(value: Any, spec: FieldSpec) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return [form for item in items[:_ITEMS] if (form := _FORMS[spec.kind](str(item)))]
