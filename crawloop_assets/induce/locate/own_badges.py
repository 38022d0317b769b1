"""Flags that pages or rows say by a badge in the field's own name ("Deprecated") where it is
so, and by nothing where it is not.

Known ones of one kind are enough, where a person looks at what is read: the badge stands on
some of all pages or rows and is missing on others, as no menu or label does.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain, filterfalse
from operator import itemgetter

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.induce.locate.lone_column import as_guess
from crawloop_assets.induce.locate.stream import texts_in
from crawloop_assets.induce.words.anchors import Words, words_of
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.text import tokens
from crawloop_assets.values.value import Value

_FEWEST_EACH = 2
"""Pages or rows that have the badge, and that lack it."""
_MOST_WORDS = 2
"""Words that a badge may have beside those of the field."""
_LONGEST_BADGE = 4
_FEWEST_LETTERS = 4
"""Words and letters of a badge in other words."""
_GETS = ("text", "span")
"""What of an element, and of a row, which may be several, is all of its text."""
_Known = Sequence[tuple[Scope, Value]]


def own_badge(
    spec: FieldSpec, known: _Known, others: Sequence[Scope], at: str
) -> list[Reader]:
    """The reader of a flag by its badge in the element `at` of each page or row; as a list,
    empty where there is none."""
    flags = list(map(itemgetter(1), known))
    said = list(map(_texts, chain(map(itemgetter(0), known), others)))
    names = dict.fromkeys(chain.from_iterable(said)) if _is_flag(spec) else {}
    own = filter(partial(_is_own, words_of(spec)), names)
    found = sorted(filter(partial(_tells, flags, said), own), key=len)
    return [as_guess(_reader(at, name)) for name in found[-1:]]


def lone_badge(
    spec: FieldSpec, known: _Known, others: Sequence[Scope], claimed: Sequence[str]
) -> list[Reader]:
    """The reader of a flag by the one badge of the rows that are known to be so which no
    other field is known to say (`claimed`); as a list, empty where two differ elsewhere."""
    flags = list(map(itemgetter(1), known))
    if not _is_flag(spec) or flags.count(False) < _FEWEST_EACH or True not in flags:
        return []
    said = list(map(_texts, chain(map(itemgetter(0), known), others)))
    is_claimed = partial(_is_claimed, list(map(_words, claimed)))
    free = filterfalse(is_claimed, said[flags.index(True)])
    badges = list(filter(partial(_tells, flags, said), filter(_may_be_badge, free)))
    places = {tuple(map(itemgetter(name), said)) for name in badges}
    named = sorted(badges, key=len)[-1:] if len(places) == 1 else []
    return [as_guess(_reader(".", name)) for name in named]


def _is_flag(spec: FieldSpec) -> bool:
    """Whether a field is one flag that does not change every day."""
    seen = (spec.kind, spec.shape, spec.volatile)
    return seen == (FieldKind.BOOLEAN, Shape.ONE, False)


def _may_be_badge(text: str) -> bool:
    """Whether a text is some words without a number."""
    said = tokens(text)
    is_short = 0 < len(said) <= _LONGEST_BADGE
    return is_short and len(text) >= _FEWEST_LETTERS and not any(map(str.isdigit, text))


def _words(text: str) -> str:
    """The words of a text, between blanks."""
    return f" {' '.join(tokens(text))} "


def _is_claimed(claimed: Sequence[str], text: str) -> bool:
    """Whether a text has the words of one of some values in it, or is a part of one."""
    words = _words(text)
    return any(one in words or words in one for one in claimed if one.strip())


def _texts(scope: Scope) -> Counter[str]:
    """How often each text stands in a page or row."""
    return Counter(map(str.casefold, map(str.strip, texts_in(scope))))


def _is_own(words: Words, text: str) -> bool:
    """Whether a text is the name of a field, and little more."""
    said = tokens(text)
    is_short = len(said) <= len(words.own) + _MOST_WORDS
    return is_short and words.share(said) == 1.0


def _tells(flags: Sequence[Value], said: Sequence[Counter[str]], name: str) -> bool:
    """Whether a badge stands once where the flag is known to be so and nowhere where it is
    not, and both again and again."""
    counts = list(map(itemgetter(name), said))
    has = Counter(counts)
    is_known_so = list(map(bool, counts[: len(flags)])) == list(flags)
    return is_known_so and set(has) == {0, 1} and min(has.values()) >= _FEWEST_EACH


def _reader(at: str, name: str) -> Reader:
    """What says whether a text stands in an element."""
    step = Step(op=Op.HAS, args=(name, 1))
    return Reader(
        src=Source.CSS, at=at, get=_GETS[at == "."], kin=Kin.TAG, pipe=(step,)
    )
