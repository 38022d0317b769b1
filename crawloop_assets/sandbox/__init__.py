"""Locked, killable worker processes in which all pages are parsed and all crawlers
run."""

from crawloop_assets.document.links import Link, LinkKind, Links
from crawloop_assets.document.trim import Sought
from crawloop_assets.sandbox.jobs import (
    Compile,
    Evidence,
    Extract,
    Extracted,
    Heal,
    Look,
    Looked,
    Prove,
    Trim,
)
from crawloop_assets.sandbox.lock import Containment
from crawloop_assets.sandbox.pool import JobError, WorkerPool, default_pool
from crawloop_assets.sandbox.process import Limits

__all__ = [
    "Compile",
    "Containment",
    "Evidence",
    "Extract",
    "Extracted",
    "Heal",
    "JobError",
    "Limits",
    "Link",
    "LinkKind",
    "Links",
    "Look",
    "Looked",
    "Prove",
    "Sought",
    "Trim",
    "WorkerPool",
    "default_pool",
]
