"""Fields of a row that bear each other out.

The address of a document often has its number in it, its day, or the name of its case.
Rows of which none is known are of the same kind as the known ones where the same fields
are tied to each other in the same way: no list of other things has that by chance.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, pairwise, product, repeat
from operator import attrgetter
from urllib.parse import unquote, urlsplit

from crawloop_assets.induce.listing.known_records import RecordValues
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape

_FEWEST_ROWS = 5
_RUN = re.compile(r"[^\W\d_]+|\d+")
"""Letters or digits."""
_LONG = re.compile(r"...")
"""Fewer stand in any address."""

_Words = frozenset[str | tuple[str, str]]
_Pair = tuple[FieldSpec, FieldSpec]
"""A link, and a text."""


def tied_fields(
    schema: RecordSchema, known: Sequence[RecordValues], rows: Sequence[RecordValues]
) -> frozenset[str]:
    """The links whose addresses have words of another field of their row, in the known
    rows as in these, and those other fields."""
    links = filter(partial(_is_one, FieldKind.URL), schema.fields)
    texts = filter(partial(_is_one, FieldKind.TEXT), schema.fields)
    as_ever = filter(partial(_are_tied, known), product(links, texts))
    tied = filter(partial(_are_tied, rows), as_ever)
    return frozenset(map(attrgetter("name"), chain.from_iterable(tied)))


def _is_one(kind: FieldKind, spec: FieldSpec) -> bool:
    """Whether a field is one value of a kind."""
    return (spec.kind, spec.shape) == (kind, Shape.ONE)


def _are_tied(rows: Sequence[RecordValues], pair: _Pair) -> bool:
    """Whether the address of nearly every row has a word of a text of this row that
    hardly another row has."""
    link, text = pair
    both = list(filter({link.name, text.name}.issubset, rows))
    addresses = list(map(partial(_address_words, link.name), both))
    texts = list(map(partial(_text_words, text.name), both))
    own = map(frozenset.intersection, _telling(addresses), _telling(texts))
    enough = max(_FEWEST_ROWS, tuned("ties.share") * len(rows))
    return sum(map(bool, own)) >= enough


def _telling(texts: Sequence[_Words]) -> Iterator[_Words]:
    """The words of each text that few of the texts have."""
    counts = Counter(chain.from_iterable(texts))
    few = max(2, int(tuned("ties.few") * len(texts)))
    common = frozenset(counts - Counter(dict.fromkeys(counts, few)))
    return map(frozenset.difference, texts, repeat(common))


def _address_words(name: str, row: RecordValues) -> _Words:
    """The words of a url but for its host."""
    parts = urlsplit(str(row[name]))
    return _words(unquote(f"{parts.path} {parts.query}"))


def _text_words(name: str, row: RecordValues) -> _Words:
    """The words of a text."""
    return _words(str(row[name]))


def _words(text: str) -> _Words:
    """The runs of letters and those of digits in a text, without short ones, and what
    stands side by side: "18-67" is in "sc18-67.pdf"."""
    runs = _RUN.findall(text.casefold())
    return frozenset(chain(filter(_LONG.match, runs), pairwise(runs)))
