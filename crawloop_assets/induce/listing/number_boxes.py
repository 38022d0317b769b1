"""Numbers that some rows say in words: "One copy" of "One copy of 6", "4 copies" of "4 copies
of 6". The first number of the box around it is another one there, and what is known of such
a row tells nothing of where the number of others stands."""

from collections.abc import Sequence
from functools import partial
from itertools import filterfalse, starmap
from operator import attrgetter, is_not

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.induce.listing.judging import FoundReader
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.locate.number_words import (
    may_be_worded,
    texts_at,
    words_at,
)
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same


def without_boxes(
    spec: FieldSpec,
    found: list[FoundReader],
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
) -> list[FoundReader]:
    """Readers but for those that give a number of another row of which no smaller place in
    theirs gives one, and one has words."""
    if not may_be_worded(spec):
        return found
    is_box = partial(_is_box, spec, _best(found), samples, others)
    return list(filterfalse(is_box, found))


def in_digits(
    spec: FieldSpec, found: Sequence[FoundReader], samples: Sequence[KnownCell]
) -> Sequence[KnownCell]:
    """The rows whose number is not said in words where most others say it in digits."""
    best = _best(found)
    if not may_be_worded(spec):
        return samples
    is_worded = partial(_is_worded, spec, best)
    return list(filterfalse(is_worded, samples))


def _is_worded(spec: FieldSpec, readers: Sequence[Reader], cell: KnownCell) -> bool:
    """Whether no reader gives what is known of a row, and there are words in their places."""
    said = map(partial(read, scope=cell.scope, spec=spec), readers)
    is_right = any(map(partial(same, b=cell.value, spec=spec), said))
    return bool(words_at(readers, cell.scope)) > is_right


def _best(found: Sequence[FoundReader]) -> list[Reader]:
    """The readers that read most known numbers."""
    right = max(map(attrgetter("right"), found), default=0.0)
    return [one.reader for one in found if one.right == right]


def _is_box(
    spec: FieldSpec,
    best: Sequence[Reader],
    samples: Sequence[KnownCell],
    others: Sequence[Scope],
    found: FoundReader,
) -> bool:
    """See `without_boxes`."""
    parts = [one for one in best if _has(found.reader, one, samples)]
    worded = filter(partial(words_at, parts), others)
    silent = filterfalse(partial(_reads, parts, spec), worded)
    return any(map(partial(_reads, [found.reader], spec), silent))


def _has(box: Reader, part: Reader, samples: Sequence[KnownCell]) -> bool:
    """Whether the text of a place has that of another one and more in it, in all rows."""
    scopes = list(map(attrgetter("scope"), samples))
    texts = (map(partial(_text, one), scopes) for one in (box, part))
    return all(starmap(_is_part, zip(*texts, strict=True)))


def _is_part(box: str, text: str) -> bool:
    """Whether a text is some of another one."""
    return text in box and text not in ("", box)


def _text(reader: Reader, scope: Scope) -> str:
    """The first text of a place, before a number is cut out of it."""
    return "".join(texts_at(reader, scope)[:1])


def _reads(readers: Sequence[Reader], spec: FieldSpec, scope: Scope) -> bool:
    """Whether any reader gives something of a row."""
    said = map(partial(read, scope=scope, spec=spec), readers)
    return any(map(partial(is_not, None), said))
