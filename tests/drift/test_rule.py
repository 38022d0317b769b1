"""How a sign is judged."""

import pytest

from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.rule import LAW, RARE, STRUCTURE, Rule, Speaker, one_in


@pytest.mark.parametrize("units", [10, 50, 200])
def test_a_prior_is_half_an_event_of_half_the_units(units: int):
    prior = one_in(units)
    assert prior.share == pytest.approx(1 / units) and prior.bad == 0.5


def test_a_sign_is_drift_and_holds_its_pages_unless_it_says_otherwise():
    rule = Rule(CheckName.HISTORY, "{subject} is another one")
    assert rule.worst is Severity.ERROR and rule.holds and rule.holds_all
    assert rule.tells == 0 and rule.speaker is Speaker.PAST


def test_laws_of_one_page_are_suspicions_before_statistics_are():
    usual = Rule(CheckName.HISTORY, "").alpha
    assert usual < RARE < LAW < STRUCTURE
