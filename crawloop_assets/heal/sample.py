"""The sample a regeneration works on: pages with what is known of them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.page import Page
from crawloop_assets.values.value import Value

MAKING = 5
PROVING = 5


@dataclass(frozen=True)
class HealSample:
    """Pages, and examples that name them by position."""

    pages: tuple[Page, ...]
    known: tuple[Example, ...]

    def split(self) -> tuple["HealSample", "HealSample"]:
        """(pages to make a candidate from, pages to prove it on).

        The second holds all pages; with more than three, its tail was never shown to
        the maker.
        """
        cut = (
            len(self.pages)
            if len(self.pages) <= 3
            else max(3, min(MAKING, len(self.pages) - 2))
        )
        making = HealSample(
            self.pages[:cut], tuple(one for one in self.known if one.page < cut)
        )
        return making, self


def sample_of(
    pages: Sequence[Page], known: Mapping[str, Sequence[Mapping[str, Value]]]
) -> HealSample:
    """At most MAKING + PROVING pages, those with known records first, spread evenly
    over what there is.

    Fields that only some records have (a former price) are shown to the maker and in
    the proof if any page shows them.
    """
    ordered = sorted(pages, key=lambda page: page.url)
    filled = {page.url: _filled(known.get(page.url, ())) for page in ordered}
    with_known = [page for page in ordered if known.get(page.url)]
    without = [page for page in ordered if not known.get(page.url)]
    total = MAKING + PROVING
    even = _spread(with_known, total)
    left = even + [page for page in with_known if page not in even]
    chosen = _telling(left, filled, MAKING) + _telling(left, filled, PROVING)
    chosen += _spread(without, total - len(chosen))
    examples = tuple(
        Example(page=index, records=tuple(dict(record) for record in known[page.url]))
        for index, page in enumerate(chosen)
        if known.get(page.url)
    )
    return HealSample(tuple(chosen), examples)


def _filled(records: Sequence[Mapping[str, Value]]) -> frozenset[str]:
    return frozenset(
        name
        for record in records
        for name, value in record.items()
        if value not in (None, "", [])
    )


_SHOWN = 2  # pages on which the maker sees a field: one value may have changed since


def _telling(
    left: list[Page], filled: Mapping[str, frozenset[str]], count: int
) -> list[Page]:
    """Takes pages that together show every field, as far as there are any; the first
    among equals."""
    shown: Counter[str] = Counter()
    chosen: list[Page] = []
    while left and len(chosen) < count:
        lacking = [
            sum(shown[name] < _SHOWN for name in filled[page.url]) for page in left
        ]
        best = left.pop(lacking.index(max(lacking)))
        shown.update(filled[best.url])
        chosen.append(best)
    return chosen


def _spread(pages: Sequence[Page], count: int) -> list[Page]:
    if count <= 0 or len(pages) <= count:
        return list(pages[: max(count, 0)])
    step = len(pages) / count
    return [pages[int(index * step)] for index in range(count)]
