"""What the compiler answers, as data: who asks it in another process loads nothing of how
it works."""

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.program import Program
from crawloop_assets.induce.proof.scores import ScoreSheet


class Compiled(BaseModel):
    """A program (None if a required field could not be read) and the evidence."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    program: Program | None
    scores: ScoreSheet
