"""What the doctor says of what a project needs: Dagster's own files, its processes, a
browser, and what people wrote."""

from collections.abc import Iterator

from crawloop_assets.access.chromium.launch import find_chromium
from crawloop_assets.doctor.files import Diagnosis
from crawloop_assets.doctor.tables import refused_by_tables
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family, Rung
from crawloop_assets.pipeline.daemons import daemons_of
from crawloop_assets.pipeline.dagster_files import broken_databases
from crawloop_assets.project import Project


def about_dagster(project: Project) -> Iterator[Diagnosis]:
    """Whether Dagster's own databases can be read."""
    broken = list(broken_databases(project.var))
    for file, said in broken:
        says = (
            f"{file} is damaged ({said}); stop everything, move {project.var / 'dagster'} away and start again: "
            "what Dagster knows of past runs is lost, the store is not; then run the discover jobs"
        )
        yield Diagnosis("Dagster's files", says, is_wrong=True)
    if not broken:
        yield Diagnosis("Dagster's files", "all can be read")


def about_processes(project: Project) -> Iterator[Diagnosis]:
    """Whether two daemons work on the project."""
    running = list(daemons_of(project))
    says = f"{len(running)} daemon(s) on this project"
    if len(running) > 1:
        numbers = ", ".join(map(str, running))
        says += f"; stop all but one of the processes {numbers}"
    yield Diagnosis("processes", says, is_wrong=len(running) > 1)


def about_browser(project: Project) -> Iterator[Diagnosis]:
    """Whether there is a browser, if a family needs one."""
    found, families = find_chromium(), project.read_families().families
    needing = [family.family for family in families if _needs_browser(family)]
    if found or not needing:
        yield Diagnosis("browser", found or "none; no family needs one")
        return
    says = f"no Chromium, which {', '.join(needing)} may need; install one or name it in CRAWLOOP_CHROMIUM"
    yield Diagnosis("browser", says, is_wrong=True)


def _needs_browser(family: Family) -> bool:
    return family.access.render or Rung.BROWSER in family.access.ladder


def about_declared(project: Project) -> Iterator[Diagnosis]:
    """Whether the family files and domains.yaml are right, and the tables take what the
    models declare."""
    families, broken = project.read_families()
    yield Diagnosis("family files", f"{len(families)} are right")
    for one in broken:
        yield Diagnosis("family files", f"{one.name}: {one.error}", is_wrong=True)
    for name, why in refused_by_tables(project, families).items():
        yield Diagnosis("tables", f"{name}: {why}", is_wrong=True)
    try:
        project.load_domains()
    except ConfigError as error:
        yield Diagnosis("domains.yaml", str(error), is_wrong=True)
