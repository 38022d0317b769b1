"""The numbers and days that one row of a list says: a small one stands somewhere on any page, and
is told of its own row only there."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain, starmap

from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.document.former import former_numbers
from crawloop_assets.document.number_names import words_of_number
from crawloop_assets.document.page_json import collect_leaves
from crawloop_assets.document.price_names import is_before, words_of_name, words_of_path
from crawloop_assets.induce.locate.scales import POWERS
from crawloop_assets.induce.locate.stream import texts_in
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import numerals, plain
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.value import Value

_CROSSED_OUT = frozenset(["struck"])
_MOST_CELLS = 200
"""Values of an object of an API that are looked through."""


def is_former_only(spec: FieldSpec, wanted: Value, place: Scope) -> bool:
    """Whether a row, or a page, says a number, and no more than as a former one: crossed
    out, or behind words for it."""
    number = Decimal(str(wanted))
    return _is_crossed_out(spec, number, place) or _is_said_former(spec, number, place)


def is_dearer_only(spec: FieldSpec, wanted: Value, place: Scope) -> bool:
    """The same of a number beside a lower one: there, places that are called former or usual
    prices say it to be a former one, too. Not of a field that is called so itself."""
    number = Decimal(str(wanted))
    if is_before(words_of_name(spec.name)):
        return False
    if place.data is not None or place.document.is_json:
        return _is_stated_former(number, place)
    holding = _holding(spec, number, place)
    parents = map(place.document.piece_parent, holding)
    # What is crossed out is looked at with all that is not (`is_former_only`).
    words = map(partial(words_of_number, place.document), parents)
    called = (each - _CROSSED_OUT for each in words)
    is_called_so = bool(holding) and all(map(is_before, called))
    return is_called_so or is_former_only(spec, wanted, place)


def _is_stated_former(number: Decimal, place: Scope) -> bool:
    """Whether all of the JSON of a place that says a number, in whatever unit, is called a
    former price."""
    stated: dict[str, list[str]] = {}
    collect_leaves(place.data, "", stated, _MOST_CELLS)
    leaves = stated if place.data is not None else place.document.leaves
    units = {number, *map(number.scaleb, POWERS)}
    paths = [
        path
        for path, texts in leaves.items()
        if not units.isdisjoint(_of_machines(texts))
    ]
    return bool(paths) and all(map(is_before, map(words_of_path, paths)))


def _of_machines(texts: Iterable[str]) -> Iterator[Decimal]:
    """The numbers of texts of JSON."""
    return filter(None, chain.from_iterable(map(numerals, map(plain, texts))))


def _is_crossed_out(spec: FieldSpec, number: Decimal, place: Scope) -> bool:
    """Whether a number is in what a place says only where that is crossed out."""
    document, nodes = place.document, _nodes(place)
    read = partial(numerals, decimal=spec.decimal)
    left = chain.from_iterable(map(read, map(document.text, nodes)))
    whole = chain.from_iterable(map(read, map(document.span, nodes, nodes)))
    # Texts of elements that stand close are read as one: both have to be read alike.
    return number in frozenset(whole) - frozenset(left)


def _is_said_former(spec: FieldSpec, number: Decimal, place: Scope) -> bool:
    """Whether all texts of a place that have a number say it as a former one."""
    document = place.document
    holding = _holding(spec, number, place)
    former = [
        number in former_numbers(document, piece, spec.decimal) for piece in holding
    ]
    return bool(former) and all(former)


def _holding(spec: FieldSpec, number: Decimal, place: Scope) -> list[int]:
    """The texts of a place that have a number."""
    document, nodes = place.document, _nodes(place)
    spans = zip(
        map(document.first_piece.__getitem__, nodes),
        map(document.last_piece.__getitem__, nodes),
        strict=True,
    )
    pieces = chain.from_iterable(starmap(range, spans))
    return list(filter(partial(_holds, spec, document, number), pieces))


def _nodes(place: Scope) -> Sequence[int]:
    """The elements of a row, or of a page what it shows."""
    return place.document.by_tag.get("body", ()) if place.whole else place.nodes


def _holds(spec: FieldSpec, document: Document, number: Decimal, piece: int) -> bool:
    """Whether a text of a page has a number."""
    return number in numerals(document.columns.texts[piece], spec.decimal)


def says_number(spec: FieldSpec, wanted: Value, place: Scope) -> bool:
    """Whether a number is one of those in the texts of a row, or in an object of an API."""
    of_machines = _of_machines(_stated(place))
    shown = map(partial(numerals, decimal=spec.decimal), texts_in(place))
    return Decimal(str(wanted)) in chain(of_machines, chain.from_iterable(shown))


def says_day(spec: FieldSpec, wanted: Value, place: Scope) -> bool:
    """Whether a text of a row, or of an object of an API, says a day or a moment."""
    texts = chain(_stated(place), texts_in(place))
    said = (parse_value(text, spec) for text in texts)
    return any(same(value, wanted, spec) for value in said)


def _stated(place: Scope) -> Iterator[str]:
    """The texts of an object of an API."""
    stated: dict[str, list[str]] = {}
    collect_leaves(place.data, "", stated, _MOST_CELLS)
    return chain.from_iterable(stated.values())
