"""Numbers that a place says in words: "Sold out" where "12 left" stands in other records.

Which number a word is, is said by the records that are known to have it. A word that
stands beside a number somewhere is none, nor is one of records that are known to have
different ones, but for what has sold out since.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import partial
from itertools import chain, compress, filterfalse, islice, repeat
from operator import attrgetter, itemgetter, not_
from typing import NamedTuple

from crawloop_assets.crawler.program import MOST_READERS, FieldProgram, Reader
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.number_cuts import (
    ShownNumber,
    by_wording,
    cut_by_words,
    is_open,
    made_of,
)
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import NUMERAL_MARKS
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

KnownNumber = tuple[Scope, Value]
"""A record, and what is known of it; None for one that is known to have no number."""
_Words = frozenset[str]
_KnownWords = tuple[_Words, Value]
_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER)
_MOST_TEXTS = 200
"""Texts of a reader in one record that are looked at."""
_MOST_FORMS = 3
"""Texts with a number that are tried as the form of another one."""
_MOST_WORDS = 4
"""Words of a reader that are a number."""
_LONGEST = 40
_NUMERAL = re.compile(rf"\d[\d{NUMERAL_MARKS}]*")
_PLACE = itemgetter(0)


class _Said(NamedTuple):
    """The texts of the records in which a reader reads a number, and the words of those in
    which it finds nothing else, with what is known of them."""

    numbers: Sequence[str]
    words: Sequence[_KnownWords]


def may_be_worded(spec: FieldSpec) -> bool:
    """Whether a field is one number, which may be said in words."""
    return spec.kind in _NUMBERS and spec.shape is Shape.ONE


def with_number_words(
    field: FieldProgram, known: Sequence[KnownNumber], fewest: int | None = None
) -> FieldProgram:
    """The field, whose readers know the words for numbers that known records tell, each by
    so many of them (None: as many as the table of trust says), without readers of another
    number in those records: they count numbers of a text, of which it has one less there."""
    if not may_be_worded(field.spec):
        return field
    least = int(tuned("number_words.fewest")) if fewest is None else fewest
    cut = map(partial(_cut, field.spec, known, least), field.readers)
    worded = partial(_worded, field.spec, known, least)
    readers = tuple(map(worded, chain.from_iterable(cut)))
    if readers == field.readers:
        return field
    before, now = (
        partial(_is_read, field.spec, one) for one in (field.readers, readers)
    )
    new = list(filterfalse(before, filter(now, known)))
    left = filterfalse(partial(_contradicts, field.spec, new), readers)
    return field.model_copy(update={"readers": tuple(left)})


def count_worded(
    field: FieldProgram,
    silent: Sequence[KnownNumber],
    known: Sequence[KnownNumber] = (),
) -> int:
    """Of how many numbers of which nothing is read the place of the field says one thing in
    words that stands for no number, and in no record that is known to have none. If of none:
    how many stand in other words than those in which known numbers are read right."""
    if not may_be_worded(field.spec):
        return 0
    words = list(map(partial(words_at, field.readers), map(_PLACE, silent)))
    is_known = list(map(_is_filled, silent))
    empty = chain.from_iterable(compress(words, map(not_, is_known)))
    is_alone = partial(_is_one_besides, frozenset(empty))
    worded = sum(map(is_alone, compress(words, is_known)))
    return worded or _count_other(field, known)


def are_worded(field: FieldProgram, rows: Iterable[Scope]) -> bool:
    """Whether some rows say words, or another unit, in the place of the number of a field,
    and no number that is read."""
    is_number = may_be_worded(field.spec)
    return is_number and any(map(partial(unread_words, field), rows))


def unread_words(field: FieldProgram, row: Scope) -> list[str]:
    """The short texts in the place of the number of a field in a row where it is not read."""
    is_read = any(read(one, row, field.spec) is not None for one in field.readers)
    found = map(
        partial(texts_at, scope=row), field.readers[: MOST_READERS * (not is_read)]
    )
    alone = chain.from_iterable(one[: _is_one(one)] for one in found)
    return sorted(set(filter(_has_words, alone)))


def _has_words(text: str) -> bool:
    """Whether a text is short, and no mere number or sign."""
    return len(text) <= _LONGEST and any(map(str.isalpha, text))


def _count_other(field: FieldProgram, known: Sequence[KnownNumber]) -> int:
    """How many known numbers stand, if at all, in other words than those in which a reader
    is right."""
    shown = map(partial(_shown, field.spec, known), field.readers)
    off = map(itemgetter(1), map(partial(by_wording, field.spec), shown))
    return max(map(len, map(list, map(chain.from_iterable, off))), default=0)


def _cut(
    spec: FieldSpec, known: Sequence[KnownNumber], least: int, reader: Reader
) -> Iterator[Reader]:
    """The reader, of the wordings only in which it is right, if others say another number;
    nothing if no such cut is right."""
    picked, rest = _parted(reader)
    shown = _shown(spec, known, reader)
    pipes = cut_by_words(spec, shown, partial(_meant_by, least), rest)
    for pipe in islice(pipes, 1):
        yield reader.model_copy(update={"pipe": (*picked, *pipe)})


def _shown(
    spec: FieldSpec, known: Sequence[KnownNumber], reader: Reader
) -> list[ShownNumber]:
    """The text that a reader reads, but for its cut by words, in each of some records; none
    of one with another cut."""
    open_to = known[: len(known) * is_open(_parted(reader)[1])]
    return list(chain.from_iterable(map(partial(_first_shown, spec, reader), open_to)))


def _first_shown(
    spec: FieldSpec, reader: Reader, known: KnownNumber
) -> Iterator[ShownNumber]:
    """The first text with a number that a reader finds in a record."""
    texts = texts_at(reader, known[0])
    made = map(partial(made_of, spec, ()), texts)
    rows = map(ShownNumber, texts, made, repeat(known[1]))
    return islice(filter(_is_found, rows), 1)


def _is_found(row: ShownNumber) -> bool:
    """Whether a number is read in a text."""
    return row.found is not None


def _meant_by(least: int, values: Sequence[Value]) -> str:
    """What is known where one wording stands, if it is sure; "" if it is not."""
    return str(_most_common(values)) * _is_sure(least, values)


def _is_filled(known: KnownNumber) -> bool:
    """Whether a record is known to have a number."""
    return known[1] is not None


def _is_one_besides(empty: _Words, words: _Words) -> bool:
    """Whether a record has one word, and none of some others."""
    return len(words) == 1 and words.isdisjoint(empty)


def _is_read(spec: FieldSpec, readers: Iterable[Reader], known: KnownNumber) -> bool:
    """Whether one of some readers reads the number that is known of a record."""
    found = map(partial(read, scope=known[0], spec=spec), readers)
    return _is_filled(known) and any(map(partial(same, b=known[1], spec=spec), found))


def _contradicts(spec: FieldSpec, known: Iterable[KnownNumber], reader: Reader) -> bool:
    """Whether a reader reads another number in one of some records."""
    others = filterfalse(partial(_is_read, spec, [reader]), known)
    return any(read(reader, scope, spec) is not None for scope, _ in others)


def words_at(readers: Sequence[Reader], scope: Scope) -> _Words:
    """The words at the places of a field in one record that have one text."""
    found = map(partial(texts_at, scope=scope), readers)
    alone = filter(_is_one, found)
    return frozenset(filter(_is_word, chain.from_iterable(alone)))


def _is_one(texts: Sequence[str]) -> bool:
    """Whether a place has one text."""
    return len(texts) == 1


def _worded(
    spec: FieldSpec, known: Sequence[KnownNumber], least: int, reader: Reader
) -> Reader:
    """The reader with a step for each word that is a number."""
    picked, rest = _parted(reader)
    said = _said(spec, reader, known)
    made = map(partial(_steps, spec, rest, said), _meant(said, least))
    steps = islice(chain.from_iterable(made), _MOST_WORDS)
    return reader.model_copy(update={"pipe": (*picked, *steps, *rest)})


def _parted(reader: Reader) -> tuple[Pipe, Pipe]:
    """What picks one of several texts, and what is made of it."""
    picks = list(map(attrgetter("op"), reader.pipe[:1])).count(Op.NTH)
    return reader.pipe[:picks], reader.pipe[picks:]


def _said(spec: FieldSpec, reader: Reader, known: Sequence[KnownNumber]) -> _Said:
    """What a reader finds in known records."""
    numbers, words = list[str](), list[_KnownWords]()
    for scope, value in known:
        texts = texts_at(reader, scope)
        if read(reader, scope, spec) is None:
            words.append((frozenset(filter(_is_word, texts)), value))
        else:
            numbers += texts
    return _Said(numbers, words)


def texts_at(reader: Reader, scope: Scope) -> list[str]:
    """What a reader finds in a record before anything is made of it."""
    picked, _ = _parted(reader)
    return apply(picked, read_texts(reader, scope)[:_MOST_TEXTS])


def _is_word(text: str) -> bool:
    """Whether a text is a few words, and no number."""
    is_short = len(text) <= _LONGEST and bool(letters(text))
    return is_short and not any(map(str.isnumeric, text))


def _steps(
    spec: FieldSpec, rest: Pipe, said: _Said, meant: tuple[str, Value]
) -> Iterator[Step]:
    """What makes a word a text of which the rest of a pipe makes the number that it is."""
    word, value = meant
    texts = dict.fromkeys(filter(_has_one_number, said.numbers))
    forms = map(partial(_NUMERAL.sub, str(value)), islice(texts, _MOST_FORMS))
    for form in (str(value), *forms):
        step = Step(op=Op.MAP, args=(word, form))
        if same(made_of(spec, (step, *rest), word), value, spec):
            yield step
            return


def _has_one_number(text: str) -> bool:
    """Whether a text has one number in it."""
    return len(_NUMERAL.findall(text)) == 1


def _meant(said: _Said, least: int) -> Iterable[tuple[str, Value]]:
    """The words that are a number, each with that one; none of two that stand in one
    record."""
    records: defaultdict[str, list[Value]] = defaultdict(list)
    for words, value in said.words:
        for word in sorted(words.difference(said.numbers)):
            records[word].append(value)
    are_sure = map(partial(_is_sure, least), records.values())
    sure = frozenset(compress(records, are_sure))
    together = map(sure.intersection, map(_PLACE, said.words))
    several = chain.from_iterable(filterfalse(_is_at_most_one, together))
    alone = sorted(sure.difference(several))
    values_of = map(records.__getitem__, alone)
    return zip(alone, map(_most_common, values_of), strict=True)


def _is_at_most_one(words: Iterable[str]) -> bool:
    """Whether these are not several words."""
    return len(list(words)) <= 1


def _most_common(values: Sequence[Value]) -> Value:
    """What most records are known to have, the first of equals."""
    return max(values, key=list(map(str, values)).count)


def _is_sure(least: int, values: Sequence[Value]) -> bool:
    """Whether a word of records of which these values are known is the most common one of
    them: none left if half of them are known so, as others have sold out since; another
    number if all are, and one more of them."""
    if None in values:
        return False
    value = str(_most_common(values))
    count = list(map(str, values)).count(value)
    if Decimal(value):
        return count == len(values) > least
    return count >= max(least, len(values) / 2)
