"""A regeneration that made nothing, as the error of a run."""

from itertools import islice

from crawloop_assets.errors import CompileFailed
from crawloop_assets.heal.regenerate import Regeneration
from crawloop_assets.induce.proof.scores import PreviewRow, ScoreSheet


def failure(regeneration: Regeneration) -> CompileFailed:
    """The error of a rejected regeneration, with what stands against each field: the
    first value of an example that is not read, else what the sheet says."""
    sheet = regeneration.scores or ScoreSheet()
    said = [regeneration.reason]
    if sheet.reason and not sheet.passed and sheet.reason not in regeneration.reason:
        said.append(sheet.reason)
    said += map(_shown, islice(sheet.preview, 1))
    return CompileFailed(": ".join(said), sheet.against)


def _shown(row: PreviewRow) -> str:
    """A row that would be read, in words."""
    cells = ", ".join(f"{name} {cell!r}" for name, cell in row.cells.items() if cell)
    return f"of {row.url} would be read {cells}"
