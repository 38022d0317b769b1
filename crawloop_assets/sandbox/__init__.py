"""Locked, killable worker processes in which all pages are parsed and all crawlers
run."""

from crawloop_assets.document.links import Link, LinkKind, Links
from crawloop_assets.document.trim import Sought
from crawloop_assets.sandbox.jobs import (
    CompileJob,
    Evidence,
    Explained,
    ExplainJob,
    Extracted,
    ExtractJob,
    HealJob,
    Looked,
    LookJob,
    LookupJob,
    ProposeJob,
    ProveJob,
    SurveyJob,
    TeachJob,
    TrimJob,
)
from crawloop_assets.sandbox.lock import Containment
from crawloop_assets.sandbox.pool import JobError, WorkerPool, default_pool
from crawloop_assets.sandbox.process import Limits

__all__ = [
    "CompileJob",
    "Containment",
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
    "ProposeJob",
    "ProveJob",
    "Sought",
    "SurveyJob",
    "TeachJob",
    "TrimJob",
    "WorkerPool",
    "default_pool",
]
