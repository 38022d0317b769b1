"""A running Dagster as its UI sees it: check status by partition, backfills, runs and sensors, all over GraphQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crawloop_assets.pipeline.drive import Drive, DriveError
from crawloop_assets.pipeline.names import AssetNames, RunMode

_STATUSES = """
query Statuses($key: AssetKeyInput!) {
  assetNodeOrError(assetKey: $key) {
    ... on AssetNode {
      assetChecksOrError {
        ... on AssetChecks {
          checks {
            name
            partitionStatuses {
              ... on AssetCheckDefaultPartitionStatuses {
                succeededPartitions failedPartitions inProgressPartitions skippedPartitions executionFailedPartitions
              }
            }
          }
        }
      }
    }
  }
}
"""
_LAUNCH_BACKFILL = """
mutation Backfill($params: LaunchBackfillParams!) {
  launchPartitionBackfill(backfillParams: $params) {
    __typename
    ... on LaunchBackfillSuccess { backfillId }
    ... on PythonError { message }
  }
}
"""
_BACKFILLS = """
{ partitionBackfillsOrError(limit: 100) {
    ... on PartitionBackfills { results { id title status partitionNames tags { key value } } } } }
"""
_RUNS = """
query Runs($tags: [ExecutionTag!]) {
  runsOrError(filter: {tags: $tags}, limit: 200) { ... on Runs { results { runId status jobName } } }
}
"""
_RESET_CURSOR = """
mutation Reset($selector: SensorSelector!) {
  setSensorCursor(sensorSelector: $selector, cursor: null) {
    __typename
    ... on Sensor { sensorState { typeSpecificData { ... on SensorData { lastCursor } } } }
  }
}
"""
_SENSOR = """
query Sensor($selector: SensorSelector!) {
  sensorOrError(sensorSelector: $selector) { ... on Sensor { id sensorState { id } } }
}
"""
_STOP = "mutation Stop($id: String!) { stopSensor(id: $id) { __typename } }"
_START = """
mutation Start($selector: SensorSelector!) { startSensor(sensorSelector: $selector) { __typename } }
"""
_TICKS = """
query Ticks($selector: InstigationSelector!) {
  instigationStateOrError(instigationSelector: $selector) {
    ... on InstigationState { ticks(limit: 200) { timestamp } }
  }
}
"""
_REPOSITORY = {"repositoryLocationName": "crawloop", "repositoryName": "__repository__"}
_HEAL = {**_REPOSITORY, "sensorName": "heal_on_drift"}


@dataclass(frozen=True)
class Ui:
    """What a person who looks at the UI reads and clicks."""

    drive: Drive
    names: AssetNames

    def shown(self, check: str = "drift") -> dict[str, list[str]]:
        """Batches by status of a check of the records asset; empty ones left out."""
        node = self.drive.graphql(_STATUSES, key={"path": self.names.records.path})[
            "assetNodeOrError"
        ]
        checks = node["assetChecksOrError"]["checks"]
        statuses = next(
            one["partitionStatuses"] for one in checks if one["name"] == check
        )
        return {
            name.removesuffix("Partitions"): sorted(of)
            for name, of in statuses.items()
            if of
        }

    def backfill(self, batches: Sequence[str]) -> str:
        """Click "Materialize" on some batches of pages and records; the id of the backfill."""
        params = {
            "assetSelection": [
                {"path": key.path} for key in (self.names.pages, self.names.records)
            ],
            "partitionNames": list(batches),
            "tags": [
                {"key": key, "value": value}
                for key, value in self.names.tags(RunMode.REFRESH).items()
            ],
        }
        answer = self.drive.graphql(_LAUNCH_BACKFILL, params=params)[
            "launchPartitionBackfill"
        ]
        if answer["__typename"] != "LaunchBackfillSuccess":
            raise DriveError(str(answer))
        return str(answer["backfillId"])

    def waves(self) -> list[dict[str, Any]]:
        """The backfills of heal waves, newest first."""
        found = self.drive.graphql(_BACKFILLS)["partitionBackfillsOrError"]["results"]
        return [
            one
            for one in found
            if any(tag["key"] == "crawloop/wave" for tag in one["tags"])
        ]

    def runs(self, **tags: str) -> list[dict[str, str]]:
        """Runs with these `crawloop/` tags."""
        asked = [
            {"key": f"crawloop/{key}", "value": value} for key, value in tags.items()
        ]
        return list(self.drive.graphql(_RUNS, tags=asked)["runsOrError"]["results"])

    def reset_cursor(self) -> None:
        """Forget the heal sensor's cursor."""
        answer = self.drive.graphql(_RESET_CURSOR, selector=_HEAL)
        if answer["setSensorCursor"]["__typename"] != "Sensor":
            raise DriveError(str(answer))

    def pause(self) -> None:
        """Switch the heal sensor off."""
        sensor = self.drive.graphql(_SENSOR, selector=_HEAL)["sensorOrError"]
        answer = self.drive.graphql(_STOP, id=sensor["id"])["stopSensor"]
        if answer["__typename"] != "StopSensorMutationResult":
            raise DriveError(str(answer))

    def resume(self) -> None:
        """Switch the heal sensor on."""
        answer = self.drive.graphql(_START, selector=_HEAL)["startSensor"]
        if answer["__typename"] != "Sensor":
            raise DriveError(str(answer))

    def ticks(self, since: float) -> int:
        """How often the heal sensor ticked since a moment (seconds since 1970)."""
        answer = self.drive.graphql(
            _TICKS, selector={**_REPOSITORY, "name": "heal_on_drift"}
        )
        return sum(
            tick["timestamp"] > since
            for tick in answer["instigationStateOrError"]["ticks"]
        )
