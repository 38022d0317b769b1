"""The sample a regeneration works on: pages with what is known of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crawloop_assets.crawler.extraction import Example, Value
from crawloop_assets.page import Page

MAKING = 5
PROVING = 5


@dataclass(frozen=True)
class Sample:
    """Pages, and examples that name them by position."""

    pages: tuple[Page, ...]
    known: tuple[Example, ...]

    def split(self) -> tuple["Sample", "Sample"]:
        """(pages to make a candidate from, pages to prove it on). The second holds all pages; with more than three,
        its tail was never shown to the maker."""
        cut = len(self.pages) if len(self.pages) <= 3 else max(3, min(MAKING, len(self.pages) - 2))
        making = Sample(self.pages[:cut], tuple(one for one in self.known if one.page < cut))
        return making, self


def sample_of(pages: Sequence[Page], known: Mapping[str, Sequence[Mapping[str, Value]]]) -> Sample:
    """At most MAKING + PROVING pages, those with known records first, spread evenly over what there is."""
    ordered = sorted(pages, key=lambda page: (not known.get(page.url), page.url))
    with_known = [page for page in ordered if known.get(page.url)]
    without = [page for page in ordered if not known.get(page.url)]
    total = MAKING + PROVING
    chosen = _spread(with_known, total)
    chosen += _spread(without, total - len(chosen))
    examples = tuple(
        Example(page=index, records=tuple(dict(record) for record in known[page.url]))
        for index, page in enumerate(chosen)
        if known.get(page.url)
    )
    return Sample(tuple(chosen), examples)


def _spread(pages: Sequence[Page], count: int) -> list[Page]:
    if count <= 0 or len(pages) <= count:
        return list(pages[: max(count, 0)])
    step = len(pages) / count
    return [pages[int(index * step)] for index in range(count)]
