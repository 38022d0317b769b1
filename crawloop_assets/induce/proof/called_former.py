"""Prices that a first version reads where a page calls them former ones, by a class that its
stylesheet crosses out, and no example shows such a page."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import islice, starmap
from operator import attrgetter

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.document.document import Document
from crawloop_assets.document.price_names import is_before, words_of_name
from crawloop_assets.induce.locate.number_words import may_be_worded
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.value import Value

_LONGEST = 60
_SAID = (
    "{} is read as {} on {}, which the page calls a former price: add an example of it"
)
_Known = Mapping[int, Sequence[Mapping[str, Value]]]


def called_former(
    schema: RecordSchema,
    documents: Sequence[Document],
    read: Sequence[Extraction],
    known: _Known,
) -> dict[str, str]:
    """What to say of each number of pages of one record that is so read on a page, by its
    name; not of one that an example says to be a former price."""
    former = list(map(_former_numbers, documents))
    taught = filter(range(len(former)).__contains__, known)
    rows = [(former[at], record) for at in taught for record in known[at]]
    said: dict[str, str] = {}
    for spec in filter(may_be_worded, schema.fields):
        if not any(starmap(partial(_has, spec), rows)):
            said |= islice(_said(spec, documents, read, former), 1)
    return said


def _said(
    spec: FieldSpec,
    documents: Sequence[Document],
    read: Sequence[Extraction],
    former: Sequence[frozenset[Decimal]],
) -> Iterator[tuple[str, str]]:
    """What to say of one field."""
    for document, extraction, numbers in zip(documents, read, former, strict=True):
        for record in map(attrgetter("values"), extraction.records):
            if _has(spec, numbers, record):
                url = document.page.url
                yield spec.name, _SAID.format(spec.name, record[spec.name], url)


def _has(
    spec: FieldSpec, numbers: frozenset[Decimal], record: Mapping[str, Value]
) -> bool:
    """Whether a value of a record is one of some numbers."""
    value = record.get(spec.name)
    return value is not None and Decimal(str(value)) in numbers


def _former_numbers(document: Document) -> frozenset[Decimal]:
    """The numbers of the elements of a page that are called former prices."""
    called = filter(partial(_is_called_so, document), range(len(document.classes)))
    texts = filter(_is_short, map(document.text, called))
    return frozenset(filter(None, map(parse_number, texts)))


def _is_called_so(document: Document, number: int) -> bool:
    """Whether an element is called a former price."""
    classes = document.classes[number]
    return bool(classes) and is_before(words_of_name(classes))


def _is_short(text: str) -> bool:
    """Whether a text may be an amount."""
    return len(text) <= _LONGEST
