"""The one place of pages or rows that says what few of them are known to say, where nothing
names it: too little to publish by, enough to show a person.

A short value stands in several places by chance. Where other pages or rows say the same
everywhere, or mostly nothing, the place is not of the record. Of the rest those are looked
at whose text has no other of them in it, and of these first what stands behind a label, in
whatever language, then what has a name of its own, and only then what a position tells, as
lines come and go; of each those first that say the value and nothing else. Where two of the
first ones differ elsewhere, none is taken.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import filterfalse, groupby
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, as_list

_FEWEST = 2
"""Different values that a place has to say."""
_BY_LABEL = frozenset(
    ((Source.LABEL, "next"), (Source.LABEL, "same"), (Source.CSS, "lines"))
)
_COUNTED = re.compile(r"^label |:nth-|\[(?:\*|\d+)\]")
"""What counts elements, reads one of several items of JSON, or what is before a label."""


class PricedReader(NamedTuple):
    """A reader and the trust in it before it is tried elsewhere."""

    reader: Reader
    prior: float


class _Place(NamedTuple):
    """What a reader says of all scopes, the letters of the text that it reads where a value is
    known, and those of the value."""

    found: PricedReader
    said: tuple[str, ...]
    text: str
    value: str

    @property
    def rank(self) -> tuple[int, bool]:
        """Sorts those first that are looked at first."""
        return led_by(self.found.reader), self.text != self.value


def led_by(reader: Reader) -> int:
    """What leads to a place: 0 a label, 1 a name, 2 a position."""
    is_counted = _COUNTED.search(f"{reader.src.value} {reader.at}")
    return 0 if (reader.src, reader.get) in _BY_LABEL else 1 + bool(is_counted)


def lone_column(
    readers: Sequence[PricedReader],
    spec: FieldSpec,
    known: Scope,
    value: Value,
    scopes: Sequence[Scope],
) -> Reader | None:
    """The reader of that place, of those that give the `value` of the `known` scope, tried on
    all `scopes`; None where there are two. It bears no name (`Kin.OTHER`), so that a first
    version with it waits for a person."""
    form = "".join(map(letters, map(str, as_list(value))))
    placed = map(partial(_placed, spec, known, form, scopes), readers)
    columns = list(filter(partial(_is_column, spec), placed))
    texts = set(map(attrgetter("text"), columns))
    inner = filterfalse(partial(_has_another, texts), columns)
    ranked = sorted(inner, key=attrgetter("rank"))
    _, first = next(groupby(ranked, attrgetter("rank")), (None, iter(())))
    best = list(first)
    if len(set(map(attrgetter("said"), best))) != 1:
        return None
    trusted = max(map(attrgetter("found"), best), key=attrgetter("prior"))
    return as_guess(trusted.reader)


def as_guess(reader: Reader) -> Reader:
    """The reader as one that nothing vouches for."""
    unnamed: Mapping[str, object] = {"kin": Kin.OTHER, "weight": 1.0}
    return reader.model_copy(update=unnamed)


def _placed(
    spec: FieldSpec,
    known: Scope,
    form: str,
    scopes: Sequence[Scope],
    found: PricedReader,
) -> _Place:
    """Where a reader reads; `form` are the letters of the value of the `known` scope."""
    said = map(partial(read, found.reader, spec=spec), scopes)
    text = letters("".join(read_texts(found.reader, known)[:1]))
    return _Place(found, tuple(map(str, said)), text, form)


def _has_another(texts: set[str], one: _Place) -> bool:
    """Whether the text of a place has that of another one in it."""
    return any(map(one.text.__contains__, texts - {one.text}))


def _is_column(spec: FieldSpec, place: _Place) -> bool:
    """Whether a place says something of nearly all scopes, of enough of them where a field
    may be absent, and not the same of all."""
    counts = Counter(place.said)
    silent = counts.pop(str(None), 0) + counts.pop(str([]), 0)
    every = len(place.said)
    fewest = every - tuned("few_words.most_silent") * every
    if not spec.required:
        fewest = tuned("few_words.fewest_again")
    return every - silent >= fewest and len(counts) >= _FEWEST
