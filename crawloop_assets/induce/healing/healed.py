"""What was healed and with whose help, as data: who asks for it in another process loads
nothing of how it is done."""

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.program import Program
from crawloop_assets.induce.healing.decision import FieldDecision
from crawloop_assets.induce.proof.scores import ScoreSheet


class HealedProgram(BaseModel):
    """A healed program (None if a required field could not be recovered or the pages
    are not the family's).

    `partial`: what was healed of one that is not enough, for somebody to complete.
    `anew`: its rows were learned of what a person said of them, for none that was known
    is left; what was known of the pages is no witness. `borne_out`: none of its rows is
    known, and they bear each other out as the known ones did. `elsewhere`: the fields that
    are read elsewhere now, since what was read of them before is no longer kept up.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    program: Program | None
    fields: dict[str, FieldDecision]
    scores: ScoreSheet
    partial: Program | None = None
    anew: bool = False
    borne_out: bool = False
    elsewhere: frozenset[str] = frozenset()


class Sibling(BaseModel):
    """What a family of the same site went through: its program `before` a redesign and
    the one `after`, of which only fields that known values have proved."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    before: Program
    after: Program
