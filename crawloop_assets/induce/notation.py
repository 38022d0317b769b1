"""Learns how pages write numbers and dates, from the texts that can only be read one
way, and what stands with the numbers that a program reads."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial, reduce
from itertools import chain, islice

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import agreeing_readings, scopes, vote_on
from crawloop_assets.crawler.program import FieldProgram, Program
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.written import Written, is_counted, written_with
from crawloop_assets.document.document import Document
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import (
    FieldKind,
    FieldSpec,
    Notation,
    RecordSchema,
    noted,
)
from crawloop_assets.values.currencies import may_be_one
from crawloop_assets.values.marks import (
    date_order,
    decimal_point,
    orders_of_day,
    telling,
)

_MOST_ROWS = 20
_FALLBACK = "en"
"""Names of months are looked up in English anyhow."""
_PLAIN = re.compile(r"(\d{4,9}|\d{1,3}(?=\.))(?:\.(\d{1,6}))?")
"""A number as it is known, with decimals or thousands: with a point, without signs between
its thousands."""
_POINT = {",": ",", ".": "."}
_OTHER_POINT = {",": ".", ".": ","}
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?![a-z])")


def learn_notation(documents: Sequence[Document]) -> Notation:
    """What the shown texts of pages agree on; what is not sure stays empty.

    A numeral with both marks ("1.299,00") and a price with two decimals tell the
    decimal point, a date with a day above twelve the order, `<html lang>` the language.
    """
    texts = telling(chain.from_iterable(map(_shown, documents)))
    return Notation.model_validate(
        {
            "language": _language(documents),
            "decimal": decimal_point(texts),
            "dates": date_order(texts) or None,
        }
    )


def noted_as_shown(
    schema: RecordSchema, documents: Sequence[Document], known: Sequence[Example]
) -> RecordSchema:
    """The schema with the notation of the pages.

    A field may have a point of its own: where prices read "12,50 €", a rating may read
    "4.3 of 5", where they read "1.250 EUR" a latitude "44.141". It has if its `known`
    values stand on their pages with that point only.
    Where no date of the pages tells their order, known dates do.
    """
    notation = learn_notation(documents)
    if notation.dates is None:
        order = _order_of_known(schema, documents, known)
        notation = notation.model_copy(update={"dates": order})
    fields = []
    for spec in schema.fields:
        if spec.kind is FieldKind.NUMBER and not spec.decimal:
            point = _point_of(spec, documents, known)
            spec = spec.model_copy(update={"decimal": point})
        fields.append(spec)
    return noted(schema.model_copy(update={"fields": tuple(fields)}), notation)


def noted_as_read(
    schema: RecordSchema,
    program: Program,
    documents: Sequence[Document],
    before: Program | None = None,
) -> Program:
    """The program with the currency and the unit that its numbers stand with on pages.

    What the schema declares goes first, then what two values or more agree on, then
    what the version `before` had. Where records have the currency in a field of their
    own, each page may be in another one.
    """
    places = record_places(program, documents)
    fields = []
    for field in program.fields:
        if is_counted(field.spec):
            written = _written_of(schema, field, places, before)
            spec = field.spec.model_copy(update=written._asdict())
            field = field.model_copy(update={"spec": spec})
        fields.append(field)
    return program.model_copy(update={"fields": tuple(fields)})


def _written_of(
    schema: RecordSchema,
    field: FieldProgram,
    places: Sequence[Scope],
    before: Program | None,
) -> Written:
    """What the numbers of a field stand with: as declared, as learned, as it was."""
    declared = [spec for spec in schema.fields if spec.name == field.spec.name]
    old = before and before.field(field.spec.name)
    known = [*map(_written_in, declared), _learned(field, places)]
    if old:
        known.append(_written_in(old.spec))
    written = reduce(Written.with_rest, known)
    if any("currency" in words_of(spec).own for spec in schema.fields):
        return written._replace(currency="")
    return written


def _written_in(spec: FieldSpec) -> Written:
    """What a field is said to stand with."""
    return Written(spec.currency, spec.unit)


def record_places(program: Program, documents: Sequence[Document]) -> list[Scope]:
    """Where the first records of each page are."""
    if program.record is None:
        return list(map(Scope, documents))
    found = (islice(scopes(one, program.record), _MOST_ROWS) for one in documents)
    return list(chain.from_iterable(found))


def _learned(field: FieldProgram, places: Sequence[Scope]) -> Written:
    """The currency and the unit that the values of a field agree on."""
    written = []
    for place in places:
        value, _ = vote_on(field, place)
        if value is not None:
            readings = agreeing_readings(field, value, place)
            written.append(written_with(readings, place, value))
    units = {one.unit for one in written}
    is_agreed = len(units) == 1 and len(written) >= tuned("notation.fewest")
    return Written(
        currency=_one_currency([one.currency for one in written]),
        unit=units.pop() if is_agreed else "",
    )


def _one_currency(written: Sequence[str]) -> str:
    """The code, or else the sign, that all may mean; "" if they mean several, or are
    too few, or less than half: a small count is a part of some price by chance."""
    named = list(filter(None, written))
    codes = sorted(set(named), key=str.isupper, reverse=True)
    least = max(tuned("notation.fewest"), len(written) / 2)
    if len(named) < least or not all(map(partial(may_be_one, codes[0]), codes)):
        return ""
    return codes[0]


def _point_of(
    spec: FieldSpec, documents: Sequence[Document], known: Sequence[Example]
) -> str:
    """The one point with which known values of a field stand on their pages, or ""."""
    points = [
        _points_of(str(record.get(spec.name)), documents[example.page])
        for example in known
        for record in example.records
    ]
    seen = frozenset().union(*points)
    return "".join(seen) if len(seen) == 1 else ""


def _points_of(value: str, document: Document) -> frozenset[str]:
    """The points with which a value stands anywhere in the bytes of a page: the sign before
    its decimals, or the one that does not part its thousands."""
    match = _PLAIN.fullmatch(value)
    if match is None:
        return frozenset()
    whole, decimals = match.groups()
    head, *groups = f"{int(whole):,}".split(",")
    rest = r"\1".join(groups) or f"{decimals[0]}{decimals[1:].rstrip('0')}0*"
    pattern = rf"(?<![\d.,]){head}([.,]){rest}(?!\d|\1\d)"
    found = re.findall(pattern.encode(), document.page.body)
    points = _OTHER_POINT if groups else _POINT
    return frozenset(map(points.__getitem__, map(bytes.decode, found)))


def _order_of_known(
    schema: RecordSchema, documents: Sequence[Document], known: Sequence[Example]
) -> str | None:
    """The order in which known dates stand on their pages; None if too few do, or some
    in another one."""
    dates = [
        orders_of_day(str(record.get(spec.name)), documents[example.page].page.body)
        for spec in filter(_is_dated, schema.fields)
        for example in known
        for record in example.records
    ]
    seen = Counter(chain.from_iterable(dates))
    order, count = [*seen.most_common(1), ("", 0)][0]
    is_sure = count >= tuned("notation.fewest") and seen.total() == count
    return order if is_sure else None


def _is_dated(spec: FieldSpec) -> bool:
    """Whether a field is a day."""
    return spec.kind in (FieldKind.DATE, FieldKind.DATETIME)


def _shown(document: Document) -> Iterator[str]:
    """The texts that stand in one element."""
    return map(document.own_text, range(len(document.elements)))


def _language(documents: Sequence[Document]) -> str:
    """The language that all pages say they are in; "" for English and for none."""
    said = set(map(said_language, documents))
    language = said.pop() if len(said) == 1 else ""
    return "" if language == _FALLBACK else language


def said_language(document: Document) -> str:
    """The language of `<html lang>`, without its country."""
    if not document.elements:
        return ""
    match = _LANGUAGE.match(document.elements[0].get("lang", ""))
    return match[0] if match else ""
