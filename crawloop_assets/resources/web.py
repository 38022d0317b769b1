"""Fetching as a resource."""

from datetime import UTC, datetime

import dagster as dg

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.project import Project
from crawloop_assets.store import Store


class WebResource(dg.ConfigurableResource["WebResource"]):
    """The only way to the network: the allowlist and per-domain policy of
    domains.yaml."""

    def fetcher(self, store: Store) -> Fetcher:
        """A fetcher for one run; what it meets is written to the store."""
        project = Project.find()
        return Fetcher(project.load_domains(), project.var, outcomes=store)

    def declared_at(self) -> datetime:
        """When domains.yaml was last written; long ago where there is none."""
        file = Project.find().domains
        written = file.stat().st_mtime if file.exists() else 0.0
        return datetime.fromtimestamp(written, UTC)
