"""Numbers that some rows say in words, or in another unit: "One copy" of "One copy of 6", "4 copies" of "4 copies
of 6". The first number of the box around it is another one there, and what is known of such
a row tells nothing of where the number of others stands."""

from collections.abc import Sequence
from functools import partial
from itertools import filterfalse, starmap
from operator import attrgetter, is_not

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.crawler.transforms import Op, Step
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
    theirs gives one, though one has a text there."""
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
    rows = list(map(attrgetter("scope"), samples))
    has = partial(_has, spec, rows, found.reader)
    parts = list(filter(has, map(_first_of, best)))
    filled = filter(partial(_say, parts), others)
    silent = filterfalse(partial(_reads, parts, spec), filled)
    return any(map(partial(_reads, [found.reader], spec), silent))


def _first_of(reader: Reader) -> Reader:
    """The reader of the first of the texts that a reader finds: it reads the next one where
    that is no number."""
    is_picked = any(step.op is Op.NTH for step in reader.pipe)
    first = [Step(op=Op.NTH, args=(0,))][is_picked:]
    return reader.model_copy(update={"pipe": (*first, *reader.pipe)})


def _has(spec: FieldSpec, rows: Sequence[Scope], box: Reader, part: Reader) -> bool:
    """Whether a place is read in all rows, and another one says that text and more there."""
    is_read = all(map(partial(_reads, [part], spec), rows))
    texts = (map(partial(_text, one), rows) for one in (box, part))
    return is_read and all(starmap(_is_part, zip(*texts, strict=True)))


def _is_part(box: str, text: str) -> bool:
    """Whether a text is some of another one."""
    return text in box and text not in ("", box)


def _text(reader: Reader, scope: Scope) -> str:
    """The texts of a place, before a number is cut out of them."""
    return " ".join(texts_at(reader, scope))


def _say(readers: Sequence[Reader], scope: Scope) -> bool:
    """Whether any place has a text in a row."""
    return any(map(partial(_text, scope=scope), readers))


def _reads(readers: Sequence[Reader], spec: FieldSpec, scope: Scope) -> bool:
    """Whether any reader gives something of a row."""
    said = map(partial(read, scope=scope, spec=spec), readers)
    return any(map(partial(is_not, None), said))
