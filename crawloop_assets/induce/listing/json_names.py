"""Records of JSON answers that need no example: objects whose keys are the names of the
fields, so that the answer itself says what is what."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.json_arrays import arrays
from crawloop_assets.induce.words.vocabulary import CONCEPTS
from crawloop_assets.record import to_values
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import tokens
from crawloop_assets.values.value import as_list

_MOST_RECORDS = 24
"""Records of a page that are taken for known."""
_Item = Mapping[str, Any]


class _NamedList(NamedTuple):
    """A list of a page: where it stands, which fields its items name, and its records."""

    path: str
    fields: frozenset[str]
    records: tuple[dict[str, Any], ...]


def named_records(
    schema: RecordSchema, documents: Sequence[Document]
) -> tuple[Example, ...]:
    """What the pages say of themselves: the rows of the one list whose objects name all
    required fields and, of such lists, the most fields.

    Nothing if there is no such list, or several are as good: then an example has to say
    which is meant.
    """
    by_page = [list(_lists(schema, document)) for document in documents]
    best = max(chain.from_iterable(by_page), key=_worth, default=None)
    if best is None:
        return ()
    rivals = {
        one.path for lists in by_page for one in lists if _worth(one) == _worth(best)
    }
    if len(rivals) > 1:
        return ()
    return tuple(
        Example(page=page, records=one.records)
        for page, lists in enumerate(by_page)
        for one in lists
        if one.path == best.path
    )


def _worth(one: _NamedList) -> int:
    """How many fields a list names."""
    return len(one.fields)


def _lists(schema: RecordSchema, document: Document) -> Iterator[_NamedList]:
    """The lists of a page all of whose objects have every required field."""
    required = set(
        map(attrgetter("name"), filter(attrgetter("required"), schema.fields))
    )
    for path, items in arrays(document):
        objects = [item for item in items if isinstance(item, dict)]
        records = tuple(_record(schema, item) for item in objects[:_MOST_RECORDS])
        fields = frozenset(chain.from_iterable(records))
        if fields and all(required <= record.keys() for record in records):
            yield _NamedList(path, fields, records)


def _record(schema: RecordSchema, item: _Item) -> dict[str, Any]:
    """The fields that an object names, typed; without values that are none of their
    kind."""
    named = {spec.name: _named(spec, item) for spec in schema.fields}
    values = to_values(named, schema)
    return {
        spec.name: values[spec.name]
        for spec in schema.fields
        if spec.name in values and _is_of_kind(spec, values[spec.name])
    }


def _named(spec: FieldSpec, item: _Item) -> Any:
    """The value under the key that is the field's name or an alias, in whatever spelling
    (`birthYear`, `birth_year`); of a thing that is described by an object, its name."""
    for name in (spec.name, *spec.aliases):
        for key, value in item.items():
            if tokens(key) == tokens(name):
                return _said(spec, key, value)
    return None


def _said(spec: FieldSpec, key: str, value: Any) -> Any:
    """The value of a key, or what the vocabulary calls its name (`author.name`)."""
    if not isinstance(value, dict) or spec.kind is FieldKind.OBJECT:
        return value
    for concept in CONCEPTS:
        for path in concept.properties:
            head, _, inner = path.partition(".")
            if head == key and inner in value:
                return value[inner]
    return None


def _is_of_kind(spec: FieldSpec, value: Any) -> bool:
    """Whether a value can be read as one of its field; a text that is none was left as it
    is by `to_values`."""
    if spec.kind is FieldKind.OBJECT:
        return True
    return all(parse_value(str(one), spec) is not None for one in as_list(value))
