"""Drive a running Dagster from outside, as its UI does: launch jobs over GraphQL, wait,
and read what is red."""

import json
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import dagster as dg

from crawloop_assets.errors import CrawloopError
from crawloop_assets.family import Family
from crawloop_assets.pipeline.busy import busy_with
from crawloop_assets.pipeline.dagster_private import failed_batches
from crawloop_assets.pipeline.names import AssetNames, RunMode

_LAUNCH = """
mutation Launch($params: ExecutionParams!) {
  launchRun(executionParams: $params) {
    __typename
    ... on LaunchRunSuccess { run { runId } }
    ... on PythonError { message }
    ... on InvalidSubsetError { message }
    ... on RunConfigValidationInvalid { errors { message } }
  }
}
"""


class DriveError(CrawloopError):
    """Dagster refused or did not finish in time."""


@dataclass(frozen=True)
class Drive:
    """`url` is the webserver's; `instance` the same instance, opened here."""

    url: str
    instance: dg.DagsterInstance

    def graphql(self, query: str, **variables: Any) -> dict[str, Any]:
        """The `data` of one GraphQL request."""
        body = json.dumps({"query": query, "variables": variables}).encode()
        request = urllib.request.Request(
            f"{self.url}/graphql", body, {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            data = json.load(answer)
        if data.get("errors"):
            raise DriveError(str(data["errors"])[:2000])
        return dict(data["data"])

    def launch(
        self,
        job: str,
        tags: Mapping[str, str],
        config: Mapping[str, Any] | None = None,
    ) -> str:
        """Launch a job, with the run config if it needs one; its run id."""
        params = {
            "runConfigData": config or {},
            "selector": {
                "repositoryLocationName": "crawloop",
                "repositoryName": "__repository__",
                "jobName": job,
            },
            "executionMetadata": {
                "tags": [{"key": key, "value": value} for key, value in tags.items()]
            },
        }
        result = self.graphql(_LAUNCH, params=params)["launchRun"]
        if result["__typename"] != "LaunchRunSuccess":
            raise DriveError(f"{job}: {result}")
        return str(result["run"]["runId"])

    def discover(self, family: Family) -> str:
        """Launch discovery (and the first crawler) of a family."""
        return self.launch(
            f"discover_{family.slug}", AssetNames(family).tags(RunMode.REFRESH)
        )

    def refresh(self, family: Family, batches: Sequence[str] = ()) -> str:
        """Launch one run that refreshes all batches of a family, or the range that
        `batches` spans."""
        names = AssetNames(family)
        chosen = sorted(batches or self.batches(family))
        if not chosen:
            raise DriveError(f"{family.family} has no batches")
        return self.launch(
            f"refresh_{family.slug}",
            names.tags(RunMode.REFRESH, batches=(chosen[0], chosen[-1])),
        )

    def wait(
        self,
        runs: Sequence[str],
        patience_s: float = 180,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        """Until all runs ended; DriveError if one failed or time is up."""
        self.until(
            lambda: all(map(self._ended, runs)),
            "the runs to end",
            patience_s,
            tick,
        )
        for run in runs:
            found = self.instance.get_run_by_id(run)
            if found is None or found.status is not dg.DagsterRunStatus.SUCCESS:
                raise DriveError(
                    f"run {run} ended as {found.status.value if found else 'unknown'}"
                )

    def until(
        self,
        done: Callable[[], bool],
        what: str,
        patience_s: float,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        """Until `done()`; DriveError names what was waited for."""
        deadline = time.monotonic() + patience_s
        while not done():
            if time.monotonic() > deadline:
                raise DriveError(f"gave up waiting for {what} after {patience_s:.0f} s")
            tick()
            time.sleep(0.5)

    def batches(self, family: Family) -> list[str]:
        """All batches."""
        return sorted(
            self.instance.get_dynamic_partitions(AssetNames(family).partition_set)
        )

    def red(self, family: Family) -> list[str]:
        """The batches whose gate is red."""
        return [
            one.batch for one in failed_batches(self.instance, AssetNames(family).gate)
        ]

    def idle(self, family: Family) -> bool:
        """Whether nothing of the family is running or waiting to run."""
        return not busy_with(self.instance, AssetNames(family))

    def _ended(self, run: str) -> bool:
        """Whether a run is known and has come to its end."""
        found = self.instance.get_run_by_id(run)
        return found is not None and found.is_finished
