"""One voice for each reader of a number, where they part over one that the page crosses out.

How much a reader counts was learned of pages that cross out nothing: there what follows a label
and what an element says are one thing. Beside a former price the label leads to that, and
those that know the price by its place are mostly right.
"""

from collections.abc import Sequence
from itertools import permutations, starmap

from crawloop_assets.crawler.vote import Ballot
from crawloop_assets.document.crossed_out import CrossedOut


def evened(ballots: Sequence[Ballot], crossed_out: CrossedOut) -> Sequence[Ballot]:
    """The ballots, all of one weight if one value is crossed out and the other left beside it."""
    values = {str(value) for _, _, value in ballots if value is not None}
    if len(values) != 2 or not any(
        starmap(crossed_out.is_replaced, permutations(values))
    ):
        return ballots
    return [(reader, 1.0, value) for reader, _, value in ballots]
