"""The sample a regeneration works on: pages with what is known of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, filterfalse

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.page import Page
from crawloop_assets.values.value import Value

MAKING = 5
PROVING = 5
_FEWEST_MAKING = 3
_FEWEST_HIDDEN = 2  # pages of the proof that the maker has not seen
_MOST_OF_FEW = 3
_WITHOUT = "without "
_SHOWN = 2  # pages on which the maker sees a field: one value may have changed since


@dataclass(frozen=True)
class HealSample:
    """Pages, and examples that name them by position; `by_model` are the fields for
    which only a model vouches, `strangers` the urls of which nothing was ever
    published; what `whole` records lack, they are known not to have. `earlier` is what is
    known of the pages as they were before, where people have said more of them as they
    are now."""

    pages: tuple[Page, ...]
    known: tuple[Example, ...]
    by_model: frozenset[str] = frozenset()
    strangers: frozenset[str] = frozenset()
    whole: bool = False
    earlier: tuple[Example, ...] | None = None

    def split(self) -> tuple["HealSample", "HealSample"]:
        """(pages to make a candidate from, pages to prove it on).

        The second holds all pages; with more than three, its tail was never shown to
        the maker.
        """
        cut = len(self.pages)
        if cut > _FEWEST_MAKING:
            cut = max(_FEWEST_MAKING, min(MAKING, cut - _FEWEST_HIDDEN))
        return self.first(cut), self

    def first(self, count: int) -> "HealSample":
        """The first so many of its pages."""
        known = tuple(example for example in self.known if example.page < count)
        return HealSample(
            self.pages[:count], known, self.by_model, self.strangers, self.whole
        )


def sample_of(
    pages: Sequence[Page], known: Mapping[str, Sequence[Mapping[str, Value]]]
) -> HealSample:
    """At most MAKING + PROVING pages, those with known records first, spread evenly
    over what there is.

    Fields that only some records have (a former price) are shown to the maker and in
    the proof if any page shows them, and so is a page without them: what stands there
    instead is no value.
    """
    with_known, without = [], []
    for page in sorted(pages, key=lambda page: page.url):
        if known.get(page.url):
            with_known.append(page)
        else:
            without.append(page)
    total = MAKING + PROVING
    left = _spread(with_known, total)
    left += [page for page in with_known if page not in left]
    few = _few_valued(known.values())
    filled = {page.url: _filled(known[page.url], few) for page in with_known}
    every = frozenset(chain.from_iterable(filled.values()))
    alone = partial(_alone, tuple(filled.values()))
    filled = {
        url: names | _lacking(every - names) | alone(every - names, names)
        for url, names in filled.items()
    }
    chosen = _telling(left, filled, MAKING) + _telling(left, filled, PROVING)
    chosen += _spread(without, total - len(chosen))
    return HealSample(tuple(chosen), _examples(chosen, known))


def _examples(
    pages: Sequence[Page], known: Mapping[str, Sequence[Mapping[str, Value]]]
) -> tuple[Example, ...]:
    """What is known of the pages."""
    examples = []
    for index, page in enumerate(pages):
        records = tuple(map(dict, known.get(page.url, ())))
        if records:
            examples.append(Example(page=index, records=records))
    return tuple(examples)


def _filled(
    records: Sequence[Mapping[str, Value]], few: Collection[str]
) -> frozenset[str]:
    """The fields that some of the records have a value for; of a field of `few` values
    also which, and of a number that it is none: pages say that in words."""
    filled = set()
    for name, value in chain.from_iterable(map(dict.items, map(dict, records))):
        if value not in EMPTY:
            filled.add(name)
            if name in few or _is_zero(value):
                filled.add(f"{name}={value}")
    return frozenset(filled)


def _is_zero(value: Value) -> bool:
    """Whether a value is the number of nothing."""
    return repr(value) in ("0", "'0'")


def _few_valued(known: Iterable[Sequence[Mapping[str, Value]]]) -> frozenset[str]:
    """The fields that have two values or three in many records, such as flags: which
    text stands for which is told by pages of each."""
    values: dict[str, Counter[str]] = {}
    for record in chain.from_iterable(known):
        for name, value in record.items():
            if isinstance(value, bool | str) and value not in EMPTY:
                values.setdefault(name, Counter())[str(value)] += 1
    return frozenset(
        name
        for name, counts in values.items()
        if 1 < len(counts) <= _MOST_OF_FEW and min(counts.values()) >= _SHOWN
    )


def _lacking(names: Iterable[str]) -> frozenset[str]:
    """What tells a page on which no record has these fields."""
    return frozenset(f"{_WITHOUT}{name}" for name in names)


def _alone(
    shown: Sequence[frozenset[str]], lacked: Iterable[str], names: frozenset[str]
) -> frozenset[str]:
    """What tells a page that lacks fields though it has all that ever comes with them: the
    end of a range is not there, and its beginning is ("from 18 €"), which may be taken for it."""
    common = frozenset.intersection(*shown)
    found = set()
    for name in filterfalse(_is_value, lacked):
        beside = frozenset.intersection(*filter(partial(_has, name), shown)) - common
        if {name} < beside and beside - {name} <= names:
            found.add(f"{name} alone is missing")
    return frozenset(found)


def _is_value(mark: str) -> bool:
    """Whether it is a value of a field that is shown: each page lacks the others."""
    return "=" in mark


def _has(name: str, names: Collection[str]) -> bool:
    """Whether a field is one of some."""
    return name in names


def _telling(
    left: list[Page], filled: Mapping[str, frozenset[str]], count: int
) -> list[Page]:
    """Takes pages that together show every field, and are without each that a page may
    be without, as far as there are any; those that show more first, of equals the first
    one."""
    shown: Counter[str] = Counter()
    chosen: list[Page] = []

    def lacking_on(page: Page) -> tuple[int, int]:
        new = [name for name in filled[page.url] if shown[name] < _SHOWN]
        without = sum(name.startswith(_WITHOUT) for name in new)
        return len(new) - without, without

    while left and len(chosen) < count:
        best = max(left, key=lacking_on)
        left.remove(best)
        shown.update(filled[best.url])
        chosen.append(best)
    return chosen


def _spread(pages: Sequence[Page], count: int) -> list[Page]:
    """So many pages at even distances, all if there are no more."""
    if count <= 0:
        return []
    if len(pages) <= count:
        return list(pages)
    step = len(pages) / count
    return [pages[int(index * step)] for index in range(count)]
