"""A label in the other words of its field: pages of one site write "Brand" here and
"Manufacturer" there."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from crawloop_assets.crawler.program import FieldProgram, Reader, Source
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import OTHERWISE
from crawloop_assets.induce.detail.unseen import written_by_shops
from crawloop_assets.induce.words.anchors import label_forms, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.text import letters

_SHORTEST, _LONGEST = 3, 40  # letters; "by" and "no" are in front of anything
_MOST_OTHERS = 8
_BY_ITS_WORDS = (FieldKind.CHOICE, FieldKind.BOOLEAN)
"""What these are is said in words that each label may have of its own."""


def in_other_words(
    field: FieldProgram, schema: RecordSchema, documents: Sequence[Document]
) -> FieldProgram:
    """The field with the best of its readers beside a label that names it looking for
    its other names where a page has not that label.

    It stays one reader, and one witness. Other names are those that the schema gives it
    and what shops write, if they are no names of other fields, and on no page that the
    field is learned from: there they say something else.
    """
    spec = schema.field(field.spec.name)
    written = written_by_shops(spec, documents)
    known = {*_names(spec), *written, *label_forms(words_of(spec))}
    beside = [one for one in field.readers if _is_beside(one) and one.at in known]
    if not beside or spec.kind in _BY_ITS_WORDS:
        return field
    taken = {beside[0].at, *_names_of_others(spec, schema)}
    taken.update(chain.from_iterable(document.labels for document in documents))
    others = (name for name in (*written, *_names(spec)) if name not in taken)
    at = OTHERWISE.join([beside[0].at, *islice(dict.fromkeys(others), _MOST_OTHERS)])
    wider = {beside[0]: beside[0].model_copy(update={"at": at})}
    readers = tuple(wider.get(reader, reader) for reader in field.readers)
    return field.model_copy(update={"readers": readers})


def _is_beside(reader: Reader) -> bool:
    """Whether a reader reads beside a label."""
    return reader.src is Source.LABEL


def _names(spec: FieldSpec) -> Iterator[str]:
    """The letters of the names that a schema gives a field, if they may be a label."""
    for name in map(letters, (spec.name, *spec.aliases)):
        if _SHORTEST <= len(name) <= _LONGEST:
            yield name


def _names_of_others(spec: FieldSpec, schema: RecordSchema) -> Iterator[str]:
    """The names of all other fields."""
    for other in schema.fields:
        if other.name != spec.name:
            yield from _names(other)
