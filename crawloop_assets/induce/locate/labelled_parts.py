"""The parts of a text that have labels of their own: "Year: 2018" of "Fuel: gas · Year: 2018".

Which part it is, by its number, changes from page to page with what a page leaves out; its label stays.
"""

import re
from collections.abc import Iterator

from crawloop_assets.crawler.transforms import Op, Step

_BETWEEN = ("·", "|", "•", " / ", " – ", " — ", " - ", ";")
_LABEL = re.compile(r"\s*+([^\W\d_][^:\d]{1,30}[:：])\s*+(?=\S)")
_LONGEST = 400
"""Characters of a text whose parts are looked at."""
_FEWEST, _MOST = 2, 16
"""Parts that a text of such has."""


def labelled_parts(text: str) -> Iterator[tuple[tuple[Step, ...], str]]:
    """What stands behind each label, with the cuts that leave it; nothing of a text that has
    a label twice, or of which most parts have none."""
    for sign in filter(text[:_LONGEST].__contains__, _BETWEEN):
        parts = list(filter(str.strip, text.split(sign)))
        labels = list(filter(None, map(_LABEL.match, parts)))
        if _FEWEST <= len(labels) <= _MOST and 2 * len(labels) > len(parts):
            for label in labels:
                yield from _part(text, sign, label)
            return


def has_labels(text: str) -> bool:
    """Whether a text is made of parts with labels."""
    return len(text) <= _LONGEST and any(True for _ in labelled_parts(text))


def _part(
    text: str, sign: str, label: re.Match[str]
) -> Iterator[tuple[tuple[Step, ...], str]]:
    if text.count(label[1]) == 1:
        cuts = Step(op=Op.AFTER, args=(label[1],)), Step(op=Op.PART, args=(sign, 0))
        yield cuts, label.string[label.end() :].strip()


def label_cut_off(pipe: tuple[Step, ...]) -> str:
    """The label that a pipe begins with, "" if it begins otherwise."""
    labels = (str(step.args[0]) for step in pipe[:1] if step.op is Op.AFTER)
    return next(labels, "")
