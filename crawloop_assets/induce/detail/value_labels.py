"""Labels that are none, but values of other fields: "Halle · Vollzeit" before the pay of
one page is the town and the hours of another one, before what that has instead."""

from collections.abc import Mapping
from itertools import chain

from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, texts_among

_SHORTEST = 4  # letters; fewer are in many a word


def is_of_value(
    label: str, spec: FieldSpec, rows: Mapping[int, Mapping[str, Value]]
) -> bool:
    """Whether a label, by its letters, has in it what another field is known to be on one
    page and not on all of them."""
    known: dict[str, list[set[str]]] = {}
    for row in rows.values():
        for name in set(row) - {spec.name}:
            forms = set(map(letters, texts_among([row[name]])))
            known.setdefault(name, []).append(forms)
    differing = (
        forms for forms in known.values() if len(set(map(frozenset, forms))) > 1
    )
    values = chain.from_iterable(chain.from_iterable(differing))
    return any(len(value) >= _SHORTEST and value in label for value in values)
