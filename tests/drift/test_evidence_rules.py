"""How the signs of readers and places are judged."""

from crawloop_assets.drift.check import CheckName
from crawloop_assets.drift.evidence_rules import EVIDENCE_RULES
from crawloop_assets.drift.rule import Speaker
from crawloop_assets.drift.signs import RULES


def test_they_are_part_of_the_policy() -> None:
    assert EVIDENCE_RULES.items() <= RULES.items()


def test_they_speak_for_the_readers_or_for_the_place_and_hold_no_other_pages() -> None:
    speakers = {rule.speaker for rule in EVIDENCE_RULES.values() if rule.tells}
    assert speakers == {Speaker.READERS, Speaker.PLACE}
    checks = {rule.check for rule in EVIDENCE_RULES.values()}
    assert CheckName.CONTRADICTION in checks and CheckName.HISTORY not in checks
    assert not any(
        rule.holds_all for rule in EVIDENCE_RULES.values() if rule.per_version
    )
