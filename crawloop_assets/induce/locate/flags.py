"""A yes or a no behind its label in a longer text: "Night shift · Remote: no"."""

import re
from collections.abc import Iterator

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.schema import FieldSpec
from crawloop_assets.values.truths import is_said
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
