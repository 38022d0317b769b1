"""Values that a part of a page says by a sign: a flag by an icon that is there or not, a
number by as many stars, or by one in the name of a class ("stars-4").

Which sign it is, is said by all pages or rows that are shown: of those that agree with
what is known, all have to say the same of the others, the ones with the field's name
first. Two that differ tell nothing.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, filterfalse, takewhile
from operator import attrgetter, itemgetter
from typing import NamedTuple

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import Scope, read, read_texts
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.document.signs import TEXT
from crawloop_assets.induce.locate.agreed import first_agreed
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.lone_column import as_guess
from crawloop_assets.induce.locate.reader_names import is_named_by
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.value import Value

SIGNS = "signs"
"""What of an element is read."""
_NUMBERS = (FieldKind.NUMBER, FieldKind.INTEGER)
_CODED = re.compile(r"([^\W\d][^\d\"]*)(\d+(?:\.\d+)?)(\D*)")
"""A name, and what stands in it behind a mark or a word: "stars-4", "width:_80%"."""
_NUMBERED = re.compile(r"\d(?![^\W\d_])")
_BEFORE_TEXT = r"^(?:[^\"\d]|\d[^\W\d_])+"
"""What of a sign is not of this page alone."""
_ONE_BY_ONE = (
    Step(op=Op.SPLIT, args=(" ",)),
    Step(op=Op.REGEX, args=(_BEFORE_TEXT,)),
)
"""The signs of a box one by one."""
_MOST_SIGNS = 16  # of a box, that are told apart
_MOST_READERS = 2
_FEWEST_DIFFERENT = 2
_FEWEST_OF_A_FLAG = 2
"""Pages or rows: a name that one of them has stands on no other."""

_Known = Sequence[tuple[Scope, Value]]
_Said = Sequence[tuple[frozenset[str], str, Value]]
"""Of each known page or row the signs of a box, one by one and as a text, and the value."""


class _Sign(NamedTuple):
    """A reader of a sign, what it says of all pages or rows, how it is to be preferred, and
    whether it says yes where the sign is not there."""

    reader: Reader
    said: tuple[str, ...]
    rank: bool
    is_absent: bool


def may_be_signed(spec: FieldSpec, values: Iterable[Value]) -> bool:
    """Whether a field of which these values are known may be said by a sign: where they are
    not all the same."""
    is_one = spec.shape is Shape.ONE
    different = len(set(map(str, values)))
    return is_one and spec.kind in _PROPOSALS and different >= _FEWEST_DIFFERENT


def sign_readers(
    spec: FieldSpec, known: _Known, others: Sequence[Scope], boxes: Iterable[Reader]
) -> list[Reader]:
    """Of a field that may be said by a sign the readers of the one that agrees with what is known, in one of these boxes,
    those of the smallest part of a page first; none where there are two, or so few are
    known that one would by chance."""
    found = _all_signs(spec, known, others, boxes)
    if len(known) < tuned("recurrence.fewest_pages"):
        found = filterfalse(_is_counted, found)
    return first_agreed(found, attrgetter("rank"))[:_MOST_READERS]


def guessed_signs(
    spec: FieldSpec, known: _Known, others: Sequence[Scope], boxes: Iterable[Reader]
) -> list[Reader]:
    """The reader of the sign of a flag where a person looks at what it says, as a list: of
    those that differ the one that is there where the flag is true, as a tick is; of a number
    what two pages tell, as many stars as they say."""
    found = _all_signs(spec, known, others, boxes)
    agreed = first_agreed(found, attrgetter("rank", "is_absent"))
    return list(map(as_guess, agreed[:1]))


def _all_signs(
    spec: FieldSpec, known: _Known, others: Sequence[Scope], boxes: Iterable[Reader]
) -> Iterator[_Sign]:
    """The signs of all boxes that agree with all that is known."""
    for box in boxes:
        yield from _signs(spec, box, _PROPOSALS[spec.kind], known, others)


def _is_counted(sign: _Sign) -> bool:
    """Whether a sign is counted."""
    return any(step.op is Op.COUNT for step in sign.reader.pipe)


def sign_of(reader: Reader) -> str:
    """The sign by whose being there a reader tells a flag; "" if it reads no signs."""
    is_flag = reader.get == SIGNS and reader.pipe[-1:] == (Step(op=Op.LAST),)
    meant = (str(one.args[0]) for one in reader.pipe if one.op is Op.MAP)
    marks = (one for one in meant if not one.startswith("<"))
    return next(marks, "") if is_flag else ""


def closed_again(reader: Reader, scopes: Sequence[Scope]) -> list[Reader]:
    """The reader of a flag by the same sign in the same box, to which nothing of these
    pages or rows is unknown; none of a reader of another kind, or where the sign is gone."""
    sign = sign_of(reader)
    says_yes = Step(op=Op.MAP, args=(sign, str(True))) in reader.pipe
    step = Step(op=Op.HAS, args=(f" {sign} ", int(says_yes)))
    box = reader.model_copy(update={"pipe": ()})
    pipe = _closed(box, step, scopes)
    return [box.model_copy(update={"pipe": pipe})][: len(pipe)]


def are_filled_and_empty(meant: Collection[tuple[str, str]]) -> bool:
    """Whether the signs of some cells, each with what it means, are of two kinds, and one of
    them alone has a text."""
    flags = set(map(itemgetter(1), meant))
    with_text = sum(TEXT in text for text, _ in meant)
    return (len(meant), len(flags), with_text) == (2, 2, 1)


def _signs(
    spec: FieldSpec,
    box: Reader,
    proposals: Callable[[_Said], Iterator[Step]],
    known: _Known,
    others: Sequence[Scope],
) -> Iterator[_Sign]:
    """The signs of a box that agree with all that is known."""
    shown = ("\n".join(read_texts(box, scope)[:1]) for scope, _ in known)
    texts = list(takewhile(bool, shown))
    if len(texts) < len(known):
        return
    values = map(itemgetter(1), known)
    said = [
        (frozenset(text.split()), text, value)
        for text, value in zip(texts, values, strict=True)
    ]
    scopes = [*map(itemgetter(0), known), *others]
    for step in dict.fromkeys(proposals(said)):
        pipe = _closed(box, step, scopes) if step.op is Op.HAS else (step,)
        reader = box.model_copy(update={"pipe": pipe})
        read_as = [(read(reader, scope, spec), value) for scope, value in known]
        if not pipe or not all(same(one, value, spec) for one, value in read_as):
            continue
        answers = tuple(str(read(reader, scope, spec)) for scope in scopes)
        if _is_column(answers, step.op):
            is_absent = step.args[1:] == (0,)
            yield _Sign(reader, answers, not is_named_by(reader, spec), is_absent)


def _closed(box: Reader, step: Step, scopes: Sequence[Scope]) -> Pipe:
    """What makes a box a flag by a sign, and leaves nothing where the box has signs that
    none of these pages or rows has: where an icon is called otherwise from one day on, it
    is not gone. Nothing for a box of many signs."""
    sign, truth = str(step.args[0]).strip(), bool(step.args[1])
    texts = chain.from_iterable(read_texts(box, scope)[:1] for scope in scopes)
    found = dict.fromkeys(apply(_ONE_BY_ONE, list(texts)))
    if sign not in found or len(found) > _MOST_SIGNS:
        return ()
    meant = {one: truth if one == sign else None for one in found}
    meant |= {one: not truth for one in found if one.startswith("<")}
    return (*_ONE_BY_ONE, *_as_said(meant), Step(op=Op.LAST))


def _as_said(meant: Mapping[str, bool | None]) -> Iterator[Step]:
    """What drops the signs that mean nothing, and makes the others what they mean."""
    for one, truth in sorted(meant.items(), key=lambda pair: pair[1] is not None):
        if truth is None:
            yield Step(op=Op.DROP, args=(one,))
        else:
            yield Step(op=Op.MAP, args=(one, str(truth)))


def _is_column(answers: Sequence[str], op: Op) -> bool:
    """Whether a sign says something of nearly all pages or rows, and again and again but
    for numbers in a name, which may be of one thing each; of a flag both, more than once."""
    said = Counter(answers)
    silent = said.pop(str(None), 0)
    is_filled = silent <= tuned("few_words.most_silent") * len(answers)
    again = said.total() - len(said)
    is_again = op is Op.REGEX or again >= tuned("few_words.fewest_again")
    is_of_one = op is Op.HAS and min(said.values(), default=0) < _FEWEST_OF_A_FLAG
    return is_filled and is_again and not is_of_one


def _presences(said: _Said) -> Iterator[Step]:
    """What stands where a flag is true and nowhere else, or where it is not."""
    by_truth: dict[bool, list[frozenset[str]]] = {True: [], False: []}
    for signs, _, value in said:
        by_truth[value is True].append(signs)
    for truth, having in by_truth.items():
        own = _shared(having).difference(*by_truth[not truth])
        for sign in sorted(filterfalse(_is_of_one, own)):
            yield Step(op=Op.HAS, args=(f" {sign} ", int(truth)))


def _is_of_one(sign: str) -> bool:
    """Whether a sign may be of one page alone: a text, a number in it that is no part of a
    word, as "3d" is."""
    return TEXT in sign or _NUMBERED.search(sign) is not None


def _shared(found: Sequence[frozenset[str]]) -> frozenset[str]:
    """The signs that all boxes have."""
    return frozenset.intersection(*found)


def _numbers(said: _Said) -> Iterator[Step]:
    """What stands as often as a number says, and names with a number in them."""
    if len(said) >= _FEWEST_DIFFERENT:
        for sign in sorted(_shared([words for words, _, _ in said])):
            if all(text.count(f" {sign} ") == value for _, text, value in said):
                yield Step(op=Op.COUNT, args=(f" {sign} ",))
    yield from _coded(said)


def _coded(said: _Said) -> Iterator[Step]:
    """What stands behind a name that all boxes have, and before what ends it."""
    for match in _codes(said[0][0]):
        name, code, end = match.groups()
        if _is_code(code, said[0][2]):
            pattern = rf" {re.escape(name)}(\d[\d.]*){re.escape(end)} "
            yield Step(op=Op.REGEX, args=(pattern,))


def _codes(words: Iterable[str]) -> Iterator[re.Match[str]]:
    """The signs with a number in them."""
    return filter(None, map(_CODED.fullmatch, sorted(words)))


def _is_code(code: str, value: Value) -> bool:
    """Whether what stands in a name is a value: a text as it is, a number as one."""
    if isinstance(value, str) and code == value:
        return True
    return parse_number(code, 0, ".") == parse_number(str(value), 0, ".")


_PROPOSALS: Mapping[FieldKind, Callable[[_Said], Iterator[Step]]] = {
    FieldKind.BOOLEAN: _presences,
    FieldKind.NUMBER: _numbers,
    FieldKind.INTEGER: _numbers,
    FieldKind.TEXT: _coded,
}
