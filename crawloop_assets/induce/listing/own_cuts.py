"""Cuts that lean on nothing but the field's own text: what stands beside a value may be the
value of another field, and is another one in other rows."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import chain, filterfalse
from operator import attrgetter

from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.listing.locations import KnownCell
from crawloop_assets.induce.locate.fit import Pipe
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import texts_among

_CUTS = (Op.AFTER, Op.BEFORE, Op.BETWEEN, Op.PART, Op.REGEX)
_FEWEST_LETTERS = 3
"""Fewer are in other words by chance."""


def on_own_text(pipes: Sequence[Pipe], samples: Iterable[KnownCell]) -> list[Pipe]:
    """Pipes that cut at no text of another field of the known records, if there are any;
    else all."""
    beside = list(map(texts_among, map(attrgetter("beside"), samples)))
    texts = dict.fromkeys(map(str.casefold, chain.from_iterable(beside)))
    words = list(map(tokens, filter(_is_telling, texts)))
    leans = partial(_leans, list(map(tuple, words)))
    return list(filterfalse(leans, pipes)) or list(pipes)


def _is_telling(text: str) -> bool:
    """Whether a text stands nowhere by chance."""
    return text.replace(" ", "").isalpha() and len(letters(text)) >= _FEWEST_LETTERS


def _leans(texts: Sequence[tuple[str, ...]], pipe: Pipe) -> bool:
    """Whether a pipe cuts at one of some texts, by their words."""
    cuts = filter(_is_cut, pipe)
    marks = map(str, chain.from_iterable(map(attrgetter("args"), cuts)))
    said = [tuple(tokens(one.replace("\\", ""))) for one in marks]
    return any(map(partial(_has_one, texts), said))


def _has_one(texts: Iterable[tuple[str, ...]], words: tuple[str, ...]) -> bool:
    """Whether some words have those of a text in them, one behind the other."""
    said = f" {' '.join(words)} "
    return any(f" {' '.join(one)} " in said for one in texts)


def _is_cut(step: Step) -> bool:
    """Whether a step cuts a text at others."""
    return step.op in _CUTS
