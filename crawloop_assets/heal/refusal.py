"""A regeneration that made nothing, as the error of a run."""

from crawloop_assets.errors import CompileFailed
from crawloop_assets.heal.regenerate import Regeneration
from crawloop_assets.induce.proof.scores import ScoreSheet


def failure(regeneration: Regeneration) -> CompileFailed:
    """The error of a rejected regeneration, with what stands against each field: the
    first value of an example that is not read, else what the sheet says."""
    sheet = regeneration.scores or ScoreSheet()
    reasons = {one.field: one.reason for one in sheet.fields if not one.is_proved}
    if sheet.unread:  # a field without one has no example, and no reader either
        reasons = {
            name: why for name, why in reasons.items() if _is_needed(sheet, name)
        }
    said = [regeneration.reason]
    if sheet.reason and not sheet.passed and sheet.reason not in regeneration.reason:
        said.append(sheet.reason)
    return CompileFailed(": ".join(said), reasons | _said_of_examples(sheet))


def _said_of_examples(sheet: ScoreSheet) -> dict[str, str]:
    """By field the first value of an example that is not read, and what to write
    instead."""
    said_of: dict[str, str] = {}
    for one in sheet.unread:
        said_of.setdefault(one.field, one.in_words)
    return said_of


def _is_needed(sheet: ScoreSheet, name: str) -> bool:
    """Whether a field is required and has no reader."""
    score = sheet.field(name)
    return score is not None and score.required and not score.readers
