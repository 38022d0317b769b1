"""Do the items of a list stand on a page as a list, or as words of its text?

Every text about a subject has the words that a list of its topics has. They are no list:
its items stand together, or are stated together.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain, islice

from crawloop_assets.induce.locate.places import Index
from crawloop_assets.induce.locate.stream import LetterStream
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, as_list

_FEWEST = 3
_MOST_FOUND = 200  # times that one item is looked for


def is_scattered(index: Index, value: Value, spec: FieldSpec) -> bool:
    """Whether all items of a list of three texts or more stand in the text of a page,
    and nowhere together; where one of them stands only elsewhere, whether most of them
    are stated together without the others."""
    forms = sorted(set(map(letters, map(str, as_list(value)))))
    if spec.kind is not FieldKind.TEXT or spec.shape is Shape.ONE:
        return False
    if len(forms) < _FEWEST or _are_stated(index, forms):
        return False
    if not all(map(index.holds, forms)):
        return any(map(partial(_has_most, forms), _unseen(index)))
    most = tuned("scattered.stretch") * sum(map(len, forms))
    return _stretch(index, forms) > most


def _are_stated(index: Index, forms: Sequence[str]) -> bool:
    """Whether a text that nobody sees has all of them, or each is one."""
    texts = _unseen(index)
    return set(texts).issuperset(forms) or any(map(partial(_has_all, forms), texts))


def _unseen(index: Index) -> list[str]:
    """The letters of the texts that nobody sees: what is stated, and attributes."""
    stated = map(letters, chain.from_iterable(index.document.leaves.values()))
    return [*stated, *index.attribute_letters]


def _has_all(forms: Sequence[str], text: str) -> bool:
    """Whether a text has all of some letters."""
    return all(map(text.__contains__, forms))


def _has_most(forms: Sequence[str], text: str) -> bool:
    """Whether a text has more than half of some letters."""
    return 2 * sum(map(text.__contains__, forms)) > len(forms)


def _stretch(index: Index, forms: Sequence[str]) -> int:
    """How many letters the shortest part of the text has that holds all of them."""
    stream = LetterStream(index.document)
    found = sorted(
        (position, form)
        for form in forms
        for position in islice(stream.positions(form), _MOST_FOUND)
    )
    inside: Counter[str] = Counter()
    shortest, first = len(stream.letters), 0
    for position, form in found:
        inside[form] += 1
        while len(inside) == len(forms):
            begin, left = found[first]
            shortest = min(shortest, position + len(form) - begin)
            inside -= Counter((left,))
            first += 1
    return shortest
