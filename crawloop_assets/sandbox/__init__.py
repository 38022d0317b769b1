"""Locked, killable worker processes in which all pages are parsed and all crawlers run."""

from crawloop_assets.sandbox.lock import Containment
from crawloop_assets.sandbox.pool import WorkerPool, default_pool
from crawloop_assets.sandbox.process import Limits

__all__ = ["Containment", "Limits", "WorkerPool", "default_pool"]
