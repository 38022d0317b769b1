"""Choices in other words: which text stands for which choice is told by pages or rows of
which the choice is known.

A place speaks of a choice if it has one text for each known choice and another one for
every other.
"""

from collections import Counter
from collections.abc import Iterable

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.fit import Pipe, has_digit
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import compared_form

_FEW_VALUES = (FieldKind.CHOICE, FieldKind.BOOLEAN)
_LONGEST = 40  # characters of a text that stands for a choice
_MOST_TEXTS = 8


def is_choice(spec: FieldSpec) -> bool:
    """Whether a field is one of some choices, or a yes or no."""
    return spec.kind in _FEW_VALUES and spec.shape is Shape.ONE


def may_be_choice(text: str) -> bool:
    """Whether a text is short and no number, though it may have one: "after 90 days"."""
    if not 0 < len(text) <= _LONGEST:
        return False
    return not has_digit(text) or _has_words(text)


def _has_words(text: str) -> bool:
    """Whether a text of several words has far more letters than digits."""
    counts = Counter(map(str.isalpha, filter(str.isalnum, text)))
    return " " in text.strip() and counts[True] > 2 * counts[False]


def choice_steps(said: Iterable[tuple[list[str], object]], fewest: float) -> Pipe:
    """What makes the first of the texts of a place the choice that is known with them;
    nothing where a text is no choice, one stands for two or two for one, or there are
    not the `fewest` different choices."""
    texts: dict[str, str] = {}
    meant: dict[str, str] = {}
    for read, known in said:
        text, choice = next(iter(read), ""), str(known)
        form = compared_form(text) if may_be_choice(text) else ""
        if not form or meant.setdefault(form, choice) != choice:
            return ()
        if compared_form(texts.setdefault(choice, text)) != form:
            return ()
    if not fewest <= len(texts) <= _MOST_TEXTS:
        return ()
    return tuple(Step(op=Op.MAP, args=(text, choice)) for choice, text in texts.items())
