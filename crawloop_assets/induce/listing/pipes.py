"""Transforms that may turn the texts of one location into known values."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, starmap
from operator import itemgetter

from crawloop_assets.induce.listing.part_lists import lists_in_parts
from crawloop_assets.induce.listing.text_pipes import SEPARATORS, text_pipes
from crawloop_assets.induce.locate.affixes import affixes
from crawloop_assets.induce.locate.fit import EPOCH, Pipe, item_spec, proposals
from crawloop_assets.induce.locate.joined import AND, BETWEEN_ITEMS, cut_pipes
from crawloop_assets.induce.locate.number_order import says_two
from crawloop_assets.induce.locate.scales import may_change_unit, own_unit_pipes
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.epochs import counted_moment
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, as_list

_Pair = tuple[str, Value]  # a text of the page, the value it should give

_TEXTS = (FieldKind.TEXT, FieldKind.CHOICE)
_MOST_PIPES = 24
_FEWEST_ITEMS = {" ": 2}
"""Of a list that is cut at a separator: a blank stands between any two words."""
_LONGEST = 4000
"""Characters of a text in which a value is looked for."""


def pipes(spec: FieldSpec, pairs: Sequence[_Pair]) -> list[Pipe]:
    """Candidate pipes for texts and the values they should give, plain ones first.

    Whether one is right, only running it tells.
    """
    if spec.shape is not Shape.ONE:
        return [(), *_of_lists(pairs), *_of_single_items(spec, pairs)]
    if spec.kind is FieldKind.DATETIME:
        return list(_of_moments(pairs))
    by_marks = text_pipes(pairs) if spec.kind in _TEXTS else []
    found = (proposals(text[:_LONGEST], value, spec) for text, value in pairs)
    cut = _by_count(filter(None, chain.from_iterable(found)))
    whole = [()] * (not any(says_two(text, spec) for text, _ in pairs))
    in_units = own_unit_pipes(pairs, spec) if may_change_unit(spec) else ()
    return [*whole, *by_marks, *cut, *in_units]


def _of_lists(pairs: Sequence[_Pair]) -> Iterator[Pipe]:
    """What cuts a list out of one text, and each of its items out of a text of its own."""
    yield from _splits(pairs)
    lists = [(text, as_list(value)) for text, value in pairs]
    found = chain(starmap(lists_in_parts, lists), starmap(_bare_items, lists))
    yield from dict.fromkeys(chain.from_iterable(found))


def _bare_items(text: str, items: Sequence[Value]) -> Iterator[Pipe]:
    """What takes the signs off that a text has around an item: "#oak"."""
    same = (one for one in map(str, items) if letters(one) == letters(text))
    return filter(None, chain.from_iterable(affixes(text, one) for one in same))


def _of_single_items(spec: FieldSpec, pairs: Sequence[_Pair]) -> list[Pipe]:
    """What cuts the one item of each list out of its text: "Ada" of "by Ada"; nothing
    where any list has several."""
    lists = [(text, as_list(value)) for text, value in pairs]
    if not lists or max(len(items) for _, items in lists) > 1:
        return []
    single = item_spec(spec)
    found = (
        proposals(text[:_LONGEST], item, single) for text, (item,) in lists if text
    )
    return _by_count(filter(None, chain.from_iterable(found)))


def _of_moments(pairs: Sequence[_Pair]) -> Iterator[Pipe]:
    """What reads moments: any step for days gives the day only, and the time would be
    lost."""
    yield ()
    if any(map(counted_moment, map(itemgetter(0), pairs))):
        yield EPOCH


def _by_count(found: Iterable[Pipe]) -> list[Pipe]:
    """Distinct pipes, those that came up most often first, at most 24."""
    counts = Counter(found)
    ranked = sorted(counts, key=lambda pipe: (-counts[pipe], len(pipe), str(pipe)))
    return ranked[:_MOST_PIPES]


def _splits(pairs: Sequence[_Pair]) -> Iterator[Pipe]:
    """Cuts at the separators that the texts have, also behind a label."""
    for separator in dict.fromkeys((*SEPARATORS, *BETWEEN_ITEMS, *AND)):
        with_it = [pair for pair in pairs if _may_part(separator, *pair)]
        found = (cut_pipes(text, as_list(value), separator) for text, value in with_it)
        yield from dict.fromkeys(chain.from_iterable(found))


def _may_part(separator: str, text: str, value: Value) -> bool:
    """Whether a text may be a list with a separator between its items."""
    fewest = _FEWEST_ITEMS.get(separator, 1)
    return separator in text and len(as_list(value)) >= fewest
