"""What a row may have in common with another one by chance: a value that many rows have, a
step that many of them make.

The next rank of a chart is the rank of the row beside, and so are the points of a table
after a win. That two rows are alike in it says nothing of where a value was read.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Any

from crawloop_assets.drift.values import as_number
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.equality import canonical

_OFTEN = 0.1
_FEWEST_OTHERS = 2
"""What one other row does may be that row's own."""


class ByChance:
    """The values of a field that some rows had and have now: (then, now) of each."""

    def __init__(self, spec: FieldSpec, rows: Sequence[tuple[Any, Any]]):
        self._spec, self._rows = spec, len(rows)
        self._values = Counter(canonical(then, spec) for then, _ in rows)
        self._steps = Counter(self._step(then, now) for then, now in rows)

    def explains(self, own: Any, other: Any) -> bool:
        """Whether a row that had its `own` value may have come to what an `other` one had
        without it: other rows had that as well, or have moved just as far."""
        is_shared = self._is_often(self._values[canonical(other, self._spec)])
        return is_shared or self.is_step(own, other)

    def is_step(self, then: Any, now: Any) -> bool:
        """Whether a count has moved just as far as other ones did."""
        step = self._step(then, now)
        return step is not None and self._is_often(self._steps[step])

    def _step(self, then: Any, now: Any) -> Hashable:
        """How far a count moved; None of anything else: gaps between prices are prices'."""
        before, after = as_number(then), as_number(now)
        if self._spec.kind is not FieldKind.INTEGER or before is None or after is None:
            return None
        return after - before

    def _is_often(self, count: int) -> bool:
        """Whether so many of the rows are many."""
        return is_often(count, self._rows)


def is_often(count: int, rows: int) -> bool:
    """Whether so many of some rows, the one that is looked at among them, are many."""
    return count - 1 >= max(_FEWEST_OTHERS, _OFTEN * rows)
