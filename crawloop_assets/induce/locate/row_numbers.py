"""The numbers that one row of a list says: a small one stands somewhere on any page, and
is told of its own row only there."""

from decimal import Decimal
from functools import partial
from itertools import chain

from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.page_json import collect_leaves
from crawloop_assets.induce.locate.stream import texts_in
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.numbers import numerals, plain
from crawloop_assets.values.value import Value

_MOST_CELLS = 200
"""Values of an object of an API that are looked through."""


def says_number(spec: FieldSpec, wanted: Value, place: Scope) -> bool:
    """Whether a number is one of those in the texts of a row, or in an object of an API."""
    stated: dict[str, list[str]] = {}
    collect_leaves(place.data, "", stated, _MOST_CELLS)
    of_machines = map(numerals, map(plain, chain.from_iterable(stated.values())))
    shown = map(partial(numerals, decimal=spec.decimal), texts_in(place))
    return Decimal(str(wanted)) in chain.from_iterable(chain(of_machines, shown))
