"""What a project costs while nothing happens: `python -m bench.idle [--families 200] [--batches 50]`.

Lays out copies of one family with batches that were judged once, all of them green, then
counts CPU seconds (user and system, of all processes) of: building the definitions; the
first tick of each sensor and a later one; a quiet minute of webserver, daemon and servers
of code. It also says how many servers of code there were in that minute, how long a few
questions of the UI take, and how long it takes until a backfill of all batches has runs.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import dagster as dg
from sqlalchemy import text

from bench.jobs import lay_out
from crawloop_assets.pipeline.build import build_definitions
from crawloop_assets.pipeline.dagster_private import latest_target
from crawloop_assets.pipeline.drive import Drive
from crawloop_assets.pipeline.launch import dagster_processes, prepare
from crawloop_assets.pipeline.names import DRIFT_GATE, AssetNames
from crawloop_assets.project import Project

_TICKS_S = os.sysconf("SC_CLK_TCK")
_QUESTIONS = {
    "all assets": "{ assetNodes { id groupName opNames assetKey { path } isPartitioned "
    "assetMaterializations(limit: 1) { timestamp } } }",
    "runs": "{ runsOrError(limit: 30) { ... on Runs { results { id status tags { key value } } } } }",
    "automation": "{ workspaceOrError { ... on Workspace { locationEntries { locationOrLoadError { "
    "... on RepositoryLocation { repositories { sensors { name sensorState { status ticks(limit: 1) "
    "{ timestamp status } } } schedules { name scheduleState { status } } } } } } } } }",
    "jobs": "{ workspaceOrError { ... on Workspace { locationEntries { locationOrLoadError { "
    "... on RepositoryLocation { repositories { jobs { name isJob } } } } } } } }",
    "partitions of an asset": "{ assetNodeOrError(assetKey: {path: %s}) { ... on AssetNode { partitionKeys "
    "assetPartitionStatuses { ... on DefaultPartitionStatuses { materializedPartitions } } } } }",
}
_BACKFILL = """
mutation Backfill($params: LaunchBackfillParams!) {
  launchPartitionBackfill(backfillParams: $params) {
    __typename
    ... on LaunchBackfillSuccess { backfillId }
    ... on PythonError { message }
  }
}
"""


def main() -> None:
    """All figures, as a line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", type=int, default=200)
    parser.add_argument("--batches", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--backfill", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        project = lay_out(Path(folder) / "project", asked.families)
        os.environ["CRAWLOOP_HOME"] = str(project.root)
        prepare(project)
        show("definitions", defined(project))
        with dg.DagsterInstance.get() as instance:
            judge_all(instance, project, asked.batches)
            for name, seconds in ticks(instance, project):
                show(f"tick of {name}", seconds)
        for name, figure in running(project, asked.seconds, asked.backfill):
            show(name, figure)


def show(name: str, figure: object) -> None:
    """One line."""
    print(f"{name}: {json.dumps(figure)}", flush=True)


def defined(project: Project) -> float:
    """CPU seconds until a new process has the definitions as the server of code has them."""
    loads = (
        "from crawloop_assets.definitions import defs; import dagster as dg; "
        "made = defs() if callable(defs) else defs; "
        "(made.load_definitions() if hasattr(made, 'load_definitions') else made).get_repository_def(); "
        "import os; os._exit(0)"  # to take the interpreter down is another second
    )
    before = os.times()
    subprocess.run([sys.executable, "-c", loads], check=True, cwd=project.root)
    after = os.times()
    children = after.children_user + after.children_system
    return round(children - before.children_user - before.children_system, 2)


def judge_all(instance: dg.DagsterInstance, project: Project, batches: int) -> None:
    """All batches of all families were made and found good.

    The first batch of each family is reported; the rows of all others are copies of it.
    """
    order = [f"{number:06d}" for number in range(1, batches + 1)]
    for family in project.load_families():
        names = AssetNames(family)
        instance.add_dynamic_partitions(names.partition_set, order)
        made = dg.AssetMaterialization(names.records, partition=order[0])
        instance.report_runless_asset_event(made)
        target = latest_target(instance, names.records, order[0])
        instance.report_runless_asset_event(
            dg.AssetCheckEvaluation(
                asset_key=names.records,
                check_name=DRIFT_GATE,
                partition=order[0],
                passed=True,
                blocking=False,
                target_materialization_data=target,
            )
        )
    copy_first(instance, order)


def copy_first(instance: dg.DagsterInstance, order: Sequence[str]) -> None:
    """Rows of the first batch once more for every other one."""
    storage: Any = instance.event_log_storage
    with storage.index_connection() as connection:
        for table in ("event_logs", "asset_check_executions"):
            found = connection.execute(text(f"PRAGMA table_info({table})")).fetchall()
            columns = [f'"{row[1]}"' for row in found if row[1] != "id"]
            copied = [":batch" if name == '"partition"' else name for name in columns]
            connection.execute(
                text(
                    f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(copied)} "
                    f'FROM {table} WHERE "partition" = :first'
                ),
                [{"batch": batch, "first": order[0]} for batch in order[1:]],
            )


def ticks(
    instance: dg.DagsterInstance, project: Project
) -> Iterator[tuple[str, Sequence[float]]]:
    """CPU seconds of the first and of three later ticks of each sensor, in this process."""
    definitions = build_definitions(project)
    repository = definitions.get_repository_def()
    for sensor in repository.sensor_defs:
        seconds = []
        for _ in range(4):
            with dg.build_sensor_context(
                instance=instance,
                repository_def=repository,
                resources=dict(definitions.resources or {}),
                sensor_name=sensor.name,
            ) as context:
                begin = time.process_time()
                sensor.evaluate_tick(context)
                seconds.append(round(time.process_time() - begin, 4))
        yield sensor.name, seconds


def running(
    project: Project, seconds: int, backfill: bool
) -> Iterator[tuple[str, object]]:
    """Figures of the processes as `crawloop dev` starts them."""
    with dagster_processes(project) as processes:
        me = os.getpid()
        time.sleep(max(20, seconds / 2))  # what the first ticks have to do
        begin, before, servers = time.monotonic(), cpu_by_program(me), set[int]()
        while time.monotonic() - begin < seconds:
            servers |= {pid for pid in tree(me) if "api grpc" in program(pid)}
            time.sleep(0.5)
        after = cpu_by_program(me)
        spent = {name: round(after[name] - before.get(name, 0.0), 2) for name in after}
        yield f"CPU s of {seconds} quiet s", spent
        yield "of a core, in %", round(100 * sum(spent.values()) / seconds, 1)
        yield "servers of code in that time", len(servers)
        with dg.DagsterInstance.get() as instance:
            drive = Drive(processes.url, instance)
            for name, question in _QUESTIONS.items():
                yield f"UI: {name}, s", asked_ui(drive, project, question)
            if backfill:
                yield (
                    "backfill of everything: s to the first run",
                    to_first_run(drive, project),
                )


def asked_ui(drive: Drive, project: Project, question: str) -> float:
    """Seconds of one question of the UI, the second time it is asked."""
    family = project.load_families()[0]
    path = json.dumps(AssetNames(family).records.path)
    query = question.replace("%s", path)
    drive.graphql(query)
    return timed(lambda: drive.graphql(query))


def timed(act: Callable[[], object]) -> float:
    """Seconds it takes."""
    begin = time.monotonic()
    act()
    return round(time.monotonic() - begin, 2)


def to_first_run(drive: Drive, project: Project) -> float:
    """Seconds from asking for all batches of all families to the first run."""
    wanted = []
    for family in project.load_families():
        order = drive.batches(family)
        keys = {"start": order[0], "end": order[-1]}
        wanted.append(
            {
                "assetKey": {"path": AssetNames(family).records.path},
                "partitions": {"range": keys},
            }
        )
    params = {"partitionsByAssets": wanted, "tags": []}

    def start() -> None:
        done = drive.graphql(_BACKFILL, params=params)["launchPartitionBackfill"]
        assert done["__typename"] == "LaunchBackfillSuccess", done
        drive.until(lambda: drive.instance.get_runs_count() > 0, "a run", 300)

    return timed(start)


def tree(root: int) -> set[int]:
    """A process and everything below it."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parents[int(folder.name)] = int(_stat(folder)[1])
    found = {root}
    while more := {pid for pid, up in parents.items() if up in found} - found:
        found |= more
    return found


def cpu_by_program(root: int) -> dict[str, float]:
    """CPU seconds of everything below a process, and of what ended there, by what it is."""
    spent: dict[str, float] = {}
    for pid in tree(root) - {root}:
        with suppress(OSError):
            name = kind_of(program(pid))
            ticked = sum(map(int, _stat(Path("/proc") / str(pid))[11:15]))
            spent[name] = spent.get(name, 0.0) + ticked / _TICKS_S
    return spent


def kind_of(command: str) -> str:
    """What a process is."""
    kinds = {"api grpc": "server of code", "pipeline.daemon": "daemon"}
    kinds["pipeline.webserver"] = "webserver"
    return next((name for part, name in kinds.items() if part in command), "other")


def program(pid: int) -> str:
    """Its command line, "" if it is gone."""
    with suppress(OSError):
        line = (Path("/proc") / str(pid) / "cmdline").read_bytes()
        return line.replace(b"\0", b" ").decode(errors="replace")
    return ""


def _stat(folder: Path) -> list[str]:
    """The fields of /proc/PID/stat after the name; the first is the state."""
    return (folder / "stat").read_text().rpartition(")")[2].split()


if __name__ == "__main__":
    main()
