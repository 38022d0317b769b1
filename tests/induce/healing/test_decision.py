"""What is stored of a decision keeps its names."""

import pytest
from pydantic import ValidationError

from crawloop_assets.induce.healing.decision import (
    FieldDecision,
    HealDecision,
    HealedField,
)
from crawloop_assets.schema import FieldSpec
from tests.induce.healing.fields import field


def test_a_decision_is_stored_under_names_that_stay() -> None:
    decision = FieldDecision(decision=HealDecision.REALIGNED, reason="found again")
    stored = '{"decision":"realigned","reason":"found again","readers":0}'
    assert decision.model_dump_json() == stored
    assert FieldDecision.model_validate_json(stored) == decision
    assert [each.value for each in HealDecision] == [
        "kept",
        "realigned",
        "relocated",
        "abstained",
    ]


def test_a_decision_cannot_be_changed_or_hold_anything_else() -> None:
    with pytest.raises(ValidationError):
        FieldDecision.model_validate({"decision": "kept", "reason": "", "why": ""})
    decision = FieldDecision(decision=HealDecision.KEPT, reason="still right")
    with pytest.raises(ValidationError):
        decision.reason = "another"  # type: ignore[misc]


def test_a_healed_field_is_the_program_and_the_decision() -> None:
    program = field(FieldSpec(name="title"))
    decision = FieldDecision(decision=HealDecision.KEPT, reason="still right")
    assert HealedField(program, decision) == (program, decision)
