"""The numbers that one row of a list says: a small one stands somewhere on any page, and
is told of its own row only there."""

from decimal import Decimal
from functools import partial
from itertools import chain, starmap

from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.document.former import former_numbers
from crawloop_assets.document.page_json import collect_leaves
from crawloop_assets.induce.locate.stream import texts_in
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.numbers import numerals, plain
from crawloop_assets.values.value import Value

_MOST_CELLS = 200
"""Values of an object of an API that are looked through."""


def is_former_only(spec: FieldSpec, wanted: Value, place: Scope) -> bool:
    """Whether a row, or a page, says a number, and no more than as a former one: crossed
    out, or behind words for it."""
    number = Decimal(str(wanted))
    document = place.document
    nodes = document.by_tag.get("body", ()) if place.whole else place.nodes
    left = map(partial(numerals, decimal=spec.decimal), map(document.text, nodes))
    whole = map(
        partial(numerals, decimal=spec.decimal), map(document.span, nodes, nodes)
    )
    # Texts of elements that stand close are read as one: both have to be read alike.
    if number in frozenset(chain.from_iterable(whole)) - set(chain.from_iterable(left)):
        return True
    spans = zip(
        map(document.first_piece.__getitem__, nodes),
        map(document.last_piece.__getitem__, nodes),
        strict=True,
    )
    pieces = chain.from_iterable(starmap(range, spans))
    holding = list(filter(partial(_holds, spec, document, number), pieces))
    former = [
        number in former_numbers(document, piece, spec.decimal) for piece in holding
    ]
    return bool(former) and all(former)


def _holds(spec: FieldSpec, document: Document, number: Decimal, piece: int) -> bool:
    """Whether a text of a page has a number."""
    return number in numerals(document.columns.texts[piece], spec.decimal)


def says_number(spec: FieldSpec, wanted: Value, place: Scope) -> bool:
    """Whether a number is one of those in the texts of a row, or in an object of an API."""
    stated: dict[str, list[str]] = {}
    collect_leaves(place.data, "", stated, _MOST_CELLS)
    of_machines = map(numerals, map(plain, chain.from_iterable(stated.values())))
    shown = map(partial(numerals, decimal=spec.decimal), texts_in(place))
    return Decimal(str(wanted)) in chain.from_iterable(chain(of_machines, shown))
