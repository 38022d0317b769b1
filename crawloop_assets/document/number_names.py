"""What the number in an element is called: by the attributes of the elements that hold nothing
else, by what crosses it out, by the words in them, before them and over their column."""

from collections.abc import Iterator
from itertools import chain, islice, takewhile

from crawloop_assets.document.crossed_out import CROSSING_OUT
from crawloop_assets.document.document import Document
from crawloop_assets.document.former import label_before
from crawloop_assets.document.price_names import words_in_label, words_of_name
from crawloop_assets.document.table_heads import head_over

_DEEPEST = 4  # elements around a number
_NAMING = ("class", "id", "itemprop", "aria-label", "data-")
_LONGEST = 60  # characters of a name


def words_of_number(document: Document, number: int) -> frozenset[str]:
    """The words for prices (`words_of_name`) by which an element with a number is called."""
    boxes = list(_alone(document, number))
    outmost = boxes[-1]
    before = label_before(document, document.columns.first[outmost])
    said = document.text(outmost), head_over(document, outmost) or before
    tags = set(map(document.tags.__getitem__, boxes))
    names = ["struck"] * (not tags.isdisjoint(CROSSING_OUT))
    names += chain.from_iterable(_attributes(document, box) for box in boxes)
    called = map(words_of_name, names)
    return frozenset().union(*called, *map(words_in_label, said))


def _alone(document: Document, number: int) -> Iterator[int]:
    """An element, and those around it that say no other number."""
    digits = _digits(document, number)
    around = islice(document.ancestors(number), _DEEPEST)
    yield number
    yield from takewhile(lambda box: _digits(document, box) == digits, around)


def _digits(document: Document, number: int) -> str:
    """The digits in an element, what is crossed out as well."""
    columns = document.columns
    texts = columns.texts[columns.first[number] : columns.last[number]]
    return "".join(filter(str.isdigit, "".join(texts)))


def _attributes(document: Document, number: int) -> Iterator[str]:
    """What attributes call an element."""
    for name, value in document.attributes[number]:
        if name.startswith(_NAMING) and len(value) <= _LONGEST:
            yield value
