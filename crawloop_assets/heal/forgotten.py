"""Which lessons are forgotten at once: those whose value is not on its page. One that merely
was not enough is kept for the next."""

from crawloop_assets.heal.regenerate import Regeneration
from crawloop_assets.induce.locate.choice_texts import is_choice
from crawloop_assets.schema import FieldSpec


def is_forgotten(spec: FieldSpec, made: Regeneration) -> bool:
    """Whether a lesson of a field, of which nothing was made, says what its page does not.

    Of a flag or a choice nobody can tell: the page may say it in words of its own, which
    the next lesson, of a page with the other one, tells.
    """
    if is_choice(spec):
        return False
    score = made.scores.field(spec.name) if made.scores else None
    return score is None or not (score.readers or score.silent)
