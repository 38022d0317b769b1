"""The product's side: one process that runs jobs of a project as Dagster runs them.

It reads lines such as `refresh adv/product`, and answers each with one line of JSON.
"""

import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Done:
    """How a job ended: when each batch was made (seconds since the epoch), and the
    batch of each url."""

    success: bool
    batches: dict[str, float] = field(default_factory=dict)
    urls: dict[str, str] = field(default_factory=dict)


def run_job(home: Path, kind: str, name: str) -> Done:
    """One job to its end, in this process as Dagster's in-process executor runs it."""
    import dagster as dg

    from crawloop_assets.pipeline.build import build_definitions
    from crawloop_assets.pipeline.launch import prepare
    from crawloop_assets.pipeline.names import AssetNames, RunMode
    from crawloop_assets.project import Project
    from crawloop_assets.store import Store

    project = Project.at(home)
    family = project.family(name)
    names = AssetNames(family)
    prepare(project)
    instance = dg.DagsterInstance.get()
    tags: dict[str, str] = {}
    if kind == "refresh":
        batches = sorted(instance.get_dynamic_partitions(names.partition_set))
        if not batches:
            return Done(True)
        tags = names.tags(RunMode.REFRESH, batches=(batches[0], batches[-1]))
    job = build_definitions(project).resolve_job_def(f"{kind}_{family.slug}")
    result = job.execute_in_process(instance=instance, tags=tags, raise_on_error=False)
    made = _made(instance.all_logs(result.run_id), names.records)
    known = Store(project.var, project.published).frontier(name)
    return Done(result.success, made, {one.url: str(one.batch) for one in known})


def _made(entries: Any, asset: Any) -> dict[str, float]:
    """When each batch of an asset was made."""
    found = {}
    for entry in entries:
        event = entry.dagster_event
        if (
            event is not None
            and event.is_step_materialization
            and event.asset_key == asset
        ):
            found[str(event.partition)] = entry.timestamp
    return found


def main() -> None:
    """Until there are no more jobs."""
    home = Path(sys.argv[1])
    for line in sys.stdin:
        kind, name = line.split()
        print(
            json.dumps(asdict(run_job(home, kind, name))),
            file=sys.__stdout__,
            flush=True,
        )


if __name__ == "__main__":
    main()
