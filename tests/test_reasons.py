"""No refusal is without a reason: whatever the code can hold against a page, a value or a version says what and of which
field, and what to do about it."""

import ast
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from crawloop_assets.crawler.evidence import Kind
from crawloop_assets.crawler.extraction import ExtractedRecord, Extraction, FieldVote
from crawloop_assets.document.document import Document
from crawloop_assets.drift.check import (
    CheckName,
    CheckResult,
    Finding,
    Invalid,
    Severity,
    what_to_do,
)
from crawloop_assets.drift.facts import page_facts
from crawloop_assets.drift.page import judge_page
from crawloop_assets.drift.sign import Sign
from crawloop_assets.drift.signs import RULES
from crawloop_assets.drift.verdict import page_verdict
from crawloop_assets.eval import lost
from crawloop_assets.heal.question import _QUESTIONS
from crawloop_assets.heal.stuck import FieldSight, StuckFamily
from crawloop_assets.induce.healing.decision import FieldDecision, HealDecision
from crawloop_assets.induce.proof.before import NOTHING_BEFORE, Before
from crawloop_assets.induce.proof.problems import field_problems
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet, WhyUnread
from crawloop_assets.page import Page, Verdict
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.serve.takeover import _finding
from crawloop_assets.store import Clash, ClashKind, QuestionCandidate
from tests.drift import small

ROOT = Path(__file__).parent.parent / "crawloop_assets"
OF_RECORDS = {
    Sign.CACHED,
    Sign.ROWS,
    Sign.SHORT,
    Sign.UNPAGED,
    Sign.LOOP,
    Sign.OVERLOOKED,
    Sign.REPLACED,
    Sign.REKEYED,
    Sign.SWEPT,
    Sign.DUPLICATE,
    Sign.LAYOUT,
}
"""Signs of whole records or pages, which name no field."""

MADE = {
    "Finding": "message",
    "CheckResult": "sentence",
    "HeldReason": "message",
    "FieldDecision": "reason",
    "Regeneration": "reason",
}
"""What says why, and its argument that does."""

SCHEMA = RecordSchema(
    name="Item",
    fields=(
        FieldSpec(name="sku"),
        FieldSpec(name="title", required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True, volatile=True),
        FieldSpec(name="brand"),
    ),
)
GOOD = {"sku": "1", "title": "Kettle", "price": "12.50", "brand": "Birka"}
SPLIT = FieldVote(agreement=0.3, live_readers=3, readers=3, rivals=("9.00",))
OTHER = FieldVote(agreement=1, live_readers=2, readers=2, against={Kind.STATED: "9.00"})


def is_plain(text: str) -> bool:
    """Whether a sentence says something: three words and more, nothing left to fill in."""
    return len(text.split()) >= 3 and not set("{}") & set(text)


@pytest.mark.parametrize("sign", list(Sign))
def test_every_sign_says_what_it_is_of_which_field(sign: Sign) -> None:
    rule = RULES[sign]
    assert ("{subject}" in rule.says) is (sign not in OF_RECORDS)
    subject = "price is less than list price"
    assert is_plain(rule.says.format(subject=subject))
    assert is_plain(what_to_do(rule.check))


@pytest.mark.parametrize("check", [*CheckName, "batch"])
def test_every_check_says_what_to_do(check: str) -> None:
    advice = what_to_do(check)
    assert is_plain(advice) and advice.endswith(".")
    assert check == "batch" or is_plain(CheckName(check).description)


@pytest.mark.parametrize(
    ("model", "given"),
    [
        (Finding, {"check": "votes", "severity": "warn", "message": ""}),
        (CheckResult, {"name": "votes", "passed": False, "sentence": ""}),
        (FieldDecision, {"decision": "abstained", "reason": ""}),
    ],
)
def test_nothing_can_be_said_without_words(
    model: type[BaseModel], given: dict[str, Any]
) -> None:
    with pytest.raises(ValidationError):
        model.model_validate(given)


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Every place of the code in which something is made that says why."""
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                yield f"{file.name}:{node.lineno}", node


@pytest.mark.parametrize("name", MADE)
def test_no_code_gives_an_empty_reason(name: str) -> None:
    """But for the regeneration that was not tried, of which nobody is told."""
    found = list(calls(name))
    empty = []
    for place, call in found:
        said = [one.value for one in call.keywords if one.arg == MADE[name]]
        for value in said + call.args[1:2] * (name == "Regeneration"):
            if isinstance(value, ast.Constant) and not value.value:
                empty.append(place.partition(":")[0])
    assert found and empty == ["job.py"] * (name == "Regeneration")


def findings(values: dict[str, Any], **given: Any) -> list[Finding]:
    """What is against a page with one record."""
    votes = {"price": given["vote"]} if "vote" in given else {}
    rows = tuple(
        ExtractedRecord(values=values, votes=votes, row=at)
        for at in range(given.get("rows", 1))
    )
    family = small.family(coverage={"brand": 0.95})
    read = Extraction(records=rows)
    return judge_page(SCHEMA, family, read, given.get("invalid", ()), (GOOD,))


@pytest.mark.parametrize(
    ("found", "check", "field"),
    [
        (findings(GOOD, invalid=[Invalid(row=0, field="price", message="too low")]), "schema", "price"),
        (findings(GOOD | {"title": None}), "schema", "title"),
        (findings(GOOD, rows=0), "count", ""),
        (findings(GOOD, rows=2), "count", ""),
        (findings(GOOD | {"price": "8"}, vote=SPLIT), "votes", "price"),
        (findings(GOOD | {"price": "8"}, vote=OTHER), "contradiction", "price"),
        (findings(GOOD | {"title": "{{ title }}"}), "distribution", "title"),
        (findings(GOOD | {"title": "Pan"}), "history", "title"),
        (findings(GOOD | {"brand": None}), "coverage", "brand"),
    ],
)  # fmt: skip
def test_what_is_against_a_page_names_the_field(
    found: list[Finding], check: str, field: str
) -> None:
    told = [one for one in found if (one.check, one.field) == (check, field)]
    assert told
    for finding in told:
        assert is_plain(finding.message) and field in finding.message


def test_every_page_check_is_among_those() -> None:
    """The calls of `_error` and `Finding` in page.py are the cases above."""
    made = [place for name in ("Finding", "_error") for place, _ in calls(name)]
    assert len([place for place in made if place.startswith("page.py")]) == 9


@pytest.mark.parametrize("kind", sorted(lost.PAGES))
def test_a_page_that_is_refused_says_why(kind: str) -> None:
    page = Page(
        url="https://shop.example/p/1",
        body=lost.PAGES[kind],
        headers={"content-type": "text/html; charset=utf-8"},
    )
    facts = page_facts(Document(page), page)
    verdict, reason = page_verdict(page, facts, small.family())
    assert verdict is not Verdict.OK and is_plain(reason)


@pytest.mark.parametrize("kind", [ClashKind.TAKEN, ClashKind.RENAMED])
def test_a_record_of_another_page_names_key_url_and_what_to_do(kind: ClashKind) -> None:
    clash = Clash("https://a.example/1", "K-1", kind, "https://a.example/2", "K-2")
    finding = _finding(small.family(), clash)
    assert finding.field == "sku" and finding.severity is Severity.ERROR
    assert "sku" in finding.message and "release" in finding.message


@pytest.mark.parametrize(
    ("score", "before", "turned", "says"),
    [
        (
            FieldScore(field="price", right=1, wrong=9),
            NOTHING_BEFORE,
            False,
            "wrong on",
        ),
        (
            FieldScore(field="price", required=True, silent=1),
            NOTHING_BEFORE,
            False,
            "silent where",
        ),
        (
            FieldScore(field="price", right=1, lost=1),
            Before({"price": 2}, {}),
            False,
            "right on 2",
        ),
        (
            FieldScore(field="price", right=1),
            Before({}, {"price": 2}),
            False,
            "is cut on 2",
        ),
        (FieldScore(field="price"), NOTHING_BEFORE, True, "turns wrong"),
    ],
    ids=["wrong", "silent", "lost", "cut", "turned"],
)
def test_every_problem_of_the_gauntlet_names_the_field(
    score: FieldScore, before: Before, turned: bool, says: str
) -> None:
    problems = list(field_problems(score, before, turned))
    assert any(says in one for one in problems)
    assert problems and all("price" in one and is_plain(one) for one in problems)
    assert is_plain(score.reason)


def test_every_reason_of_an_example_and_of_a_decision_is_in_words() -> None:
    assert all(map(is_plain, WhyUnread))
    for decision in HealDecision:
        reason = f"{decision.value}: last known value found again"
        assert FieldScore(field="price", reason=reason).reason == reason


def test_every_question_names_its_field_and_asks_for_something() -> None:
    sight = FieldSight("price", required=True)
    stuck = StuckFamily(datetime(2026, 11, 20, tzinfo=UTC), [sight], ScoreSheet())
    gave = QuestionCandidate(tried="v1", field="price", value="1.00", known="2.00")
    two = FieldSight("price", False, candidates=(gave,))
    for _, _, words in _QUESTIONS:
        said = words([two], stuck)
        assert "`price`" in said and is_plain(said)
        assert any(verb in said for verb in ("show", "accept", "which", "right?"))
