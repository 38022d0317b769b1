"""What healing decided about one field."""

from enum import StrEnum
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from crawloop_assets.crawler.program import FieldProgram


class HealDecision(StrEnum):
    """What was done about a field."""

    KEPT = "kept"
    REALIGNED = "realigned"
    RELOCATED = "relocated"
    ABSTAINED = "abstained"


class FieldDecision(BaseModel):
    """What was done about a field, why, and with how many readers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    decision: HealDecision
    reason: str = Field(min_length=1)
    readers: int = 0


class HealedField(NamedTuple):
    """A field as it is read from now on, and what was decided about it."""

    program: FieldProgram
    decision: FieldDecision
