"""Dagster resources: thin adapters that hand the pipeline its parts, configured for
this process.

No logic.
"""

from resources.model import ModelResource
from resources.store import StoreResource
from resources.web import WebResource
from resources.workers import WorkersResource

__all__ = ["ModelResource", "StoreResource", "WebResource", "WorkersResource"]
