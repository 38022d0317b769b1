"""A volatile value that moved contradicts nothing, nor does a small number.

What was the price yesterday may stand on the page as something else today: as the
former price, as the price of another row, as a small number anywhere. The reader is
believed if it reads most of the known values, and nothing that is known as another
field.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain, filterfalse, islice
from operator import attrgetter, methodcaller
from typing import NamedTuple

from crawloop_assets.crawler.extraction import NO_VOTE, ExtractedRecord
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.same_thing import is_of_known_thing
from crawloop_assets.induce.locate.fit import item_spec
from crawloop_assets.induce.locate.nearness import may_move
from crawloop_assets.induce.locate.occurrence import is_stated_whole, occurs_on
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.row_numbers import (
    is_dearer_only,
    says_day,
    says_number,
)
from crawloop_assets.induce.locate.scattered import is_scattered
from crawloop_assets.induce.locate.stated_late import is_late
from crawloop_assets.induce.proof.bystanders import is_bystander
from crawloop_assets.induce.proof.completed import is_completed, is_retold
from crawloop_assets.induce.proof.gone_rows import are_gone
from crawloop_assets.induce.proof.sizes import is_other_size
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import label_forms, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.equality import canonical, same
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, as_list

_MOST_BESIDE = 200
"""Records of a page that are looked through for what stands in them."""
_SHORT = 4  # letters and digits; shorter values stand anywhere by chance
_FEWEST_OTHERS = 2  # pages of other choices on which a word stands anyway
_DAYS = (FieldKind.DATE, FieldKind.DATETIME)
_WORDED = (FieldKind.CHOICE, FieldKind.BOOLEAN)
_BY_CHANCE = (*_DAYS, FieldKind.NUMBER, FieldKind.INTEGER)


class Contradicted(NamedTuple):
    """A known record, the one that is read for it, all that is read of its page, whether
    the known one is gone from there, and where the rows of a list are."""

    known: Mapping[str, Value]
    record: ExtractedRecord
    beside: tuple[ExtractedRecord, ...]
    is_gone: bool = False
    places: Sequence[Scope] = ()


def may_have_moved(spec: FieldSpec, index: Index, seen: Contradicted) -> bool:
    """Whether the known value of a field, of which another one is read, may stand on
    the page as something else now: a yes or a no is any other flag's, and what is only
    stated may be yesterday's."""
    if spec.kind is FieldKind.BOOLEAN:
        return spec.volatile
    if _is_exchanged(spec, seen):
        return False
    if not spec.volatile:
        return spec.kind in _DAYS and _is_said_in_others(spec, seen, says_day)
    wanted = seen.known.get(spec.name)
    if spec.kind is FieldKind.OBJECT:
        return _are_known_rows(spec, wanted, seen.record.values[spec.name])
    if len(letters(str(wanted))) < _SHORT:
        return True
    is_others = is_of_another(spec, seen) or _stands_in_others(spec, seen)
    is_others = is_others or _has_become_another(spec, seen)
    return is_others or is_late(spec, index, wanted, seen.record.values[spec.name])


def _are_known_rows(spec: FieldSpec, known: Value, read: Value) -> bool:
    """Whether the rows of a record, or its one part, say what is known in each column, be it
    in one row of them; a yes or a no says nothing."""
    columns = filterfalse(_is_flag, spec.fields)
    return all(map(partial(_is_said_again, known, read), columns))


def _is_flag(spec: FieldSpec) -> bool:
    """Whether a field is a yes or a no."""
    return spec.kind is FieldKind.BOOLEAN


def _is_said_again(known: Value, read: Value, column: FieldSpec) -> bool:
    """Whether some row says in a column what is known of it."""
    cells = map(methodcaller("get", column.name), as_list(known))
    again = map(methodcaller("get", column.name), as_list(read))
    return any(map(partial(same, spec=column), cells, again))


def _stands_in_others(spec: FieldSpec, seen: Contradicted) -> bool:
    """Whether a known number of a row stands in other rows only, in whatever cell: the
    net price of one is the price of another."""
    return may_move(spec) and _is_said_in_others(spec, seen, says_number)


def _is_said_in_others(
    spec: FieldSpec, seen: Contradicted, says: Callable[..., bool]
) -> bool:
    """Whether rows say a known value, and not the one that it is known of: a term that was
    put off is still that of others."""
    own = _own_row(seen)
    others = filterfalse(own.__eq__, islice(seen.places, _MOST_BESIDE))
    stands = partial(says, spec, seen.known.get(spec.name))
    return own is not None and not stands(own) and any(map(stands, others))


def _is_called_so(spec: FieldSpec, seen: Contradicted) -> bool:
    """Whether a number that may change every day is read in a column that is called as
    the field is, in a row that does not say the known one any more."""
    own, forms = _own_row(seen), frozenset(label_forms(words_of(spec)))
    vote = seen.record.votes.get(spec.name, NO_VOTE)
    if own is None or not may_move(spec):
        return False
    known = seen.known.get(spec.name)
    return letters(vote.head) in forms and not says_number(spec, known, own)


def _is_former(spec: FieldSpec, index: Index, seen: Contradicted) -> bool:
    """Whether a known number is the former one now, and a lower one is read: a sale began."""
    read, known = map(partial(_number, spec), (seen.record.values, seen.known))
    place = _own_row(seen) or Scope(index.document)
    return read < known and is_dearer_only(spec, seen.known[spec.name], place)


def _number(spec: FieldSpec, values: Mapping[str, Value]) -> float:
    """The number of a field that may change every day; no number without one."""
    value = values.get(spec.name, "nan") if may_move(spec) else "nan"
    return float(str(value))


def _own_row(seen: Contradicted) -> Scope | None:
    """Where the row of a list is that is read for a known one."""
    return dict(enumerate(seen.places)).get(seen.record.row)


def stands_anyway(
    spec: FieldSpec, wanted: Value, read: Iterable[tuple[Index, Value]]
) -> bool:
    """Whether a choice is a word of the site, as in a label ("Open: 4 seats") or a menu:
    it stands on all pages, two or more, of which another one is `read` as it is known.
    So it says nothing of the page of which it was known."""
    if spec.kind not in _WORDED:
        return False
    right = list(read)
    its_own = {index for index, value in right if same(value, wanted, spec)}
    others = {index for index, _ in right} - its_own
    stands = (occurs_on(index, wanted, spec) for index in others)
    return len(others) >= _FEWEST_OTHERS and all(stands)


def is_beside(spec: FieldSpec, seen: Contradicted, schema: RecordSchema) -> bool:
    """Whether the known value of a field is another row's now, and what is read is of
    the known thing."""
    is_of_it = is_of_known_thing(seen.record, seen.known, spec.name, schema)
    return is_of_it and is_of_another(spec, seen)


def has_changed(
    spec: FieldSpec, index: Index, seen: Contradicted, schema: RecordSchema
) -> bool:
    """Whether the known value of a field, which is not read, is nowhere on its page, or
    is no more there than words of its text, or a number while the page states another
    one, or rows of which half or more are read, or that of another row while its own is gone, or says none, or a text that
    stands there whatever is stated."""
    is_silent = seen.record.values.get(spec.name) is None
    has_left = _stands_in_others if is_silent else _is_called_so
    if seen.is_gone or has_left(spec, seen) or _is_former(spec, index, seen):
        return True
    wanted = seen.known.get(spec.name)
    if not occurs_on(index, wanted, spec) or is_scattered(index, wanted, spec):
        return True
    if is_stated_whole(index, wanted, spec):
        return False
    return (
        _has_most_rows(spec, seen)
        or is_stated_anew(spec, seen, schema)
        or _is_written_anew(spec, index, seen, schema)
        or _is_in_other_size(spec, seen)
        or _is_of_gone_row(spec, index, seen, schema)
    )


def _is_written_anew(
    spec: FieldSpec, index: Index, seen: Contradicted, schema: RecordSchema
) -> bool:
    """Whether another text of the known thing is stated, and the known one stands there
    all the same."""
    known = seen.known.get(spec.name)
    if _is_known_otherwise(spec, seen):
        return False
    is_of_it = is_of_known_thing(seen.record, seen.known, spec.name, schema)
    return is_of_it and is_bystander(spec, index.document, known)


def _is_in_other_size(spec: FieldSpec, seen: Contradicted) -> bool:
    """Whether the known picture is stated in another size."""
    known, read = seen.known.get(spec.name), seen.record.values.get(spec.name)
    vote = seen.record.votes.get(spec.name, NO_VOTE)
    return is_other_size(spec, known, read, vote.reader)


def _is_of_gone_row(
    spec: FieldSpec, index: Index, seen: Contradicted, schema: RecordSchema
) -> bool:
    """Whether a date or a number is all that is left of a row: no record is like it, and
    none of its texts is on the page."""
    if spec.kind not in _BY_CHANCE or seen.record.values:
        return False
    return all(are_gone([seen.known], index, schema))


def is_stated_anew(spec: FieldSpec, seen: Contradicted, schema: RecordSchema) -> bool:
    """Whether another value is stated of the known thing, and the known one is so short
    that it stands anywhere, or a list that has other items besides now, or a text that
    was completed."""
    if _is_known_otherwise(spec, seen):
        return False
    known, read = seen.known.get(spec.name), seen.record.values.get(spec.name)
    is_short = len(letters(str(known))) < _SHORT
    is_more = _has_most_items(spec, seen) or is_completed(spec, known, read)
    return (is_short or is_more) and is_of_known_thing(
        seen.record, seen.known, spec.name, schema
    )


def _has_most_items(spec: FieldSpec, seen: Contradicted) -> bool:
    """Whether half of the items of the known list or more are in the one that is read:
    they stand on the page as items of that."""
    if spec.shape is Shape.ONE:
        return False
    known, read = (
        set(map(partial(_item_form, spec), as_list(values.get(spec.name))))
        for values in (seen.known, seen.record.values)
    )
    return 2 * len(known & read) >= len(known)


def _has_most_rows(spec: FieldSpec, seen: Contradicted) -> bool:
    """Whether half of the known rows of a record or more, which may be others every day, are
    read as they were."""
    is_moving = spec.volatile and spec.kind is FieldKind.OBJECT
    return is_moving and _has_most_items(spec, seen)


def _item_form(spec: FieldSpec, item: Value) -> Hashable:
    """An item as it is compared with others: by its letters, or part by part."""
    if spec.kind is FieldKind.OBJECT:
        return canonical(item, item_spec(spec))
    return letters(str(item))


def is_stated_retold(spec: FieldSpec, seen: Contradicted, schema: RecordSchema) -> bool:
    """Whether what is read says what was known in few words more or less, and is stated of
    the known thing."""
    known, read = seen.known.get(spec.name), seen.record.values.get(spec.name)
    if not is_retold(spec, known, read) or _is_known_otherwise(spec, seen):
        return False
    return is_of_known_thing(seen.record, seen.known, spec.name, schema)


def are_moved(spec: FieldSpec, moved: int, right: int, beside: int = 0) -> bool:
    """Whether so many values moved, where so many others are read right; what is not
    volatile moves seldom. So many of those that moved are `beside`: they stand on the
    page as another row's."""
    times = tuned("moved.times_right" if spec.volatile else "moved.times_right_lasting")
    wanted = times * (moved - beside) + tuned("moved.times_right_beside") * beside
    return right >= max(tuned("moved.fewest_right"), wanted)


def are_strays(spec: FieldSpec, left: int, gone: int) -> bool:
    """Whether so few dates or numbers of rows stand on their page, where so many others
    are gone, that they stand there by chance: "20210415-CA" is a day, too."""
    return spec.kind in _BY_CHANCE and left <= tuned("moved.strays") * gone


def _is_known_otherwise(spec: FieldSpec, seen: Contradicted) -> bool:
    """Whether what is read is known as the value of another field."""
    value = seen.record.values.get(spec.name)
    others = (known for name, known in seen.known.items() if name != spec.name)
    return _is_among(value, others, spec)


def _is_exchanged(spec: FieldSpec, seen: Contradicted) -> bool:
    """The same, but for a number that is so short that other fields have it by chance."""
    read = letters(str(seen.record.values.get(spec.name)))
    least = _SHORT * may_move(spec)
    return len(read) >= least and _is_known_otherwise(spec, seen)


def _has_become_another(spec: FieldSpec, seen: Contradicted) -> bool:
    """Whether the record has the value in another field: a bid was the estimate by chance,
    which stands there still."""
    wanted = seen.known.get(spec.name)
    others = (value for name, value in seen.record.values.items() if name != spec.name)
    return _is_among(wanted, others, spec)


def is_of_another(spec: FieldSpec, seen: Contradicted) -> bool:
    """Whether another record of the page has the value, in whatever field: a count may be
    the year of another row."""
    others = (other for other in seen.beside if other is not seen.record)
    values = map(dict.values, map(attrgetter("values"), islice(others, _MOST_BESIDE)))
    return _is_among(seen.known.get(spec.name), chain.from_iterable(values), spec)


def _is_among(value: Value, others: Iterable[Value], spec: FieldSpec) -> bool:
    """Whether a value is one of some others, as the field compares them."""
    return any(
        other is not None and value is not None and same(other, value, spec)
        for other in others
    )
