"""Patterns for values with digits, such as docket numbers, by the kinds of their
tokens."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, starmap

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.fit import has_digit
from crawloop_assets.induce.locate.shapes import text_kind

_LONGEST_VALUE = 60
_LONGEST_PATTERN = 190
_MOST_REPEATS = 12
"""What a regex step of a program may have of `*` and `+`."""
_LETTER = r"[^\W\d_]"
"""A letter of any script."""
_ANY_NUMBERED = rf"{_LETTER}{{0,6}}[ \-]?\d[\w\-:/]+"
_TOKEN = re.compile(rf"\d+|{_LETTER}+|\s+|[^\w\s]|\w")
_CLASSES = {"0": r"\d+", " ": r"\s", "a": f"{_LETTER}+"}
"""Patterns of kinds of tokens."""


def token_patterns(values: Sequence[str]) -> list[str]:
    """Patterns for values with digits, the tightest first: tokens all values share stay
    literal, the others become their class."""
    if not all(map(has_digit, values)):
        return []
    if max(map(len, values)) > _LONGEST_VALUE:
        return []
    groups = _by_kinds(values)
    found = [
        _either(map(_literal_pattern, groups)),
        _either(map(_loose_pattern, groups)),
        _either(map(_counted_pattern, groups)),
    ]
    allowed = filter(_may_be_step, map(_grouped, filter(_is_allowed, found)))
    return list(dict.fromkeys([*allowed, _ANY_NUMBERED]))


def _grouped(pattern: str) -> str:
    """A pattern as it is written in a step: alternatives as one group."""
    return f"(?:{pattern})" if "|" in pattern else pattern


def _by_kinds(values: Sequence[str]) -> list[list[list[str]]]:
    """The tokens of the values; those whose tokens are of the same kinds together."""
    groups: defaultdict[tuple[str, ...], list[list[str]]] = defaultdict(list)
    for value in values:
        tokens = _merged(_TOKEN.findall(value))
        groups[tuple(map(text_kind, tokens))].append(tokens)
    return list(groups.values())


def _merged(tokens: Iterable[str]) -> list[str]:
    """Tokens with neighbours of one kind as one: "5²" is two numbers to nobody, and no
    pattern may have two repeats of one class side by side."""
    return ["".join(alike) for _, alike in groupby(tokens, text_kind)]


def _columns(group: Sequence[Sequence[str]]) -> Iterator[tuple[str, set[str]]]:
    """The kind of each token, and the tokens that values of a group have there."""
    for tokens in zip(*group, strict=True):
        yield text_kind(tokens[0]), set(tokens)


def _class(kind: str) -> str:
    """The pattern of one kind of token; what is no kind is taken as it stands."""
    return _CLASSES.get(kind, re.escape(kind))


def _loose_pattern(group: Sequence[Sequence[str]]) -> str:
    """The pattern of a group of tokenized values that lets each kind have any
    length."""
    return "".join(_class(kind) for kind, _ in _columns(group))


def _literal_pattern(group: Sequence[Sequence[str]]) -> str:
    """Words that all values share as they are; of one value nobody knows them."""
    return _spelled(group, _shared_word)


def _counted_pattern(group: Sequence[Sequence[str]]) -> str:
    """Numbers by their digits, where those are as many in all values."""
    return _spelled(group, _counted_digits)


def _spelled(
    group: Sequence[Sequence[str]], spell: Callable[[str, set[str]], str]
) -> str:
    """A pattern that says of each column what `spell` sees in its kind and tokens; with
    one value only there is nothing to compare, and its kinds are all it says."""
    if len(group) == 1:
        return _loose_pattern(group)
    return "".join(starmap(spell, _columns(group)))


def _shared_word(kind: str, tokens: set[str]) -> str:
    """A word that stands in all values; the class of anything else."""
    is_shared = kind == "a" and len(tokens) == 1
    return next(iter(tokens)) if is_shared else _class(kind)


def _counted_digits(kind: str, tokens: set[str]) -> str:
    """So many digits, where numbers are equally long; the class of anything else."""
    sizes = set(map(len, tokens))
    is_even = kind == "0" and len(sizes) == 1
    return rf"\d{{{sizes.pop()}}}" if is_even else _class(kind)


def _either(patterns: Iterable[str]) -> str:
    """One pattern for all; the longest first: "12-34-cv" must not match as "12-34"."""
    distinct = sorted(set(patterns), key=lambda pattern: (-len(pattern), pattern))
    return "|".join(distinct)


def _is_allowed(pattern: str) -> bool:
    """True if a pattern is short and simple enough to be run on any text."""
    repeats = pattern.count("*") + pattern.count("+")
    return len(pattern) <= _LONGEST_PATTERN and repeats <= _MOST_REPEATS


def _may_be_step(pattern: str) -> bool:
    """Whether a program takes a pattern: whatever values look like, one that it refuses
    is left out, and no compile ends with it."""
    try:
        return bool(Step(op=Op.REGEX, args=(pattern,)))
    except ValueError:
        return False
