"""Fetching as a resource."""

import dagster as dg

from crawloop_assets.access.fetcher import AccessLog, Fetcher
from crawloop_assets.project import Project


class WebResource(dg.ConfigurableResource["WebResource"]):
    """The only way to the network: the allowlist and per-domain policy of domains.yaml."""

    def fetcher(self, outcomes: AccessLog) -> Fetcher:
        """A fetcher for one run; what it meets goes to `outcomes`."""
        project = Project.find()
        return Fetcher(project.load_domains(), project.var, outcomes=outcomes)
