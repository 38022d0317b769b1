"""Flags that pages or rows say by a badge in the field's own name ("Deprecated") where it is
so, and by nothing where it is not.

Known ones of one kind are enough, where a person looks at what is read: the badge stands on
some of all pages or rows and is missing on others, as no menu or label does.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import chain
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
_GETS = ("text", "span")
"""What of an element, and of a row, which may be several, is all of its text."""
_Known = Sequence[tuple[Scope, Value]]


def own_badge(
    spec: FieldSpec, known: _Known, others: Sequence[Scope], at: str
) -> list[Reader]:
    """The reader of a flag by its badge in the element `at` of each page or row; as a list,
    empty where there is none."""
    is_flag = (spec.kind, spec.shape, spec.volatile) == (
        FieldKind.BOOLEAN,
        Shape.ONE,
        False,
    )
    flags = list(map(itemgetter(1), known))
    said = list(map(_texts, chain(map(itemgetter(0), known), others)))
    names = dict.fromkeys(chain.from_iterable(said)) if is_flag else {}
    own = filter(partial(_is_own, words_of(spec)), names)
    found = sorted(filter(partial(_tells, flags, said), own), key=len)
    return [as_guess(_reader(at, name)) for name in found[-1:]]


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
