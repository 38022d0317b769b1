"""What may serve although no known value confirms it: what reads many rows as before."""

from crawloop_assets.crawler.program import Program
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet

_MANY_ROWS = 10
_FEWEST_READERS = 2


def reads_as_before(active: Program, candidate: Program, proof: ScoreSheet) -> bool:
    """Whether a candidate reads every field of many rows by several of the active
    version's own readers, which agree; only where the rows are is new.

    Readers that were made for the page find what they were made to find. These were
    proved elsewhere, and more than one of each field would have to be led astray alike.
    """
    is_same = candidate.fields == active.fields and candidate.record != active.record
    scores = [proof.field(field.spec.name) for field in candidate.fields]
    return is_same and all(map(_is_one_voice, scores))


def _is_one_voice(score: FieldScore | None) -> bool:
    """Whether most of several readers of a field say the same in many rows."""
    return (
        score is not None
        and score.found >= _MANY_ROWS
        and score.readers >= _FEWEST_READERS
    )
