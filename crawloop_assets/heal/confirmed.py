"""Whether known values confirm what was made: those that tell a record from others, and
those that every record has.

One right value of any field is no proof: a court of four is right by chance in every
row, of whichever opinion.
"""

from collections.abc import Collection, Iterator

from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.schema import FieldKind, RecordSchema


def unconfirmed(
    schema: RecordSchema, key: Collection[str], proof: ScoreSheet
) -> Iterator[str]:
    """The fields of the key, and the required ones, of which no known value that the
    pages had is read now.

    What is volatile moves, and an address may be another one after a redesign. A few words
    more or less are the same text, but for what tells records apart.
    """
    for score in proof.fields:
        spec, is_key = schema.field(score.field), score.field in key
        is_needed = is_key or (spec.required and not spec.volatile)
        said = score.right + score.retold * (not is_key)
        if is_needed and spec.kind is not FieldKind.URL and _is_lost(score, said):
            yield score.field


def _is_lost(score: FieldScore, said: int) -> bool:
    """Whether values were known, none of them is `said` now, and others are read; what
    nothing reads is asked for."""
    return bool(score.readers) and not said and score.changed > 0
