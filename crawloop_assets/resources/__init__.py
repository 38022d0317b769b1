"""Dagster resources: thin adapters that hand the pipeline its parts, configured for
this process.

No logic.
"""

from crawloop_assets.resources.model import ModelResource, may_serve
from crawloop_assets.resources.store import StoreResource
from crawloop_assets.resources.web import WebResource
from crawloop_assets.resources.workers import WorkersResource

__all__ = [
    "ModelResource",
    "StoreResource",
    "WebResource",
    "WorkersResource",
    "may_serve",
]
