"""What a person says of a page where no place is just that: it stands there in a longer
text, with another unit or in other words. The text is cut, converted or mapped as what
was said, and what is known of other pages, asks for."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, islice
from operator import attrgetter

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.crawler.transforms import Op, Step, apply
from crawloop_assets.document.document import Document
from crawloop_assets.induce.detail.recurrence import positions
from crawloop_assets.induce.detail.trials import KnownValue, pages_with_value
from crawloop_assets.induce.listing.text_pipes import text_pipes
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.choice_texts import may_be_choice
from crawloop_assets.induce.locate.label_lines import lines_behind_label, of_lines
from crawloop_assets.induce.locate.predicates import predicates
from crawloop_assets.induce.locate.scales import unit_steps
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_Pairs = Sequence[tuple[str, Value]]
"""What a place says on each page, and what was said of that."""
_Pipe = tuple[Step, ...]
_LONGEST = 400
"""Characters of a text in which something is looked for."""
_MOST_PLACES = 400
_MOST_PREDICATES = 2
_FEWEST_LETTERS = 4
"""Of the words that tell a line: a comma is in any."""
_AT_MARKS = {Op.AFTER, Op.BEFORE, Op.BETWEEN}
"""Cuts that leave nothing where their marks are not."""


def readers_of_texts(
    pages: Sequence[KnownValue],
    spec: FieldSpec,
    at: Sequence[Reader],
    old: Sequence[Reader],
) -> Iterator[CandidateReader]:
    """Readers that make of a text of each page what was said of it: at a place that was
    pointed `at`, where `old` readers of the field read, or in any short text. Words for a
    choice are only taken from the first two, and from the places where all pages say one
    of those that two or more of them were said to mean."""
    taught = pages_with_value(pages)
    pipes_of = _PIPES.get(spec.kind)
    if pipes_of is None or spec.shape is not Shape.ONE or not taught:
        return
    everywhere: Iterator[Reader] = islice(
        () if at else _places(taught[0].document), _MOST_PLACES
    )
    if pipes_of is _map_pipes:
        has_more_words = partial(_has_more_words, taught)
        telling = filter(partial(_tells_apart, pages), everywhere)
        everywhere = filterfalse(has_more_words, telling)
        old = list(filterfalse(has_more_words, old))
    for place in chain(at or old, everywhere):
        pairs = [(_text(place, page), page.value) for page in taught]
        for pipe in pipes_of(pairs, spec):
            reader = place.model_copy(update={"pipe": (*place.pipe, *pipe)})
            for one in (reader, *_by_its_line(pipe)):
                yield CandidateReader(one, tuned("scales.prior"), 0.0)


def unworded(found: Iterable[CandidateReader]) -> Iterator[CandidateReader]:
    """The candidates that read what was said as it stands, or in words at a place of the
    field's name: any yes or no of a page may be meant by any choice."""
    return filterfalse(_is_guessed_word, found)


def _is_guessed_word(candidate: CandidateReader) -> bool:
    """Whether words stand for a choice in a place that does not have the field's name."""
    is_worded = Op.MAP in map(attrgetter("op"), candidate.reader.pipe)
    return is_worded and not candidate.named


def _tells_apart(pages: Sequence[KnownValue], place: Reader) -> bool:
    """Whether a place says something else for each of several values that were said, and
    nothing else on any page."""
    taught = pages_with_value(pages)
    pairs = {(_text(place, page), str(page.value)) for page in taught}
    words = frozenset(text for text, _ in pairs)
    if not 1 < len(words) == len(pairs) or "" in words:
        return False
    return words.issuperset(_text(place, page) for page in pages)


def _has_more_words(taught: Sequence[KnownValue], place: Reader) -> bool:
    """Whether several pages say more texts in a place than values were said of them: the
    name of a thing, and all flags of it in one text, are learned by heart."""
    texts = {_text(place, page) for page in taught}
    return len(texts) > len(set(map(str, map(attrgetter("value"), taught))))


def _by_its_line(pipe: _Pipe) -> Iterator[Reader]:
    """The reader that cuts so the line that has the words at which it is cut, wherever
    that stands: lines that other pages lack do not move it."""
    marks = chain.from_iterable(map(attrgetter("args"), pipe))
    is_worded = len(letters("".join(map(str, marks)))) >= _FEWEST_LETTERS
    if is_worded and _is_at_marks(pipe):
        yield of_lines(pipe)


def _text(place: Reader, page: KnownValue) -> str:
    """The beginning of what a place says on a page; "" for nothing."""
    texts = apply(place.pipe, read_texts(place, Scope(page.document)))
    return next(iter(texts), "")[:_LONGEST]


def _places(document: Document) -> Iterator[Reader]:
    """The short texts of a page: of lines behind a label, and of elements."""
    yield from lines_behind_label(document)
    for number in range(len(document.elements)):
        if 0 < len(document.text(number)) <= _LONGEST:
            for predicate in predicates(document, number)[:_MOST_PREDICATES]:
                yield Reader(src=Source.CSS, at=predicate.css, kin=predicate.kin)
            for at in positions(document, number):
                yield Reader(src=Source.CSS, at=at)


def _unit_pipes(pairs: _Pairs, spec: FieldSpec) -> Iterator[_Pipe]:
    """The unit in which a text has the number that was said."""
    return zip(unit_steps(pairs, spec), strict=True)


def _cut_pipes(pairs: _Pairs, _spec: FieldSpec) -> Iterator[_Pipe]:
    """Cuts at what stands beside the texts that were said, in longer ones."""
    return filter(_is_at_marks, text_pipes(pairs))


def _is_at_marks(pipe: _Pipe) -> bool:
    """Whether all steps leave nothing where their marks are not."""
    return _AT_MARKS.issuperset(map(attrgetter("op"), pipe))


def _map_pipes(pairs: _Pairs, spec: FieldSpec) -> Iterator[_Pipe]:
    """The words that mean a choice as was said; none of words that mean another one."""
    words = {
        text: str(value)
        for text, value in pairs
        if may_be_choice(text) and parse_value(text, spec) is None
    }
    if words:
        yield tuple(Step(op=Op.MAP, args=pair) for pair in words.items())


_PIPES: dict[FieldKind, Callable[[_Pairs, FieldSpec], Iterator[_Pipe]]] = {
    FieldKind.NUMBER: _unit_pipes,
    FieldKind.INTEGER: _unit_pipes,
    FieldKind.TEXT: _cut_pipes,
    FieldKind.CHOICE: _map_pipes,
    FieldKind.BOOLEAN: _map_pipes,
}
