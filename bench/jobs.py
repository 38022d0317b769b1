"""What many families cost in Dagster: `python -m bench.jobs [--families 200]`.

Lays out a project of copies of one family, builds its definitions as the code server
does, and counts: assets, checks, jobs, and how long and how much memory the jobs of
every family take beside the same without them.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from unittest.mock import patch

from crawloop_assets.project import PACKAGE, Project

_WAYS = ("all", "no jobs of a family")


def lay_out(home: Path, families: int) -> Project:
    """A project of that many copies of the shop's product family."""
    project = Project.at(home)
    project.families.mkdir(parents=True)
    text = (PACKAGE / "families" / "shop_product.yaml").read_text(encoding="utf-8")
    for number in range(families):
        name = f"site{number // 10}/product{number}"
        (project.families / f"family{number}.yaml").write_text(
            text.replace("family: shop/product", f"family: {name}"), encoding="utf-8"
        )
    domains = (PACKAGE / "domains.yaml").read_text(encoding="utf-8")
    project.domains.write_text(domains, encoding="utf-8")
    return project


def measure(way: str, families: int) -> dict[str, float]:
    """The figures of one way, in a process of its own."""
    command = [sys.executable, "-m", "bench.jobs", "--one", way]
    done = subprocess.run(
        [*command, "--families", str(families)],
        capture_output=True,
        text=True,
        check=True,
    )
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def one(way: str, families: int) -> dict[str, float]:
    """Build the definitions, and the repository that the UI asks."""
    from crawloop_assets.pipeline import build

    with tempfile.TemporaryDirectory() as folder:
        project = lay_out(Path(folder) / "project", families)
        os.environ["CRAWLOOP_HOME"] = str(project.root)
        begin = time.perf_counter()
        jobs = build._all_jobs if way == _WAYS[0] else (lambda _: [])
        sensors = build._sensors if way == _WAYS[0] else (lambda *_: [])
        schedules = build._schedules if way == _WAYS[0] else (lambda *_: [])
        with (
            patch.object(build, "_all_jobs", jobs),
            patch.object(build, "_sensors", sensors),
            patch.object(build, "_schedules", schedules),
        ):
            repository = build.build_definitions(project).get_repository_def()
        named = repository.get_all_jobs()
        seconds = time.perf_counter() - begin
        graph = repository.asset_graph
        return {
            "assets": len(graph.get_all_asset_keys()),
            "checks": len(graph.asset_check_keys),
            "jobs": sum(not job.name.startswith("__") for job in named),
            "seconds": round(seconds, 1),
            "MB": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        }


def main() -> None:
    """Both ways, as a line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--families", type=int, default=200)
    parser.add_argument("--one", choices=_WAYS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(one(asked.one, asked.families)))
        return
    for way in _WAYS:
        print(f"{way}: {measure(way, asked.families)}", flush=True)


if __name__ == "__main__":
    main()
