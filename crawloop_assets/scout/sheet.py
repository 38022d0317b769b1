"""The one form in which everything is looked at: a sheet of rows and places.

The rows are elements that repeat, items of an array, or pages of one layout; a place is
where something stands in each of them, and what is written around it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum


class Origin(IntEnum):
    """Who names a place, the most trusted first."""

    STATED = 0  # linked data, typed items, an API: made to be read by programs
    LABELLED = 1  # a label that readers see
    MARKED = 2  # class names and tags
    META = 3  # meta tags of the page, which may say more than the thing's own


SAID_BY = {
    Origin.STATED: "data of the page",
    Origin.META: "meta tags",
    Origin.LABELLED: "a label",
    Origin.MARKED: "markup",
}
"""What a person is shown for an origin."""


@dataclass(frozen=True)
class SheetPlace:
    """One place in every row.

    `names` are what it may be called, best first; `cells` the texts in each row, none
    where nothing is; `several`: a row may have more than one. `is_link`: the texts are
    addresses. `twin` is the place of what the element's title says, where its text may
    be cut.
    """

    names: tuple[str, ...]
    origin: Origin
    cells: tuple[tuple[str, ...], ...]
    several: bool = False
    is_link: bool = False

    @property
    def filled(self) -> float:
        """Share of the rows, 0..1, that have something there."""
        return sum(map(bool, self.cells)) / max(1, len(self.cells))

    @property
    def distinct(self) -> int:
        """How many different things stand there."""
        return len(set(filter(None, self.cells)))

    def texts(self) -> Iterator[str]:
        """All texts of all rows, in order."""
        for cell in self.cells:
            yield from cell


@dataclass(frozen=True)
class Sheet:
    """Rows and places; `bases` is the address against which the links of each row are
    resolved, `pages` the position of each row's page; `left_out` how many more rows
    there are, which were not looked at."""

    places: tuple[SheetPlace, ...]
    bases: tuple[str, ...]
    pages: tuple[int, ...] = field(default=())
    left_out: int = 0
