"""What stands behind a label in its own line: "Status: sold" between line breaks, or as an
item of a list; or a number among the words of its line: "Since 1968". No element holds it
alone, so the line has to be cut. What a page has read aloud in the place of a sign is such a line:
`aria-label="Parking: yes"`. A sentence that says the name of what the page is about is one of its own, too."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter, itemgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import to_value
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.induce.locate.name_sentences import names_in, said_of_names
from crawloop_assets.induce.locate.place import READ_ALOUD
from crawloop_assets.induce.locate.scales import may_change_unit, steps_to_unit
from crawloop_assets.induce.trust import tuned
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.equality import same
from crawloop_assets.values.measures import ONE
from crawloop_assets.values.numbers import NUMERAL_MARKS
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.text import tokens
from crawloop_assets.values.value import Value

_ROOT = "body"
_BEHIND = r":\s+"
"""What is between a label and what stands behind it, in a pattern."""
_LABELLED = re.compile(r"([^\W\d_][^:\n]{1,40}):\s+(.{1,160})")
_NUMBERED = re.compile(
    rf"([^\d\n]{{0,40}})(\d(?:[\d{NUMERAL_MARKS}]{{0,20}}\d)?)([^\d\n]{{0,40}})"
)
_NUMBER = rf"(\d(?:[\d{NUMERAL_MARKS}]*\d)?)"
_MOST_LINES = 600


def lines_saying(document: Document, value: Value, spec: FieldSpec) -> Iterator[Reader]:
    """Readers of a value by the words of the line that says it."""
    yield from number_among_words(document, value, spec)
    yield from behind_label(document, value, spec)


def lines_behind_label(document: Document) -> Iterator[Reader]:
    """Readers of what stands behind each label that begins one line of a page, or one text
    that is read aloud, and of what a line says of the page's name."""
    return map(itemgetter(0), _labelled(document))


def behind_label(document: Document, value: Value, spec: FieldSpec) -> Iterator[Reader]:
    """Those of a value; of a number also in the unit that it stands with, in which other
    pages may say it in parts: "34 min", "1 h 5 min"."""
    for behind, said in _labelled(document):
        if same(to_value([said], spec, document.base_url), value, spec):
            yield behind
        for step in _to_its_unit(said, value, spec):
            yield behind.model_copy(update={"pipe": (*behind.pipe, step)})


def is_behind_own_name(reader: Reader, spec: FieldSpec) -> bool:
    """Whether a reader reads what stands behind a label with the words of the field."""
    said = chain.from_iterable(map(attrgetter("args"), reader.pipe))
    label, behind, _ = " ".join(map(str, said)).partition(_BEHIND)
    share = words_of(spec).share(tokens(label * bool(behind)))
    return share >= tuned("candidates.named")


def _labelled(document: Document) -> Iterator[tuple[Reader, str]]:
    """The reader of what stands behind each label that begins one line of a page, or one
    text that is read aloud, with that; and of what a line says of the page's name."""
    lines = _lines(document)
    yield from _behind_labels(lines, of_lines)
    for pipe, said in said_of_names(lines, names_in(document)):
        yield of_lines(pipe), said
    for name in READ_ALOUD:
        texts = (element.get(name) for element in document.elements)
        yield from _behind_labels(filter(None, texts), partial(_read_aloud, name))


def _behind_labels(
    texts: Iterable[str], reader_of: Callable[[Pipe], Reader]
) -> Iterator[tuple[Reader, str]]:
    """Those of the labels that begin one of some texts."""
    matches = list(filter(None, map(_LABELLED.fullmatch, texts)))
    labels = Counter(map(itemgetter(1), matches))
    for label, said in map(re.Match.groups, matches):
        if labels[label] == 1:
            yield reader_of(_cut(f"^{re.escape(label)}{_BEHIND}(.+)$")), said


def _read_aloud(name: str, pipe: Pipe) -> Reader:
    """A reader of what transforms leave of all attributes of a name."""
    at, get = f"[{name}]", f"@{name}"
    return Reader(src=Source.CSS, at=at, get=get, pipe=pipe, kin=Kin.LABEL)


def _to_its_unit(said: str, value: Value, spec: FieldSpec) -> Iterator[Step]:
    """What reads a number in the unit of measure that it stands with; nothing where it has
    none."""
    is_measured = may_change_unit(spec)
    steps = steps_to_unit(said, value, spec.decimal) if is_measured else ()
    return filterfalse(_counts_things, steps)


def _counts_things(step: Step) -> bool:
    """Whether a step reads a number of things, which a plain one reads as well."""
    return ONE in step.args


def number_among_words(
    document: Document, value: Value, spec: FieldSpec
) -> Iterator[Reader]:
    """Readers of a number by all the words of its line, where no other line of the page
    has those: lines that a page lacks, or has more, do not move them."""
    return map(of_lines, words_around(_lines(document), value, spec))


def words_around(texts: Sequence[str], value: Value, spec: FieldSpec) -> Iterator[Pipe]:
    """What cuts a number out of the one of some texts that says it, by all its other words
    if it has any and none of the others has those."""
    matches = list(filter(None, map(_NUMBERED.fullmatch, texts)))
    among = Counter(match.group(1, 3) for match in matches)
    for before, number, after in map(re.Match.groups, matches):
        is_said = any(map(str.isalpha, before + after)) and among[before, after] == 1
        if is_said and same(parse_value(number, spec), value, spec):
            pattern = rf"^{re.escape(before)}{_NUMBER}{re.escape(after)}$"
            yield _cut(pattern)


def whole_lines(texts: Sequence[str]) -> Reader:
    """The reader of the lines that are one of some texts."""
    return of_lines(_cut(rf"^(?:{'|'.join(map(re.escape, texts))})$"))


def _lines(document: Document) -> list[str]:
    """The first lines of a page."""
    roots = document.by_tag.get(_ROOT, [])[:1]
    return [line for root in roots for line in document.lines(root)[:_MOST_LINES]]


def of_lines(pipe: Pipe) -> Reader:
    """A reader of what transforms leave of the lines of a page."""
    return Reader(src=Source.CSS, at=_ROOT, get="lines", pipe=pipe, kin=Kin.LABEL)


def _cut(pattern: str) -> Pipe:
    """What leaves of a text what a pattern does."""
    return (Step(op=Op.REGEX, args=(pattern,)),)
