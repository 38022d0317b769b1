"""Look at everything a project needs, and say what is wrong and what is not."""

from collections.abc import Callable, Iterator

from crawloop_assets.doctor.files import (
    Diagnosis,
    about_disk,
    about_published,
    about_rights,
    about_store,
)
from crawloop_assets.doctor.surroundings import (
    about_browser,
    about_dagster,
    about_declared,
    about_processes,
)
from crawloop_assets.project import Project

_CHECKS: tuple[Callable[[Project], Iterator[Diagnosis]], ...] = (
    about_store,
    about_published,
    about_disk,
    about_rights,
    about_dagster,
    about_processes,
    about_browser,
    about_declared,
)


def examine(project: Project) -> Iterator[Diagnosis]:
    """Everything there is to say; nothing is changed."""
    for check in _CHECKS:
        try:
            yield from check(project)
        except OSError as error:
            says = f"cannot look: {error}; give this user the right to"
            yield Diagnosis(check.__name__.removeprefix("about_"), says, is_wrong=True)
