"""Fields of a row that bear each other out.

The address of a document often has its number in it, its day, or the name of its case.
Rows of which none is known are of the same kind as the known ones where the same fields
are tied to each other in the same way: no list of other things has that by chance.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from urllib.parse import unquote, urlsplit

from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.listing.texts import text_kind
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

_SHORTEST = 3  # letters or digits of a word; shorter ones stand in any address
_FEWEST_ROWS = 5
_Words = frozenset[str]


def tied_fields(
    schema: RecordSchema, known: Sequence[RecordValues], rows: Sequence[RecordValues]
) -> frozenset[str]:
    """The links whose addresses have words of another field of their row, in the known
    rows as in these, and those other fields."""
    single = [spec for spec in schema.fields if spec.shape is Shape.ONE]
    links = [spec for spec in single if spec.kind is FieldKind.URL]
    texts = [spec for spec in single if spec.kind is FieldKind.TEXT]
    tied: set[str] = set()
    for link in links:
        for text in texts:
            if _are_tied(link, text, known) and _are_tied(link, text, rows):
                tied |= {link.name, text.name}
    return frozenset(tied)


def _are_tied(link: FieldSpec, text: FieldSpec, rows: Sequence[RecordValues]) -> bool:
    """Whether the address of nearly every row has a word of a text of this row that
    hardly another row has."""
    both = [row for row in rows if link.name in row and text.name in row]
    addresses = [_words(_path(str(row[link.name]))) for row in both]
    values = [_words(str(row[text.name])) for row in both]
    own = map(frozenset.intersection, _telling(addresses), _telling(values))
    enough = max(_FEWEST_ROWS, tuned("ties.share") * len(rows))
    return sum(map(bool, own)) >= enough


def _telling(texts: Sequence[_Words]) -> Iterator[_Words]:
    """The words of each text that few of the texts have."""
    counts = Counter(chain.from_iterable(texts))
    few = max(2, tuned("ties.few") * len(texts))
    return (frozenset(word for word in one if counts[word] <= few) for one in texts)


def _path(url: str) -> str:
    """What of a url is not its host."""
    parts = urlsplit(url)
    return unquote(f"{parts.path} {parts.query}")


def _words(text: str) -> _Words:
    """The runs of letters and those of digits in a text, without short ones."""
    runs = ("".join(run) for _, run in groupby(text.casefold(), text_kind))
    return frozenset(run for run in runs if len(run) >= _SHORTEST and run.isalnum())
