"""Choices in other words: which text stands for which choice is told by pages or rows of
which the choice is known.

A place speaks of a choice if it has one text for each known choice and another one for
every other.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import starmap
from operator import itemgetter

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.fit import Pipe, has_digit
from crawloop_assets.induce.trust import tuned
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import compared_form

_FEW_VALUES = (FieldKind.CHOICE, FieldKind.BOOLEAN)
_LONGEST = 40  # characters of a text that stands for a choice
_LONGEST_CODE = 2  # digits
_MOST_TEXTS = 8
_AS_NUMBER = {"True": "1", "False": "0"}
_TEXT, _CHOICE = map(itemgetter, (0, 1))


def is_choice(spec: FieldSpec) -> bool:
    """Whether a field is one of some choices, or a yes or no."""
    return spec.kind in _FEW_VALUES and spec.shape is Shape.ONE


def may_be_choice(text: str) -> bool:
    """Whether a text is short and no number, though it may have one: "after 90 days"."""
    if not 0 < len(text) <= _LONGEST:
        return False
    return not has_digit(text) or _has_words(text)


def is_code(text: str) -> bool:
    """Whether a text is a small number, as an API may say for a choice: "status": 2."""
    return text.isdecimal() and len(text) <= _LONGEST_CODE


def _has_words(text: str) -> bool:
    """Whether a text of several words has far more letters than digits."""
    counts = Counter(map(str.isalpha, filter(str.isalnum, text)))
    return " " in text.strip() and counts[True] > 2 * counts[False]


def may_have_changed(spec: FieldSpec) -> float:
    """The share of known choices of a field that may be others by now."""
    return tuned("choices.changed") * spec.volatile


def choice_steps(
    said: Iterable[tuple[list[str], object]],
    fewest: float,
    changed: float = 0.0,
    *,
    may_be_code: bool = False,
) -> Pipe:
    """What makes the first of the texts of a place the choice that is known with them;
    nothing where a text is no choice, one stands for two or two for one, or there are
    not the `fewest` different choices. Of a field that may change every day this share
    may have `changed` since; then words that two say are meant. A key of JSON `may_be_code`:
    of small numbers, which other keys say as well, two pages have to say each."""
    pairs = [(next(iter(texts), ""), str(choice)) for texts, choice in said]
    are_codes = may_be_code and all(map(is_code, map(_TEXT, pairs)))
    forms = [_form(text, are_codes=are_codes) for text, _ in pairs]
    counts = Counter(zip(forms, map(_CHOICE, pairs), strict=True))
    meant = _most_said(counts)
    if are_codes or sum(map(counts.__getitem__, meant.items())) < len(pairs):
        meant = {form: one for form, one in meant.items() if counts[form, one] > 1}
    agreed = sum(map(counts.__getitem__, meant.items()))
    is_most = agreed >= (1 - changed) * len(pairs)
    if not (is_most and fewest <= len(meant) <= _MOST_TEXTS):
        return ()
    texts = dict(zip(reversed(forms), map(_TEXT, reversed(pairs)), strict=True))
    mapped = zip(map(texts.__getitem__, meant), _unlike(meant), strict=True)
    return tuple(starmap(_step, mapped))


def _unlike(meant: Mapping[str, str]) -> list[str]:
    """The choices that texts stand for; a flag that stands for the other one as a number, as
    the step for that would make it what it was."""
    said = list(meant.values())
    if meant.keys().isdisjoint(map(compared_form, said)):
        return said
    written = dict(zip(said, said, strict=True)) | _AS_NUMBER
    return list(map(written.__getitem__, said))


def _form(text: str, *, are_codes: bool) -> str:
    """A text as it is compared with others; "" for one that stands for no choice."""
    return compared_form(text) * (are_codes or may_be_choice(text))


def _step(text: str, choice: str) -> Step:
    """What makes a text a choice."""
    return Step(op=Op.MAP, args=(text, choice))


def _most_said(counts: Counter[tuple[str, str]]) -> dict[str, str]:
    """The choice that each text stands for, one for one, those first that are said most
    often; in the order in which they were said."""
    meant = {"": ""}  # what is no choice stands for none
    for (form, choice), _ in counts.most_common():
        if form not in meant and choice not in meant.values():
            meant[form] = choice
    return {form: one for form, one in counts if meant.get(form) == one}
