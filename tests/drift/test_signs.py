"""The policy: how each sign is judged."""

import pytest

from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.check import NOT_OF_READERS, CheckName, Severity
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from tests.drift import small
from tests.drift.shown import PAGES, SCHEMA, SHOWN


def test_every_sign_has_a_rule():
    assert set(RULES) == set(Sign)


@pytest.mark.parametrize("sign", Sign)
def test_a_rule_is_consistent(sign: Sign):
    rule = RULES[sign]
    assert rule.says.format(subject="title")
    assert 0 < rule.alpha < 0.1, "it does nothing"
    assert rule.own_batches >= 1
    assert not (rule.assortment and rule.per_version)
    if rule.prior is not None:
        assert 0 < rule.prior.bad < rule.prior.seen
    if not rule.check.blocking:
        assert rule.worst is Severity.WARN


def test_a_prior_is_one_event_of_so_many_units():
    prior = RULES[Sign.LOST].prior
    assert prior is not None
    assert prior.share == pytest.approx(1 / 50)


def test_what_is_about_the_crawler_counts_by_version():
    of_version = {sign for sign, rule in RULES.items() if rule.per_version}
    assert of_version == {
        Sign.DISAGREE,
        Sign.RIVAL,
        Sign.OUTVOTED,
        Sign.SILENT,
        Sign.READER,
        Sign.UNGROUNDED,
        Sign.STRAY,
        Sign.CONTRADICTION,
        Sign.WORDS,
        Sign.BESIDE,
        Sign.PLACES,
        Sign.HIDDEN,
        Sign.HEAD,
        Sign.NOTATION,
        Sign.ROWS,
        Sign.OFF_TITLE,
    }


def test_checks_without_signs_are_about_pages():
    judged_by_signs = {rule.check for rule in RULES.values()}
    assert set(CheckName) - judged_by_signs == {
        CheckName.PAGES,
        CheckName.SCHEMA,
        *NOT_OF_READERS,
    }


def test_every_sign_has_a_batch_that_shows_it():
    assert set(SHOWN) == set(Sign)


@pytest.mark.parametrize("sign", Sign)
def test_a_sign_is_counted_and_said(sign: Sign):
    shown, rule = SHOWN[sign], RULES[sign]
    judged = judge_batch(
        SCHEMA, small.family(shown.kind), shown.pages(), shown.past(sign), batch="b"
    )
    bad, seen = judged.evidence.rates[f"{sign}:{shown.subject}"]
    assert PAGES - 1 <= bad <= seen
    event = rule.says.format(subject=shown.subject)
    assert any(event in sentence for sentence in _against(judged))
    check = next(check for check in judged.checks if check.name is rule.check)
    assert not check.passed


def _against(judged: BatchJudgement) -> list[str]:
    """What failed checks and held pages say."""
    said = [check.sentence for check in judged.checks if not check.passed]
    for findings in judged.held.values():
        said.extend(finding.message for finding in findings)
    return said
