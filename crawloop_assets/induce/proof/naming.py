"""Required fields of which nothing on the page says that they are read: no name, label,
role, id, or structured data, but a position, a tag, or a class that a build made."""

import re
from collections.abc import Iterator

from crawloop_assets.crawler.program import Kin, Program, Reader, Source
from crawloop_assets.induce.locate.predicates import is_hashed
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldSpec, RecordSchema
from crawloop_assets.values.text import tokens

_UNNAMING = (Kin.PATH, Kin.TAG, Kin.OTHER, Kin.CLASS)
_TELLING = re.compile(r"(?:^|[ >])(?:h1|title|address|time|article)\b")
"""Tags that say what stands in them."""
_CLASSES = re.compile(r"(?:\.|\[class\*=\")(-?[A-Za-z_][\w-]*)")


def unnamed_fields(schema: RecordSchema, program: Program) -> Iterator[str]:
    """The required fields of a program that rest on one reader, which nothing names.

    Such a reader is right where it was made, and on a page with one block more it reads
    another thing.
    """
    for field in program.fields:
        spec = schema.field(field.spec.name)
        readers = field.all_readers
        if spec.required and len(readers) == 1 and not _is_named(readers[0], spec):
            yield spec.name


def _is_named(reader: Reader, spec: FieldSpec) -> bool:
    """False for a reader of markup that is led by position or a build's classes
    only."""
    if reader.src is not Source.CSS or reader.kin not in _UNNAMING:
        return True
    at = reader.at
    if not all(map(is_hashed, _CLASSES.findall(at))):
        return True
    return words_of(spec).share(tokens(at)) > 0 or bool(_TELLING.search(at))
