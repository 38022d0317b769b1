"""Known values that are not read any more are looked for everywhere on their page: a day
however it is written, an address in any link, a text inside a longer one.

That costs more than to ask for a whole text, so a worker looks only for those that it
does not read.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import Any

from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.forms import (
    SHOWN_TEXT,
    SOMEWHERE,
    as_part,
    date_form,
    inside_form,
    link_form,
)
from crawloop_assets.drift.value_lookup import (
    LEAST_LETTERS,
    is_on_page,
    seen_forms,
)
from crawloop_assets.drift.values import is_filled
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import letters

_FORM_OF = {
    FieldKind.DATE: date_form,
    FieldKind.DATETIME: date_form,
    FieldKind.URL: link_form,
    FieldKind.TEXT: inside_form,
}


def still_form(value: Any, spec: FieldSpec) -> str:
    """The form by which a value is looked for; "" for kinds that are not, and for what is
    so short that it is anywhere."""
    is_looked_for = spec.kind in _FORM_OF and spec.shape is Shape.ONE
    if (
        not is_looked_for
        or not is_filled(value)
        or len(letters(str(value))) < LEAST_LETTERS
    ):
        return ""
    return _FORM_OF[spec.kind](str(value))


def still_forms(
    records: Iterable[Mapping[str, Any]], specs: Iterable[FieldSpec]
) -> set[str]:
    """The forms by which the values of some records are looked for."""
    forms = map(partial(_forms_of, tuple(specs)), records)
    return set(filter(None, chain.from_iterable(forms)))


def not_read(
    asked: Collection[str],
    records: Iterable[Mapping[str, Any]],
    specs: Iterable[FieldSpec],
) -> set[str]:
    """The forms that a page is asked for, without those by which values are looked for
    that are read: what is read need not be looked for."""
    wanted, known, fields = set(asked), list(records), list(specs)
    for begin, forms_of in ((SOMEWHERE, still_forms), (SHOWN_TEXT, seen_forms)):
        if any(form.startswith(begin) for form in asked):
            wanted -= forms_of(known, fields)
    return wanted


def _forms_of(specs: Iterable[FieldSpec], record: Mapping[str, Any]) -> Iterator[str]:
    """The forms of one record; of a text also the one of a part of a longer one."""
    forms = [still_form(record.get(spec.name), spec) for spec in specs]
    return chain(forms, map(as_part, forms))


def is_still_there(value: Any, spec: FieldSpec, facts: PageFacts) -> bool | None:
    """Whether a known value is somewhere on its page; None if the page was not asked."""
    answers = is_on_page(value, spec, facts), facts.holds(still_form(value, spec))
    return None if answers == (None, None) else any(answers)
