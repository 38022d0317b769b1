"""Numbers that stand among other words where there are others: "All 3 copies on loan" beside
"2 of 3 copies available". The number there is not the one of the field, and a reader of the
first number of the place takes it for one that has moved.

What is compared is the wording of a text: its words by how they begin, as "1 copy" and "2
copies" are one, and its numbers as such.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, compress, islice, product
from operator import attrgetter, itemgetter, methodcaller, not_
from typing import NamedTuple

from pydantic import ValidationError

from crawloop_assets.crawler.read import to_value
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import NUMERAL_MARKS
from crawloop_assets.values.value import Value

_PART = re.compile(rf"\d[\d{NUMERAL_MARKS}]*|[^\W\d_]+|\s+|.")
_NUMBER = rf"\d[\d{NUMERAL_MARKS}]{{0,12}}"
_MOST_WORDINGS = 3
_MOST_NUMBERS = 4
"""Numbers of a text that are tried as its own."""
_LONGEST = 60
_STEM = 3
"""Letters by which a word is known: "copy" and "copies"."""
_FEW = 3
"""So many counts have not all moved just where they stand among other words."""
_CUT = "^(?:"
_CUTS = (f"regex('{_CUT}", f'regex("{_CUT}')
_VALUE = attrgetter("value")
_TEXT = attrgetter("text")


class ShownNumber(NamedTuple):
    """The text of a record that a reader reads, the number that it reads there, and the
    number that is known."""

    text: str
    found: Value
    value: Value


class _Cut(NamedTuple):
    """What stands before a number, or the word for it, that itself, and what is behind."""

    before: str
    own: str
    behind: str


_Rows = Sequence[Sequence[ShownNumber]]
_Meant = Callable[[Sequence[Value]], str]
"""The number that a wording is, by what is known where it stands; "" if none is sure."""


def cut_by_words(
    spec: FieldSpec, shown: Sequence[ShownNumber], meant: _Meant, uncut: Pipe
) -> Iterator[Pipe]:
    """What reads a number only in the wordings in which known ones are read right, and the
    other wording as the number that it means, if that is sure; `uncut` if there is no other
    one, nothing if no cut reads them so."""
    known, off = by_wording(spec, shown)
    if not off:
        return iter([uncut])
    only = off[: len(off) == 1]
    said = [rows[0]._replace(value=meant(list(map(_VALUE, rows)))) for rows in only]
    sure = list(filter(_VALUE, said))
    texts = [rows[0].text for rows in known[:_MOST_WORDINGS]]
    is_kept = partial(_reads_all, spec, [*chain.from_iterable(known), *sure])
    return filter(is_kept, _pipes(texts, sure))


def by_wording(spec: FieldSpec, shown: Sequence[ShownNumber]) -> tuple[_Rows, _Rows]:
    """What is read right in each wording that has some, and all there is of each one with
    another number: none where nothing is read right."""
    wordings = defaultdict[str, list[ShownNumber]](list)
    for one in shown:
        wordings[_wording(one.text)].append(one)
    every = list(wordings.values())
    right = [list(filter(partial(_is_right, spec), rows)) for rows in every]
    others = compress(every, map(not_, right))
    off = list(filter(partial(_is_other, spec), others))
    known = list(filter(None, right))
    return known, off * bool(known)


def made_of(spec: FieldSpec, pipe: Pipe, text: str) -> Value | None:
    """What a pipe makes of a text."""
    return to_value(apply(pipe, [text]), spec, "")


def is_open(pipe: Pipe) -> bool:
    """Whether a pipe does nothing, or leaves numbers among other words out of which nothing
    tells what they are."""
    return all(map(methodcaller("startswith", _CUTS), map(str, pipe)))


def _wording(text: str) -> str:
    """The beginnings of the words of a text, and that there are numbers."""
    return "".join(map(_piece, _PART.findall(text[:_LONGEST])))


def _piece(part: str) -> str:
    """What a word, a number or a sign of a wording looks like, as a pattern."""
    if part[0].isdecimal():
        return _NUMBER
    if part.isspace():
        return r"\s"
    return re.escape(part[:_STEM]) + r"\w{0,12}" * (len(part) >= _STEM)


def _is_right(spec: FieldSpec, row: ShownNumber) -> bool:
    """Whether a record is read as it is known."""
    return row.value is not None and same(row.found, row.value, spec)


def _is_other(spec: FieldSpec, rows: Sequence[ShownNumber]) -> bool:
    """Whether the number of a wording in which none is read right is another one than that
    of the field: a record there is known to have none, or too many counts have moved."""
    are_many = spec.kind is FieldKind.INTEGER and len(rows) >= _FEW
    return are_many or "0" in map(str, map(_VALUE, rows))


def _reads_all(spec: FieldSpec, rows: Sequence[ShownNumber], pipe: Pipe) -> bool:
    """Whether steps make the known number of each of some texts."""
    made = map(partial(made_of, spec, pipe), map(_TEXT, rows))
    return all(map(partial(same, spec=spec), made, map(_VALUE, rows)))


def _pipes(texts: Sequence[str], said: Sequence[ShownNumber]) -> Iterator[Pipe]:
    """The cuts of one number of each text, and of a word of others that are a number."""
    named = list(map(_word_cut, map(_TEXT, said)))
    words = zip(map(itemgetter(0), named), map(_VALUE, said), strict=True)
    steps = [Step(op=Op.MAP, args=args) for args in words]
    for cuts in product(*map(_number_cuts, texts)):
        sides = zip(*cuts, *map(itemgetter(1), named), strict=True)
        before, own, behind = map("|".join, map(dict.fromkeys, sides))
        pattern = f"{_CUT}{before})({own})(?:{behind})$"
        with suppress(ValidationError):
            yield (Step(op=Op.REGEX, args=(pattern,)), *steps)


def _word_cut(text: str) -> tuple[str, _Cut]:
    """The longest word of a text, and the text around it."""
    parts = _PART.findall(text[:_LONGEST])
    word = max(filter(str.isalpha, parts), key=len, default=parts[0])
    return word, _cut_at(parts, parts.index(word))._replace(own=re.escape(word))


def _number_cuts(text: str) -> Iterator[_Cut]:
    """The cuts of the numbers of a text."""
    parts = _PART.findall(text[:_LONGEST])
    are_numbers = map(_NUMBER.__eq__, map(_piece, parts))
    numbers = compress(range(len(parts)), are_numbers)
    return map(partial(_cut_at, parts), islice(numbers, _MOST_NUMBERS))


def _cut_at(parts: Sequence[str], at: int) -> _Cut:
    """A text around one of its parts."""
    pieces = list(map(_piece, parts))
    return _Cut("".join(pieces[:at]), pieces[at], "".join(pieces[at + 1 :]))
