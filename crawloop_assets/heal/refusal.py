"""A regeneration that made nothing, as the error of a run."""

from crawloop_assets.errors import CompileFailed
from crawloop_assets.heal.regenerate import Regeneration
from crawloop_assets.induce.proof.scores import ScoreSheet


def failure(regeneration: Regeneration) -> CompileFailed:
    """The error of a rejected regeneration, with what stands against each field: the
    first value of an example that is not read, else what the sheet says."""
    sheet = regeneration.scores or ScoreSheet()
    said = [regeneration.reason]
    if sheet.reason and not sheet.passed and sheet.reason not in regeneration.reason:
        said.append(sheet.reason)
    return CompileFailed(": ".join(said), sheet.against)
