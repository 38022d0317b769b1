"""What a batch may teach later ones: only what nobody doubted is a norm."""

from collections.abc import Iterable

from crawloop_assets.drift.assessment import Assessment
from crawloop_assets.drift.outcome import Trust
from crawloop_assets.drift.sign import NEWS, Sign
from crawloop_assets.drift.tally import Tally

_LEAST_STILL = 3
_MANY = 0.1
"""Known values that still stand there: fewer are other things of the page."""


def is_refuted(counted: Tally | Assessment) -> bool:
    """Whether the known values of a field still stand on many of the pages on which
    another one is read, or are told otherwise there."""
    if counted.sign not in (Sign.KEPT, Sign.UNENDED, Sign.STILL, Sign.RETOLD):
        return False
    hits = len(counted.hits)
    share = hits / counted.seen if isinstance(counted, Tally) else counted.observed
    return hits >= _LEAST_STILL and share >= _MANY


def batch_trust(about_values: Iterable[Assessment]) -> Trust:
    """How far a batch may be believed as a norm, by what was looked at in its values.

    A batch whose values were doubted teaches no other one; itself it teaches in a later
    refresh if the site may have done it all, so that what is seen twice is news.
    """
    trust = Trust.FULL
    for assessment in about_values:
        if is_refuted(assessment):
            return Trust.NONE
        if assessment.passed or not assessment.check.blocking:
            continue
        if not _may_be_news(assessment):
            return Trust.NONE
        trust = Trust.OWN
    return trust


def _may_be_news(assessment: Assessment) -> bool:
    """Whether the site may have done it; sizes and lengths depend on what it offers."""
    return assessment.sign is None or assessment.sign in NEWS
