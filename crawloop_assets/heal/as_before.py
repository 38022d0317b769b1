"""What may serve although no known value confirms it: what reads many rows as before."""

from operator import attrgetter

from crawloop_assets.crawler.program import Program
from crawloop_assets.induce.proof.scores import ScoreSheet

_MANY_ROWS = 10


def reads_as_before(active: Program, candidate: Program, proof: ScoreSheet) -> bool:
    """Whether a candidate reads every field of many rows by the active version's own
    readers, of which most agree; only where the rows are is new.

    Readers that were made for the page find what they were made to find. These were
    proved elsewhere, and more than one of each field would have to be led astray alike.
    """
    often = {score.field for score in proof.fields if score.found >= _MANY_ROWS}
    names = map(attrgetter("spec.name"), candidate.fields)
    return candidate.fields == active.fields and often.issuperset(names)
