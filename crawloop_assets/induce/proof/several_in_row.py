"""Rows that hold several records each: a film with all its showings, of which the first alone
is read. One known record of a page does not say where a row ends."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from operator import itemgetter

from crawloop_assets.crawler.interpreter import scopes
from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.document.document import Document
from crawloop_assets.schema import Shape

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
    known: Mapping[int, Sequence[object]],
) -> str:
    """What to say of rows of markup most of which have as many values, more than one, of each
    of several fields; "" of others, and where two records are `known` of some page."""
    if program.record is None or max(map(len, known.values()), default=0) > 1:
        return ""
    places = partial(scopes, boundary=program.record)
    rows = list(islice(chain.from_iterable(map(places, documents)), _MOST_ROWS))
    fields = list(filter(_is_counted, program.fields))
    found = list(filter(None, map(partial(_repeated, fields), rows)))
    if 2 * len(found) <= len(rows):
        return ""
    names = Counter(chain.from_iterable(found))
    return _SAID.format(", ".join(map(itemgetter(0), names.most_common(_FEWEST))))


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
