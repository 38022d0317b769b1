"""Rows that hold several records each: a film with all its showings, of which the first alone
is read. Where a row ends is said by two known records in rows that follow one another: people
give the first of a page, so that none is left out between two."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, compress, islice
from operator import and_, attrgetter, itemgetter

from crawloop_assets.crawler.interpreter import extract_rows, scopes
from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.document.document import Document
from crawloop_assets.induce.proof.match import match_records
from crawloop_assets.schema import RecordSchema, Shape
from crawloop_assets.values.value import Value

_MOST_ROWS = 60
_FEWEST = 3
"""Fields of which a row has as many values as of one another."""
_UNNAMING = (Kin.TAG, Kin.PATH, Kin.OTHER)
_SAID = (
    "a row has several values of {} each, and the first alone is read: add the record of the page that comes "
    "next to the one of the example"
)


def several_in_row(
    program: Program,
    documents: Sequence[Document],
    known: Mapping[int, Sequence[Mapping[str, Value]]],
) -> str:
    """What to say of rows of markup most of which have as many values, more than one, of each
    of several fields; "" of others, and where two records are `known` of one such row and the next."""
    if program.record is None:
        return ""
    pages = list(map(partial(scopes, boundary=program.record), documents))
    rows = list(islice(chain.from_iterable(pages), _MOST_ROWS))
    repeated = partial(_repeated, list(filter(_is_counted, program.fields)))
    found = list(filter(None, map(repeated, rows)))
    followed = map(partial(_followed, program, pages), known.items())
    is_clear = any(map(repeated, chain.from_iterable(followed)))
    if is_clear or 2 * len(found) <= len(rows):
        return ""
    names = Counter(chain.from_iterable(found))
    return _SAID.format(", ".join(map(itemgetter(0), names.most_common(_FEWEST))))


def _followed(
    program: Program,
    pages: Sequence[Sequence[Scope]],
    known: tuple[int, Sequence[Mapping[str, Value]]],
) -> Iterator[Scope]:
    """The rows of a page that hold a known record, as the next one does."""
    at, records = known
    specs = tuple(map(attrgetter("spec"), program.fields))
    read = extract_rows(program.fields, pages[at])
    schema = RecordSchema(name="row", fields=specs)
    held = set(map(id, map(itemgetter(1), match_records(schema, records, read))))
    are_held = list(map(held.__contains__, map(id, read)))
    return compress(pages[at], map(and_, are_held, are_held[1:]))


def _is_counted(field: FieldProgram) -> bool:
    """Whether a field is one value, by a reader that a name leads to its element."""
    first = field.readers[:1]
    is_one = field.spec.shape is Shape.ONE
    return is_one and any(
        one.src is Source.CSS and one.kin not in _UNNAMING for one in first
    )


def _repeated(fields: Iterable[FieldProgram], row: Scope) -> list[str]:
    """The fields of which a row has as many values as of several others, more than one."""
    said = {one.spec.name: tuple(read_texts(one.readers[0], row)) for one in fields}
    apart = Counter(len(texts) for texts in set(said.values()) if len(set(texts)) > 1)
    (most, shared), *_ = [*apart.most_common(1), (0, 0)]
    return [name for name, texts in said.items() if len(texts) == most] * (
        shared >= _FEWEST
    )
