"""Words that many rows of a list have beside a field since, and none had before.

"321A24" is "321A24 - Published" now, and no known row is left to say so. Where all texts
are written as the known ones were once words are cut off that other rows have as well,
those words are no part of them. (`drift/added_signs.py` holds such rows.)
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from crawloop_assets.crawler.program import FieldProgram, Reader
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.induce.locate.shapes import shape_of
from crawloop_assets.induce.words.anchors import words_of
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.present import present
from crawloop_assets.values.text import tokens

_FEWEST = 5
"""What fewer texts share may be chance."""
_MOST_WORDS = 3
"""So many words may be before a text, or behind it."""
_MOST_KINDS = 3
_MARKS = " -–—|:;,.·•()[]"
"""What may stand between a text and what was added."""


def without_added(
    schema: RecordSchema,
    field: FieldProgram,
    texts: Sequence[str],
    known: Sequence[str],
) -> FieldProgram | None:
    """The field by the same readers without words beside its `texts` that are of a few
    kinds, and with which all are written as some of the `known` ones; None if there are
    no such words. Letters alone are all written alike, so they tell nothing."""
    shapes = frozenset(map(shape_of, filter(has_digit, known)))
    longer = [text for text in texts if shape_of(text) not in shapes]
    every = list(map(dict.fromkeys, map(_additions, longer)))
    shared = Counter(chain.from_iterable(every))
    is_added = partial(_is_added, schema, field.spec.name, shared, shapes)
    pairs = zip(longer, every, strict=True)
    found = [
        next(filter(partial(is_added, text), steps), None) for text, steps in pairs
    ]
    kinds = sorted(set(present(found)), key=str)
    is_found = None not in found and len(longer) >= _FEWEST
    if not is_found or len(kinds) > _MOST_KINDS:
        return None
    readers = map(partial(_without, tuple(kinds)), field.readers)
    return field.model_copy(update={"readers": tuple(readers)})


def _is_added(
    schema: RecordSchema,
    name: str,
    shared: Counter[Step],
    shapes: frozenset[str],
    text: str,
    step: Step,
) -> bool:
    """Whether the words that a step cuts off a text are those of other texts, too, leave
    what is written as known ones, and are no label of another field."""
    is_alike = shape_of(*step([text])) in shapes
    is_label = step.op is Op.STRIP_PREFIX and _is_label(schema, name, str(*step.args))
    return shared[step] > 1 and is_alike and not is_label


def _is_label(schema: RecordSchema, name: str, words: str) -> bool:
    """Whether words name another field more than this one."""
    shares = {spec.name: words_of(spec).share(tokens(words)) for spec in schema.fields}
    return max(shares.values()) > shares[name]


def _without(steps: Sequence[Step], reader: Reader) -> Reader:
    """A reader that cuts words off its texts."""
    return reader.model_copy(update={"pipe": (*reader.pipe, *steps)})


def _additions(text: str) -> Iterator[Step]:
    """What may have been added to a text: its last or its first words, few first."""
    words = text.split()
    for count in range(1, min(_MOST_WORDS, len(words) - 1) + 1):
        rest = " ".join(words[:-count]).rstrip(_MARKS)
        yield Step(op=Op.STRIP_SUFFIX, args=(text[len(rest) :],))
        rest = " ".join(words[count:]).lstrip(_MARKS)
        yield Step(op=Op.STRIP_PREFIX, args=(text[: len(text) - len(rest)],))
