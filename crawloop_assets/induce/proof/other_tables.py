"""Values that a first version reads in another table than on the pages of the examples: the same
label stands in a cell of a list of what was done, say, where a page lacks its own."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.document.document import Document
from crawloop_assets.document.labels import label_elements
from crawloop_assets.document.table_heads import head_over
from crawloop_assets.values.value import Value

_SAID = (
    '{} is read under "{}" on {}, and under "{}" elsewhere: look at the preview, or add an '
    "example of it"
)
_Known = Mapping[int, Sequence[Mapping[str, Value]]]


def in_other_tables(
    program: Program, documents: Sequence[Document], known: _Known
) -> dict[str, str]:
    """What to say of each field of pages of one record that is read so on a page of which it
    is not `known`, by its name."""
    fields = () if program.record else program.fields
    said = (_said(field, documents, _with(field, known)) for field in fields)
    return dict(chain.from_iterable(islice(one, 1) for one in said))


def _with(field: FieldProgram, known: _Known) -> list[int]:
    """The pages of which a field is known."""
    name = field.spec.name
    return [at for at, rows in known.items() if any(name in row for row in rows)]


def _said(
    field: FieldProgram, documents: Sequence[Document], known: Collection[int]
) -> Iterator[tuple[str, str]]:
    """What to say of one field, once for each reader and page."""
    name = field.spec.name
    for reader in filter(_is_by_label, field.readers):
        heads = list(map(partial(_head, reader), documents))
        usual = _usual(heads, known)
        as_usual = ("", usual) if usual else heads
        for page, head in zip(documents, heads, strict=True):
            if head not in as_usual:
                yield name, _SAID.format(name, head, page.page.url, usual)


def _usual(heads: Sequence[str], known: Collection[int]) -> str:
    """The head of the column that all known pages and most others have over the value; "" where
    tables have none, or each its own."""
    shown = list(filter(None, heads))
    ((usual, count),) = Counter(shown or [""]).most_common(1)
    of_known = set(filter(None, map(heads.__getitem__, known)))
    is_most = 2 * count > len(shown)
    return usual * (is_most and of_known == {usual})


def _is_by_label(reader: Reader) -> bool:
    """Whether a reader leans on a label."""
    return reader.src is Source.LABEL


def _head(reader: Reader, document: Document) -> str:
    """The head of the column in which a reader finds its value; "" for none."""
    found = label_elements(document, reader.at, reader.get, None)
    return "".join(map(partial(head_over, document), found[:1]))
