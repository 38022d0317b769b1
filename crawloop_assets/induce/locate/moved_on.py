"""A count that has moved on: the number beside the field's name, near the known one.

How often a page was read, or how many are left, changes on all pages in a night: then no
known value is left by which the field could be found. What it is called and what it was
are two witnesses of what it is now.
"""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain, islice, repeat
from operator import itemgetter
from typing import Any

from crawloop_assets.crawler.read import Scope
from crawloop_assets.document.document import Document
from crawloop_assets.document.table_heads import head_over
from crawloop_assets.induce.locate.nearness import count_near
from crawloop_assets.induce.locate.stream import texts_in
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import Words, label_forms, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.numbers import NUMERAL_MARKS
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value

_PARTS = re.compile(r"[·|•;()\n]|,\s|\s[-–—/]\s")
_NUMBER = re.compile(rf"\d[\d{NUMERAL_MARKS}'’\u00a0\u202f]*")
_LONGEST = 40
"""Characters of a part of a text that says a number and what it counts."""
_MOST_KEYS = 200
"""Keys of an object or items of a list that are looked at."""
_COLONS = (":", "：")


def is_count(spec: FieldSpec) -> bool:
    """Whether a field is a whole number that may change every day."""
    return spec.volatile and (spec.kind, spec.shape) == (FieldKind.INTEGER, Shape.ONE)


def is_moment(spec: FieldSpec) -> bool:
    """Whether a field is a day or a time that may be another one every day: that yesterday's
    stands nowhere says nothing of it."""
    return spec.volatile and spec.kind in (FieldKind.DATE, FieldKind.DATETIME)


def as_of_now(spec: FieldSpec, scope: Scope, known: Value) -> Value | None:
    """What a count is now in a record that had the `known` one: that, if it stands
    beside the name of the field, else the one number there that is near it; None if
    there is none or several, or the field is no count."""
    if not is_count(spec):  # a list could not even be looked up
        return None
    beside = set(filter(_is_whole, beside_name(spec, scope)))
    if known in beside:
        return known
    near = [value for value in beside if _is_near(int(str(value)), int(str(known)))]
    return near[0] if len(near) == 1 else None


def _is_whole(value: Value) -> bool:
    """Whether a value is a whole number."""
    return isinstance(value, int)


def beside_name(spec: FieldSpec, scope: Scope) -> Iterator[Value]:
    """The numbers that a record says beside a name of the field: in one text with it
    ("313 reads"), behind it, or before it where no colon says otherwise; in JSON under
    a key that is one, in a table under a header that is one."""
    words, texts = words_of(spec), list(_texts(scope))
    yield from _under_name(scope.data or scope.document.json_nodes("body"), words)
    yield from _under_head(scope, spec, words)
    labels = [_is_label(text, words) for text in texts]
    for at, text in enumerate(texts):
        is_named = words.share(tokens(text)) == 1.0 or _is_labelled(at, labels, texts)
        value = parse_value(text, spec) if is_named else None
        if value is not None:
            yield value


def are_near_somewhere(
    spec: FieldSpec, counted: Sequence[tuple[Document, Value]]
) -> bool:
    """Whether every one of these pages says a number near the count that is known of it,
    whatever stands around it, and the counts are so far apart that no chance does that:
    then the field has moved on, into a place that nothing reads."""
    if not is_count(spec) or len(counted) < tuned("nearby.fewest_pages"):
        return False
    known = [float(str(value)) for _, value in counted]
    is_spread = max(known) >= tuned("nearby.spread") * max(min(known), 1.0)
    return is_spread and all(_says_near(spec, *one) for one in counted)


def is_elsewhere(
    spec: FieldSpec,
    counted: Sequence[tuple[Document, Value]],
    now: Sequence[Value | None],
) -> bool:
    """Whether of a count another number is read on all of these pages, near the known one on
    none, though each says one that is: the field has moved on, and that is another's."""
    known = list(map(itemgetter(1), counted))
    is_read = is_count(spec) and None not in now
    is_far = is_read and not count_near(spec, known, now)
    return is_far and are_near_somewhere(spec, counted)


def _says_near(spec: FieldSpec, document: Document, known: Value) -> bool:
    """Whether a page says a number near the known one."""
    count = int(str(known))
    most = max(tuned("nearby.most") * abs(count), tuned("moved_on.least"))
    texts = (piece.text for piece in document.pieces if piece.owner >= 0)
    words = chain.from_iterable(map(_NUMBER.findall, texts))
    said = (parse_value(word.rstrip(".,"), spec) for word in words)
    return any(isinstance(one, int) and abs(one - count) <= most for one in said)


def _under_name(data: Any, words: Words, *, is_named: bool = False) -> Iterator[int]:
    """The whole numbers under a name in JSON, however deep: what has the name may be an
    object of several numbers now ("reads": {"today": 9, "total": 313}), but not one of what
    was before ("previous": {"reads": 298})."""
    if is_named and type(data) is int:
        yield data
    entries = _entries(data)
    for key, value in filter(
        lambda one: not words.is_of_before(tokens(one[0])), entries
    ):
        is_one = is_named or words.share(tokens(key)) == 1.0
        yield from _under_name(value, words, is_named=is_one)


def _entries(data: Any) -> Iterator[tuple[str, Any]]:
    """The first values of an object by their keys, or the first items of a list."""
    if isinstance(data, dict):
        return islice(data.items(), _MOST_KEYS)
    return zip(repeat(""), data[:_MOST_KEYS] if isinstance(data, list) else ())


def _under_head(scope: Scope, spec: FieldSpec, words: Words) -> Iterator[Value]:
    """The numbers of the cells of a record under a header that is a name."""
    document = scope.document
    inside = filter(partial(_is_in, scope), document.by_tag.get("td", ()))
    for cell in filter(partial(_is_headed, document, words), inside):
        value = parse_value(document.text(cell), spec)
        if value is not None:
            yield value


def _is_headed(document: Document, words: Words, cell: int) -> bool:
    """Whether the header over a cell is a name of the field."""
    return words.share(tokens(head_over(document, cell))) == 1.0


def _is_in(scope: Scope, number: int) -> bool:
    """Whether an element is in a record of markup."""
    end = scope.document.end
    is_inside = any(node <= number < end[node] for node in scope.nodes)
    return scope.data is None and is_inside


def _texts(scope: Scope) -> Iterator[str]:
    """The short parts of the texts of a record that hold letters or digits."""
    for part in chain.from_iterable(map(_PARTS.split, texts_in(scope))):
        if letters(part) and len(part) <= _LONGEST:
            yield part.strip()


def _is_label(text: str, words: Words) -> bool:
    """Whether a text is nothing but a name of the field."""
    return letters(text) in frozenset(label_forms(words))


def _is_labelled(at: int, labels: Sequence[bool], texts: Sequence[str]) -> bool:
    """Whether the text before one is a label, or the one behind it, which has no
    colon."""
    behind = any(labels[at + 1 : at + 2]) and not texts[at + 1].endswith(_COLONS)
    return behind or any(labels[max(0, at - 1) : at])


def _is_near(value: int, known: int) -> bool:
    """Whether a count may have become another one in a few days."""
    most = tuned("moved_on.most") * min(abs(known), abs(value))
    return abs(value - known) <= max(most, tuned("moved_on.least"))
