"""What was seen on the page of an example where a value is not read, in words for whoever has
to say more.

Of a value that stands there the shortest text that has it is shown. A choice may stand there
in other words: shown are those that some of the other pages say and some do not, with the
text before them that all pages have.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise, starmap
from operator import attrgetter

from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.choice_texts import is_choice, may_be_choice
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value, as_list

_MOST_WORDS = 4
_MOST_ITEMS = 3
_MOST_CHARS = 80
_FEWEST_PAGES = 3
"""Pages of which some say a word and some do not."""


def seen_there(
    index: Index, value: Value, spec: FieldSpec, documents: Sequence[Document]
) -> str:
    """What of the page of an example may be the value, in words; "" for nothing."""
    if is_choice(spec):
        asked = " or ".join(spec.choices) or "yes or no"
        shown = ", ".join(_words(index.document, documents)[:_MOST_WORDS])
        return f"{spec.name} is {asked}, and there stand {shown}" * bool(shown)
    texts = sorted(_texts_with(index, value, spec), key=len)
    return "".join(map('it stands in "{}"'.format, map(_cut, texts[:1])))


def _texts_with(index: Index, value: Value, spec: FieldSpec) -> Iterator[str]:
    """The texts of the page that have a value, or an item of a list."""
    one = spec.model_copy(update={"shape": Shape.ONE})
    items = as_list(value)[: _MOST_ITEMS * (spec.kind is not FieldKind.OBJECT)]
    places = chain.from_iterable(map(partial(index.places, spec=one), items))
    return map(index.document.text, map(attrgetter("number"), places))


def _words(document: Document, documents: Sequence[Document]) -> list[str]:
    """The short texts of a page that some of the pages have and some have not, and that
    stand beside a text which all pages have, and this one once."""
    here = Counter(_texts(document))
    counts = Counter(chain.from_iterable(map(set, map(_texts, documents))))
    tells = partial(_may_tell, here, counts, len(documents))
    found = filter(tells, pairwise(_texts(document)))
    return list(starmap('"{1}" beside "{0}"'.format, map(_cut_both, found)))


def _may_tell(
    here: Mapping[str, int], counts: Mapping[str, int], of: int, pair: tuple[str, str]
) -> bool:
    """Whether the second of two texts, which `counts` of the pages have, may be a choice, and
    the first one its label."""
    label, word = pair
    comes_and_goes = 1 < counts[word] < of
    is_label = (here[label], counts[label]) == (1, of)
    return all((comes_and_goes, is_label, may_be_choice(word), of >= _FEWEST_PAGES))


def _cut_both(pair: tuple[str, str]) -> tuple[str, str]:
    """Two texts as they are shown."""
    return _cut(pair[0]), _cut(pair[1])


def _texts(document: Document) -> Iterator[str]:
    """The texts of a page, in order."""
    return filter(str.strip, map(attrgetter("text"), document.pieces))


def _cut(text: str) -> str:
    """The beginning of a text."""
    plain = " ".join(text.split())
    return plain if len(plain) <= _MOST_CHARS else f"{plain[: _MOST_CHARS - 1]}…"
