"""Drift: what kind of page came back, and whether what was read of it can be true.

Pure: no I/O, no engine.
"""

from crawloop_assets.document.layout import template_distance
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.check import (
    CHECKS,
    CheckExample,
    CheckName,
    CheckResult,
    Finding,
    Invalid,
    Severity,
)
from crawloop_assets.drift.facts import PageFacts, page_facts
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from crawloop_assets.drift.page import judge_page
from crawloop_assets.drift.verdict import page_verdict

__all__ = [
    "CHECKS",
    "BatchJudgement",
    "BatchStats",
    "CheckExample",
    "CheckName",
    "CheckResult",
    "Finding",
    "Invalid",
    "PageFacts",
    "PageOutcome",
    "Severity",
    "judge_batch",
    "judge_page",
    "page_facts",
    "page_verdict",
    "template_distance",
]
