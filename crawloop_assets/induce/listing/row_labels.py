"""What stands behind the words of a row that say what it is: behind a label, in an element
that begins with one, as a number among words. Cells that a row lacks do not move it."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice, pairwise, starmap

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.css_names import escape
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.label_lines import words_around
from crawloop_assets.induce.locate.labels import label_form
from crawloop_assets.induce.locate.name_sentences import is_name, said_of_names
from crawloop_assets.induce.locate.stream import texts_in
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.value import Value

_MOST_ELEMENTS = 160
"""Elements of a record that are looked at."""
_MOST_PIECES = 120
"""Texts of a record that are looked through for labels."""
_LONGEST = 3000
"""Characters of a text that is looked at."""
_LONGEST_LABEL = 30


def row_elements(scope: Scope) -> list[int]:
    """The first elements of a record, in document order."""
    ends = scope.document.end
    inside = chain.from_iterable(range(node, ends[node]) for node in scope.nodes)
    return list(islice(inside, _MOST_ELEMENTS))


def labels_of(scope: Scope) -> Iterator[tuple[str, str]]:
    """Each text of a record that may be a label, by its letters, with the next one."""
    for label, text in pairwise(islice(texts_in(scope), _MOST_PIECES)):
        form = label_form(label, _LONGEST_LABEL)
        if form is not None:
            yield form, text


def own_labels(scope: Scope) -> Iterator[tuple[Reader, str]]:
    """Elements that begin with a label, as an item "Deadline: 4 March" of a list in which
    items may be missing, each with the text behind it."""
    document = scope.document
    for number in row_elements(scope):
        label, colon, text = document.text(number)[:_LONGEST].partition(":")
        if colon and label_form(label, _LONGEST_LABEL) is not None:
            after = (Step(op=Op.AFTER, args=(label + colon,)),)
            yield _among(document.tags[number], after), text.strip()


def numbers_among_words(scope: Scope, value: Value, spec: FieldSpec) -> list[Reader]:
    """The reader of a number by all the words of its element, as "60 days" of rows that
    may lack it: no other element of the tag has those. Of elements in each other that with
    the fewest words: an outer one says other things as well, which other rows do not."""
    found = [
        _among(tag, pipe)
        for tag, texts in _texts_by_tag(scope).items()
        for pipe in words_around(texts, value, spec)
    ]
    return sorted(found, key=_length)[:1]


def in_name_sentences(
    scope: Scope, others: Sequence[Value]
) -> Iterator[tuple[Reader, str]]:
    """What elements say in sentences about another value of their record, as "Blue Lamp costs
    12.50 €", each with the reader of that."""
    texts = (str(one) for one in others if isinstance(one, str))
    names = list(filter(is_name, texts))
    for tag, said in _texts_by_tag(scope).items():
        for found in said_of_names(said, names):
            yield _among(tag, found.pipe), found.said


def _texts_by_tag(scope: Scope) -> Mapping[str, Sequence[str]]:
    """The texts of the elements of a record by their tag."""
    by_tag = defaultdict(list)
    for number in row_elements(scope):
        by_tag[scope.document.tags[number]].append(
            scope.document.text(number)[:_LONGEST]
        )
    return by_tag


def _length(reader: Reader) -> int:
    """How many characters the steps of a reader are."""
    return sum(map(len, map(str, reader.pipe)))


def labelled_places(scope: Scope) -> Iterator[Reader]:
    """The readers of what stands behind each label of a record."""
    yield from dict.fromkeys(starmap(_behind, labels_of(scope)))
    yield from dict.fromkeys(reader for reader, _ in own_labels(scope))


def _behind(label: str, _: str) -> Reader:
    """The reader of the text behind a label."""
    return Reader(src=Source.LABEL, at=label, get="next", kin=Kin.LABEL)


def _among(tag: str, pipe: Pipe) -> Reader:
    """The reader of what stands among the words of the elements of a tag."""
    at = escape(tag)  # feeds have tags such as "itunes:title"
    return Reader(src=Source.CSS, at=at, get="text", kin=Kin.LABEL, pipe=pipe)
