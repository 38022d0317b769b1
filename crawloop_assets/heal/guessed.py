"""Fields that nobody ever showed: one name on the first pages was taken for theirs, and
nothing has said since that it was right.

Such a guess may be a box of links that is called "story". Once a redesign has nothing
of it, neither its values nor anything that is read in its place, there is nothing that a
person could be asked for.
"""

from functools import partial
from operator import attrgetter

from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet


def without_guesses(proof: ScoreSheet, before: ScoreSheet) -> ScoreSheet:
    """The sheet of a candidate, with those fields as gone that the version before only
    guessed and that are on no page any more."""
    guesses = filter(attrgetter("is_guess"), before.fields)
    guessed = frozenset(map(attrgetter("field"), guesses))
    fields = tuple(map(partial(_judged, guessed), proof.fields))
    return proof.model_copy(update={"fields": fields})


def _judged(guessed: frozenset[str], score: FieldScore) -> FieldScore:
    """A score, as gone if its field was guessed and is nowhere."""
    is_gone = score.field in guessed and _is_nowhere(score)
    return score.model_copy(update={"gone": score.gone or is_gone})


def _is_nowhere(score: FieldScore) -> bool:
    """Whether no known value of an optional field is on any page, and nothing is read."""
    there = score.right + score.wrong + score.silent + score.found
    return (score.required, there) == (False, 0)
