"""Whether what a person says of one row says how the other rows are read.

"Case No. 20230738-CA, Filed November 7, 2024" holds one date, "Case No. 20230411-CA,
Filed November 7, 2024" two: a reader that was proved on the first takes the number of the
second for a day. A text is settled if it holds as many values of the field's kind as one
of which a person said which it is. What is open is read from behind the word before what
was said, where that stands once in every row; else the person is asked for such a row.
So it is with a text that is cut at a mark, "Filed November", which other rows have not.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from crawloop_assets.crawler.interpreter import vote_on
from crawloop_assets.crawler.program import FieldProgram, Program, Reader
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.json_paths import indexed
from crawloop_assets.induce.detail.pointed_cells import (
    FoundRow,
    TaughtCell,
    found_rows,
    row_of,
)
from crawloop_assets.induce.listing.text_pipes import is_guess, text_pipes
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.dates import dates
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import numbers
from crawloop_assets.values.present import present
from crawloop_assets.values.value import Value

THERE_TOO = "say its value there, too, or that there is none"
"""What helps where a row can be read in several ways."""

_MOST_TEXTS = 20
"""Texts of one row that are looked through."""
_LONGEST = 4000
"""Characters of a text that are."""
_MOST_NAMED = 3
"""Values of an open text that are named to a person."""
_MOST_SHOWN = 60
"""Characters of a text that are."""
_UNDELIMITED = 2
"""Ways to read a text that ends where nothing says so: more than one."""
_WORD_BEFORE = re.compile(r"(?<!\w)[^\W\d_]{2,}+\W{0,3}$")
_COUNTING = (Op.DATE, Op.NUMBER)
_CUTTING = (Op.AFTER, Op.BEFORE, Op.BETWEEN, Op.PART)


_Cell = tuple[Scope, Value]
"""A row and what a person said of it; None if there is none."""


class SettledField(NamedTuple):
    """A taught field that is read in one way in every row; without a program, `reason`
    names the values of a row in which it is not."""

    program: FieldProgram | None
    reason: str = ""


class _Reading(NamedTuple):
    """A value of a text that may be the field's, and where it begins."""

    value: str
    start: int


def rows_to_settle(program: Program, documents: Sequence[Document]) -> list[FoundRow]:
    """The rows that a program finds; of pages of one record the pages."""
    if program.record is not None:
        return found_rows(program, documents)
    return [FoundRow(page, Scope(one), {}) for page, one in enumerate(documents)]


def _may_be_settled(spec: FieldSpec) -> bool:
    """Whether a field is of a kind that is settled, with one value."""
    return spec.kind in _SETTLED and spec.shape is Shape.ONE


def settled_field(
    schema: RecordSchema,
    field: FieldProgram,
    rows: Sequence[FoundRow],
    said: Sequence[TaughtCell],
) -> SettledField:
    """The field of a program, of which a person `said` some values, by the readers
    that are settled in all rows."""
    spec = field.spec
    cells = list(_found_cells(schema, rows, said))
    for invented in _invented(field, cells):
        return SettledField(None, f"{invented} is read where there is none")
    if not _may_be_settled(spec):
        return SettledField(field)
    known = [cell for cell in cells if cell[1] is not None]
    if not known:  # the proof says that it is not read
        return SettledField(field)
    looked = _Looked(spec, known, list(map(attrgetter("scope"), rows)))
    readers = [one for one in field.readers if looked.open_row(one) is None]
    readers = readers or looked.cut(field.readers)
    if readers or not field.readers:
        return SettledField(field.model_copy(update={"readers": tuple(readers)}))
    return SettledField(None, looked.reason(field.readers[0]))


def _found_cells(
    schema: RecordSchema, rows: Sequence[FoundRow], said: Sequence[TaughtCell]
) -> Iterator[_Cell]:
    """What a person said, with the rows that are found."""
    for cell in said:
        row = row_of(cell, schema, rows)
        if row is not None:
            yield row.scope, cell.value


def _invented(field: FieldProgram, cells: Sequence[_Cell]) -> Iterator[Value]:
    """What is read in rows of which a person said that they have none."""
    empty = [scope for scope, value in cells if value is None]
    return iter(present(vote_on(field, scope)[0] for scope in empty))


@dataclass(frozen=True)
class _Looked:
    """A field in all rows, and the rows of which a person said its value."""

    spec: FieldSpec
    known: Sequence[_Cell]
    rows: Sequence[Scope]

    def open_row(self, reader: Reader) -> Scope | None:
        """The first row in whose text nothing tells which value is the field's; None if
        there is none."""
        said = {self._counted(reader, row) for row, _ in self.known}
        for row in self.rows:
            if self._counted(reader, row) not in said | {0}:
                return row
        return None

    def _counted(self, reader: Reader, row: Scope) -> int:
        """How many values stand where a reader reads one; 0 if it reads none."""
        if read(reader, row, self.spec) is None:
            return 0
        if self.spec.kind is FieldKind.TEXT:
            return 1 if _is_delimited(reader, row) else _UNDELIMITED
        found = list(map(attrgetter("value"), self._readings(reader, row)))
        return len(found) if len(set(found)) > 1 else 1

    def _readings(self, reader: Reader, row: Scope) -> list[_Reading]:
        """The values of a field's kind that stand where a reader reads one of them."""
        readings_of = _READINGS[self.spec.kind]
        texts = islice(_uncounted_texts(reader, row), _MOST_TEXTS)
        return [one for text in texts for one in readings_of(text, self.spec)]

    def cut(self, readers: Sequence[Reader]) -> list[Reader]:
        """The readers with another cut, where what was said tells one that is settled
        in every row; none if there is none."""
        if self.spec.kind is FieldKind.TEXT:
            return self._between_marks(readers)
        return self._labelled(readers) or self._pinned(readers)

    def _pinned(self, readers: Sequence[Reader]) -> list[Reader]:
        """The readers of a list of JSON by the number of its item, where that is the one item
        that says what was said and every row has as many: of the high water and the low one."""
        found = list[Reader]()
        for reader in readers:
            counts = set(map(len, map(partial(read_texts, reader), self.rows)))
            places = indexed(reader.at, max(counts)) * (len(counts) == 1)
            items = [reader.model_copy(update={"at": at}) for at in places]
            right = list(filter(self._is_right, items))
            found += right * (len(right) == 1 < len(items))
        return found

    def _between_marks(self, readers: Sequence[Reader]) -> list[Reader]:
        """The readers with the first cut whose marks stand in every row; none if two such
        cuts give different texts."""
        pairs = [
            (text, value)
            for row, value in self.known
            for text in read_texts(readers[0], row)[:_MOST_TEXTS]
        ]
        cuts: dict[tuple[Value, ...], list[Reader]] = {}
        for pipe in filter(_is_of_marks, text_pipes(pairs)):
            made = [one.model_copy(update={"pipe": pipe}) for one in readers]
            if made := list(filter(self._is_sure, made)):
                cuts.setdefault(self._gives(made[0]), made)
        return next(iter(cuts.values())) if len(cuts) == 1 else []

    def _is_sure(self, reader: Reader) -> bool:
        """Whether a reader reads what was said, and something in every row, between
        marks of which there is one each."""
        if not self._is_right(reader) or None in self._gives(reader):
            return False
        return all(_is_delimited(reader, row, most=1) for row in self.rows)

    def _gives(self, reader: Reader) -> tuple[Value, ...]:
        """What a reader reads in each row."""
        return tuple(read(reader, row, self.spec) for row in self.rows)

    def _labelled(self, readers: Sequence[Reader]) -> list[Reader]:
        """The readers from behind the word that stands before what was said; none where
        a row has no such word, or several."""
        marks = {self._mark(readers[0], row, value) for row, value in self.known}
        if len(marks) != 1 or not (mark := marks.pop()):
            return []
        made = [_from(mark, one) for one in readers if self._is_once(mark, one)]
        return list(filter(self._is_right, made))

    def _mark(self, reader: Reader, row: Scope, value: Value) -> str:
        """The word before a value in the text a reader reads, with the signs between;
        "" for none."""
        for text in _uncounted_texts(reader, row):
            for one in _READINGS[self.spec.kind](text, self.spec):
                if same(one.value, value, _by_the_day(self.spec)):
                    match = _WORD_BEFORE.search(text[: one.start])
                    return match[0] if match else ""
        return ""

    def _is_once(self, mark: str, reader: Reader) -> bool:
        """Whether a word stands once in each row where a reader reads something."""
        rows = [row for row in self.rows if self._counted(reader, row)]
        texts = ("\n".join(_uncounted_texts(reader, row)) for row in rows)
        return all(text.count(mark) == 1 for text in texts)

    def _is_right(self, reader: Reader) -> bool:
        """Whether a reader reads what was said, and no row in which it is not settled."""
        for row, value in self.known:
            if not same(read(reader, row, self.spec), value, self.spec):
                return False
        return self.open_row(reader) is None

    def reason(self, reader: Reader) -> str:
        """What to ask of a person: which row can be read in several ways."""
        row = self.open_row(reader) or self.rows[0]
        if self.spec.kind is FieldKind.TEXT:
            found = str(read(reader, row, self.spec))[:_MOST_SHOWN]
            return f"on some rows it ends nowhere ({found!r}): {THERE_TOO}"
        values = dict.fromkeys(map(attrgetter("value"), self._readings(reader, row)))
        said = " or ".join(islice(values, _MOST_NAMED))
        return f"elsewhere {said} may be meant: {THERE_TOO}"


def _by_the_day(spec: FieldSpec) -> FieldSpec:
    """The field by which values of a text are compared: of moments their days."""
    is_moment = spec.kind is FieldKind.DATETIME
    kind = FieldKind.DATE if is_moment else spec.kind
    return spec.model_copy(update={"kind": kind})


def _is_delimited(reader: Reader, row: Scope, most: int = _LONGEST) -> bool:
    """Whether the marks of a reader's cuts stand in the texts of a row, `most` times each:
    a part of a text without its mark is all of it."""
    texts = read_texts(reader, row)
    for step in reader.pipe:
        counts = [text.count(mark) for text in texts for mark in _marks(step)]
        if not all(1 <= count <= most for count in counts):
            return False
        texts = apply((step,), texts)
    return True


def _marks(step: Step) -> Iterator[str]:
    """The texts at which a step cuts, none of a step that cuts by counting."""
    if step.op in _CUTTING and not is_guess((step,)):
        yield from (arg for arg in step.args if isinstance(arg, str))


def _is_of_marks(pipe: Sequence[Step]) -> bool:
    """Whether a pipe does nothing but cut at marks."""
    return all(any(_marks(step)) for step in pipe)


def _uncounted_texts(reader: Reader, row: Scope) -> Iterator[str]:
    """The texts a reader reads, with all values it chooses from."""
    pipe = list(reader.pipe)
    while pipe and pipe[-1].op in _COUNTING:
        pipe.pop()
    for text in apply(pipe, read_texts(reader, row)):
        yield text[:_LONGEST]


def _from(mark: str, reader: Reader) -> Reader:
    """A reader of what stands behind a mark, the first value of it."""
    kept = [step for step in reader.pipe if step.op not in _COUNTING]
    behind = Step(op=Op.AFTER, args=(mark,))
    return reader.model_copy(update={"pipe": (*kept, behind)})


def _days(text: str, spec: FieldSpec) -> Iterator[_Reading]:
    """The days of a text."""
    for one in dates(text, spec.date_order, spec.language):
        yield _Reading(one.day.isoformat(), one.start)


def _amounts(text: str, spec: FieldSpec) -> Iterator[_Reading]:
    """The numbers of a text."""
    for one in numbers(text, spec.decimal):
        yield _Reading(f"{one.value:f}", one.start)


_READINGS: dict[FieldKind, Callable[[str, FieldSpec], Iterator[_Reading]]] = {
    FieldKind.DATE: _days,
    FieldKind.DATETIME: _days,
    FieldKind.NUMBER: _amounts,
    FieldKind.INTEGER: _amounts,
}
"""How the values of a text are found, of the kinds that are read out of longer texts: of
moments their days."""

_SETTLED = {FieldKind.TEXT, *_READINGS}
