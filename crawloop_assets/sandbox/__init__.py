"""Locked, killable worker processes in which all pages are parsed and all crawlers
run."""

from crawloop_assets.document.links import Link, LinkKind, Links
from crawloop_assets.document.trim import Sought
from crawloop_assets.sandbox.jobs import (
    CodeRows,
    CompileJob,
    ContradictJob,
    Evidence,
    Explained,
    ExplainJob,
    Extracted,
    ExtractJob,
    HealJob,
    Looked,
    LookJob,
    LookupJob,
    MarkJob,
    ProposeJob,
    ProveJob,
    ReadByCodeJob,
    ReadJob,
    ShowJob,
    SurveyJob,
    TeachJob,
    TrimJob,
    WeighJob,
)
from crawloop_assets.sandbox.lock import Containment
from crawloop_assets.sandbox.pool import JobError, WorkerPool, default_pool
from crawloop_assets.sandbox.process import Limits

__all__ = [
    "CodeRows",
    "CompileJob",
    "Containment",
    "ContradictJob",
    "Evidence",
    "ExplainJob",
    "Explained",
    "ExtractJob",
    "Extracted",
    "HealJob",
    "JobError",
    "Limits",
    "Link",
    "LinkKind",
    "Links",
    "LookJob",
    "Looked",
    "LookupJob",
    "MarkJob",
    "ProposeJob",
    "ProveJob",
    "ReadByCodeJob",
    "ReadJob",
    "ShowJob",
    "Sought",
    "SurveyJob",
    "TeachJob",
    "TrimJob",
    "WeighJob",
    "WorkerPool",
    "default_pool",
]
