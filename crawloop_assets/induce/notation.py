"""Learns how pages write numbers and dates, from the texts that can only be read one
way."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.document.document import Document
from crawloop_assets.schema import (
    FieldKind,
    FieldSpec,
    Notation,
    RecordSchema,
    noted,
)
from crawloop_assets.values.currencies import currency_code

_FEWEST = 2
"""Texts that have to say the same, and none another thing."""
_LONGEST = 160
_FALLBACK = "en"
"""Names of months are looked up in English anyhow."""
_DIGIT = re.compile(r"\d")
_BOTH_MARKS = re.compile(
    r"(?<![\d.,])\d{1,3}([.,])\d{3}(?:\1\d{3})*(?!\1)([.,])\d{1,2}(?![.,]?\d)"
)
_HUNDREDTHS = re.compile(r"(?<![\d.,])(\d+)([.,])\d\d(?![.,]?\d)")
_SHORT = re.compile(r"(\d{1,3})\.(\d{1,6})")
"""A number with a point and without a thousand."""
_OTHER_POINT = {",": ".", ".": ","}
_POINT = itemgetter(2)
"""What both find: the decimal point."""
_DAY = r"(3[01]|[12]\d|0?[1-9])"
_DATE = re.compile(rf"(?<!\d){_DAY}([/.-]){_DAY}\2(?:\d{{4}}|\d\d)(?!\d)")
_ORDERS = {(True, False): "DMY", (False, True): "MDY"}
"""By whether the first and the second number can only be a day."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?![a-z])")


def learn_notation(documents: Sequence[Document]) -> Notation:
    """What the shown texts of pages agree on; what is not sure stays empty.

    A numeral with both marks ("1.299,00") and a price with two decimals tell the
    decimal point, a date with a day above twelve the order, `<html lang>` the language.
    """
    texts = list(chain.from_iterable(map(_shown, documents)))
    order = _agreed(chain.from_iterable(map(_orders, texts)))
    return Notation.model_validate(
        {
            "language": _language(documents),
            "decimal": _agreed(chain.from_iterable(map(_points, texts))),
            "dates": order or None,
        }
    )


def noted_as_shown(
    schema: RecordSchema, documents: Sequence[Document], known: Sequence[Example]
) -> RecordSchema:
    """The schema with the notation of the pages.

    A field may have a point of its own: where prices read "12,50 €", a rating may read
    "4.3 of 5". It has if its `known` values stand on their pages with that point only.
    """
    notation = learn_notation(documents)
    other = _OTHER_POINT.get(notation.decimal)
    if other is None:
        return noted(schema, notation)
    fields = []
    for spec in schema.fields:
        is_own = spec.kind is FieldKind.NUMBER and not spec.decimal
        if is_own and _stands_with(other, notation.decimal, spec, documents, known):
            spec = spec.model_copy(update={"decimal": other})
        fields.append(spec)
    return noted(schema.model_copy(update={"fields": tuple(fields)}), notation)


def _stands_with(
    point: str,
    usual: str,
    spec: FieldSpec,
    documents: Sequence[Document],
    known: Sequence[Example],
) -> bool:
    """Whether known values of a field stand on their pages with this point, and none
    with the usual one."""
    points = [
        _points_of(str(record.get(spec.name)), documents[example.page])
        for example in known
        for record in example.records
    ]
    seen = frozenset().union(*points)
    return point in seen and usual not in seen


def _points_of(value: str, document: Document) -> frozenset[str]:
    """The points with which a value stands anywhere in the bytes of a page; of values
    with groups of thousands nothing is said."""
    match = _SHORT.fullmatch(value)
    if match is None:
        return frozenset()
    whole, decimals = match.groups()
    pattern = rf"(?<![\d.,]){whole}([.,]){decimals.rstrip('0') or '0'}0*(?![\d])"
    found = re.findall(pattern.encode(), document.page.body)
    return frozenset(point.decode() for point in found)


def _shown(document: Document) -> Iterator[str]:
    """The short texts with a digit that stand in one element."""
    for number in range(len(document.elements)):
        text = document.own_text(number)
        if len(text) <= _LONGEST and _DIGIT.search(text):
            yield text


def _agreed(answers: Iterable[str]) -> str:
    """What enough say and nobody contradicts; "" if there is nothing like that."""
    said = list(filter(None, answers))
    if len(said) < _FEWEST or len(set(said)) > 1:
        return ""
    return said[0]


def _points(text: str) -> Iterator[str]:
    """The decimal points of numerals that can have no other."""
    matches = _BOTH_MARKS.finditer(text)
    if currency_code(text):
        matches = chain(matches, _HUNDREDTHS.finditer(text))
    return map(_POINT, matches)


def _orders(text: str) -> Iterator[str]:
    """The orders of dates that can have no other."""
    for match in _DATE.finditer(text):
        yield _ORDERS.get((int(match[1]) > 12, int(match[3]) > 12), "")


def _language(documents: Sequence[Document]) -> str:
    """The language that all pages say they are in; "" for English and for none."""
    said = {_said_language(document) for document in documents}
    language = said.pop() if len(said) == 1 else ""
    return "" if language == _FALLBACK else language


def _said_language(document: Document) -> str:
    """The language of `<html lang>`, without its country."""
    if not document.elements:
        return ""
    match = _LANGUAGE.match(document.elements[0].get("lang", ""))
    return match[0] if match else ""
