"""What a site says in the place of a field where a record has none of it: "closed all day" for
no hours, "free up to 18 years" for no fee.

Known records without the field tell it, in whatever language: two of them that say the same,
or one whose text says so by itself ("–"), or begins as those do ("none at the moment").
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, filterfalse, islice

from crawloop_assets.crawler.program import Reader
from crawloop_assets.crawler.read import Scope, read_texts
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.values.absence import may_be_absence

_FEWEST = 2
"""Records without a field that say the same."""
_MOST_WORDS = 3
_LONGEST = 60  # characters


def without_none(
    reader: Reader, empty: Iterable[Scope], filled: Sequence[Scope]
) -> Iterator[Reader]:
    """The reader without what says of `empty` records that they have no value, if all that they
    say does: else they may lack what stands there. What `filled` ones say is a value."""
    first = partial(_first, reader)
    said = Counter(chain.from_iterable(map(first, empty)))
    is_value = set(chain.from_iterable(map(first, filled))).__contains__
    found = filterfalse(is_value, filter(partial(_says_none, said), said))
    steps = tuple(map(_dropped, islice(found, _MOST_WORDS)))
    less = reader.model_copy(update={"pipe": (*steps, *reader.pipe)})
    yield from (less,) * (0 < len(steps) == len(said))


def _dropped(text: str) -> Step:
    """What leaves a text out."""
    return Step(op=Op.DROP, args=(text,))


def _first(reader: Reader, scope: Scope) -> list[str]:
    """The first text of a place, as a list; none for a long one, which is about more than one
    thing."""
    texts = read_texts(reader, scope)[:1]
    return texts * (len("".join(texts)) <= _LONGEST)


def _says_none(said: Counter[str], text: str) -> bool:
    """Whether a text says that there is no value."""
    return said[text] >= _FEWEST or may_be_absence(text)
