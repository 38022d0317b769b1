"""What a page has against what somebody claims to have read there.

A claim that stands on the page may be another thing's value: the former price, the price
without tax, the name of a product beside it. The page says so itself, where it names
the field and says something else, crosses the value out, calls it net beside a larger
sum, or has another heading.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from operator import attrgetter

from crawloop_assets.document.document import Document
from crawloop_assets.drift.forms import is_net, is_struck, net_form, struck_form
from crawloop_assets.drift.presence import Presence
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.scout.answers import Contradiction, Contradictions
from crawloop_assets.scout.columns import TITLES, value_of_cell
from crawloop_assets.scout.naming import names_meaning
from crawloop_assets.scout.pages import page_sheet
from crawloop_assets.scout.sheet import Origin, Sheet, SheetPlace
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import numbers
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value

_LONGEST = 80
"""Characters of a text of which a page states one form only."""
_LEAST_TAX, _MOST_TAX = Decimal("1.03"), Decimal("1.30")
_TELLING = 2
"""Different things that a place says on the pages, from which it is about the record."""

_COMPARED = (
    FieldKind.TEXT,
    FieldKind.NUMBER,
    FieldKind.INTEGER,
    FieldKind.DATE,
    FieldKind.MINUTES,
)


def contradicted(
    pages: Sequence[Page],
    schema: RecordSchema,
    claimed: Sequence[Sequence[Mapping[str, Value]]],
) -> Contradictions:
    """What speaks against the records that are claimed of each page; of a page with
    several, only what their own values look like."""
    documents = list(map(Document, pages))
    sheet = page_sheet(documents)
    found = []
    for page, records in enumerate(claimed):
        witness = _Witness(documents[page], sheet, page)
        for row, record in enumerate(records):
            for spec in schema.fields:
                why = witness.against(spec, record.get(spec.name), len(records) == 1)
                if why:
                    found.append(
                        Contradiction(page=page, row=row, field=spec.name, why=why)
                    )
    return Contradictions(found=tuple(found))


def _is_compared(spec: FieldSpec) -> bool:
    """Whether what a page says of a field can speak against a value of it."""
    return spec.shape is Shape.ONE and spec.kind in _COMPARED


class _Witness:
    """One page, asked about values of fields."""

    def __init__(self, document: Document, sheet: Sheet, page: int):
        """`page` is its row in the sheet."""
        self._document, self._sheet, self._page = document, sheet, page
        self._presence = Presence(document)

    def against(self, spec: FieldSpec, value: Value, is_alone: bool) -> str:
        """What speaks against a value, "" for nothing; `is_alone`: the page is about
        one record, so that what it states is stated of that."""
        if not _is_compared(spec) or value is None:
            return ""
        if spec.kind is FieldKind.NUMBER and (why := self._of_amount(spec, value)):
            return why
        return self._stated_otherwise(spec, value) if is_alone else ""

    def _of_amount(self, spec: FieldSpec, value: Value) -> str:
        """What the surroundings of a number say of it, where the field does not say so
        itself."""
        names = " ".join((spec.name.replace("_", " "), *spec.aliases))
        if not is_struck("", names) and self._presence.holds(struck_form(value)):
            return "the page crosses it out"
        if is_net(names) or not self._presence.holds(net_form(value)):
            return ""
        amount = Decimal(str(value))
        least, most = _LEAST_TAX * amount, _MOST_TAX * amount
        with_tax = [one for one in self._sums() if least < one < most]
        # A former price is larger, too.
        if all(self._presence.holds(struck_form(one)) for one in with_tax):
            return ""
        return "the page calls it net, and shows a larger sum"

    def _sums(self) -> Iterator[Decimal]:
        """The numbers in short texts of the page."""
        for text in self._document.columns.texts:
            if len(text) <= _LONGEST:
                yield from map(attrgetter("value"), numbers(text))

    def _stated_otherwise(self, spec: FieldSpec, value: Value) -> str:
        """What the page names as the field, where that is never the value."""
        said = list(self._said(spec))
        if not said or any(_agree(spec, one, value) for one in said):
            return ""
        return f"the page says {str(said[0])[:_LONGEST]!r}"

    def _said(self, spec: FieldSpec) -> Iterator[Value]:
        """What the page says under the name of a field: as data, behind a label, in
        meta tags; of what a record is called also in its headings."""
        base, is_title = self._sheet.bases[self._page], spec.name in TITLES
        names = names_meaning(spec) | {(one,) for one in TITLES if is_title}
        for place in filter(lambda one: self._tells(one, names), self._sheet.places):
            read = value_of_cell(spec, place.cells[self._page], base)
            if read is not None and _is_comparable(spec, read):
                yield read
        if is_title and spec.kind is FieldKind.TEXT:
            yield from map(self._document.text, self._document.by_tag.get("h1", ()))

    def _tells(self, place: SheetPlace, names: Collection[tuple[str, ...]]) -> bool:
        """Whether a place says something of this page under one of some names, and not
        the same on all pages: that is a word of the layout."""
        if place.origin is Origin.MARKED or not place.cells[self._page]:
            return False
        if place.distinct < min(_TELLING, len(self._sheet.bases)):
            return False
        return bool(place.names) and tokens(place.names[0]) in names


def _is_comparable(spec: FieldSpec, read: Value) -> bool:
    """Whether there is one form of a value: long texts are told in several ways."""
    return spec.kind is not FieldKind.TEXT or len(str(read)) <= _LONGEST


def _agree(spec: FieldSpec, said: Value, value: Value) -> bool:
    """Whether two values are the same, or one text is part of the other."""
    if same(said, value, spec):
        return True
    if spec.kind is not FieldKind.TEXT:
        return False
    one, other = sorted((letters(str(said)), letters(str(value))), key=len)
    return bool(one) and one in other
