"""Whether the tables take what the models of their families declare by now."""

from collections.abc import Sequence
from contextlib import suppress

from crawloop_assets.errors import CrawloopError
from crawloop_assets.family import Family
from crawloop_assets.project import Project
from crawloop_assets.store import Store


def refused_by_tables(project: Project, families: Sequence[Family]) -> dict[str, str]:
    """The families of which no run can publish anything, and why: a field has another
    type than its table. None where there is no store, or one that cannot be read:
    that is said elsewhere."""
    store = Store(project.var, project.published)
    with suppress(CrawloopError):
        if store.layout():
            return store.families.type_conflicts(families)
    return {}
