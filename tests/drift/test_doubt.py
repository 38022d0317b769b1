"""Signs that are too weak alone, and what they say together."""

import pytest

from crawloop_assets.drift import signs
from crawloop_assets.drift.doubt import DoubtfulValue, doubts
from crawloop_assets.drift.norms import Norms
from crawloop_assets.drift.outcome import BatchStats
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.tally import Tallies


def past(**rates: tuple[float, float]) -> Norms:
    """A history in which signs of the title had these rates."""
    named = {f"{sign}:title": rate for sign, rate in rates.items()}
    return Norms([BatchStats(version=1, rates=named)], version=1)


RARE = {"changed": (1, 1_000), "still": (0, 1_000), "off_title": (2, 1_000)}


def tallied(*hits: tuple[Sign, str], page: int = 3) -> Tallies:
    tallies = Tallies()
    for sign, got in hits:
        tallies.add(sign, "title", page, has_sign=True, expected="Kettle", got=got)
    return tallies


def doubtful(tallies: Tallies, norms: Norms) -> list[DoubtfulValue]:
    """The values that are more likely wrong than right."""
    return [value for value in doubts(tallies, norms) if value.is_doubtful]


def test_one_sign_alone_has_to_be_said_twice_at_most():
    for sign in (Sign.CHANGED, Sign.STILL, Sign.OFF_TITLE):
        assert doubtful(tallied((sign, "Pot")), past(**RARE)) == []
        assert len(doubts(tallied((sign, "Pot")), past(**RARE))) == 1


def test_signs_of_two_speakers_add_up():
    tallies = tallied((Sign.CHANGED, "Pot"), (Sign.OFF_TITLE, "Pot"))
    (doubt,) = doubtful(tallies, past(**RARE))
    assert (doubt.page, doubt.subject) == (3, "title")
    assert doubt.sentence == (
        "title of a known record is different; title is not part of the page's title"
    )


def test_signs_of_one_speaker_say_the_same_thing_twice():
    both = (Sign.CHANGED, "Pot"), (Sign.CUT, "Pot")
    assert RULES[Sign.CHANGED].speaker is RULES[Sign.CUT].speaker
    assert doubtful(tallied(*both), past(**RARE)) == []


def test_signs_against_two_values_do_not_add_up():
    tallies = tallied((Sign.CHANGED, "Pot"), (Sign.OFF_TITLE, "Pan"))
    assert doubtful(tallies, past(**RARE)) == []


def test_what_is_frequent_anyway_tells_little():
    often = {"changed": (300, 1_000), "off_title": (300, 1_000)}
    tallies = tallied((Sign.CHANGED, "Pot"), (Sign.OFF_TITLE, "Pot"))
    assert doubtful(tallies, past(**often)) == []


def test_without_history_only_signs_with_a_prior_have_a_weight():
    tallies = tallied((Sign.CHANGED, "Pot"), (Sign.OFF_TITLE, "Pot"))
    assert RULES[Sign.OFF_TITLE].prior is None
    assert doubtful(tallies, Norms([])) == []


@pytest.mark.parametrize(
    "sign", [sign for sign, rule in RULES.items() if rule.tells and not rule.prior]
)
def test_a_sign_that_says_nothing_of_single_pages_has_no_weight(sign, monkeypatch):
    silent = {**RULES, sign: RULES[sign]._replace(tells=0.0)}
    never = past(**{str(sign): (0, 5_000), "still": (0, 5_000)})
    others = (
        [Sign.STILL]
        if RULES[sign].speaker is not RULES[Sign.STILL].speaker
        else [Sign.CHANGED]
    )
    tallies = tallied((sign, "Pot"), *((other, "Pot") for other in others))
    counted = [
        item.sign for doubt in doubtful(tallies, never) for item in doubt.against
    ]
    monkeypatch.setattr("crawloop_assets.drift.doubt.RULES", silent)
    after = [item.sign for doubt in doubtful(tallies, never) for item in doubt.against]
    assert sign not in after
    assert after != counted or sign not in counted
    assert signs.RULES[sign].tells > 0
