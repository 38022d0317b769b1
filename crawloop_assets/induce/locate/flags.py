"""A yes or a no: behind its label in a longer text ("Night shift · Remote: no"), and a key
that says one wherever it is, and counts nothing."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from crawloop_assets.crawler.program import Reader, Source
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.truths import is_said, truth_of
from crawloop_assets.values.value import Value

_LONGEST = 1_000
"""Characters of a text that is looked through."""
_LABELLED = re.compile(r"([^\s:·|•,;/()][^:·|•,;/()]{0,40}:\s{0,3})(\S{1,12})")
_FIRST_WORD = Step(op=Op.PART, args=(" ", 0))


def flag_proposals(
    text: str, value: Value, _spec: FieldSpec
) -> Iterator[tuple[Step, ...]]:
    """The word behind each label of a text that says the value."""
    if isinstance(value, bool):
        for label in behind_labels(text, value):
            yield (Step(op=Op.AFTER, args=(label,)), _FIRST_WORD)


def behind_labels(text: str, truth: bool) -> Iterator[str]:
    """The labels of a text behind which it says yes or no, with their colons."""
    for label, word in _LABELLED.findall(text[:_LONGEST]):
        if is_said(word, truth):
            yield label


def counts_somewhere(reader: Reader, spec: FieldSpec, places: Sequence[Scope]) -> bool:
    """Whether what is read as a flag is a key of JSON that says something else in another
    of these places: one that is left of a size is no yes."""
    if (
        spec.kind is not FieldKind.BOOLEAN
        or reader.src is not Source.JSON
        or reader.pipe
    ):
        return False
    said = chain.from_iterable(map(partial(read_texts, reader), places))
    return any(truth_of(text) is None for text in said)
