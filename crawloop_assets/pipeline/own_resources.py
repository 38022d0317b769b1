"""The pipeline's resources, and what a project puts in their place."""

from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

import dagster as dg

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from crawloop_assets.resources import (
    ModelResource,
    StoreResource,
    WebResource,
    WorkersResource,
)

_Resource: TypeAlias = dg.ConfigurableResource[Any]
_KINDS: dict[str, type[_Resource]] = {
    "store": StoreResource,
    "web": WebResource,
    "workers": WorkersResource,
    "model": ModelResource,
}
_NAME = "RESOURCES"


@cache
def resources_of(project: Project) -> dict[str, _Resource]:
    """Every resource by its name: the project's own where `resources/` has one. They are
    the same ones at every call: Dagster merges no two of one name.

    ConfigError if it names one that the pipeline does not know, or of another kind.
    """
    own = _own(project)
    for name, resource in own.items():
        _check(project, name, resource)
    return {name: kind() for name, kind in _KINDS.items()} | own


def _own(project: Project) -> dict[str, _Resource]:
    """What `RESOURCES` of the project's package holds; nothing where there is none."""
    folder = project.root / "resources"
    if not folder.is_dir():
        return {}
    project.make_importable()
    try:
        own = getattr(import_module("resources"), _NAME, {})
    except Exception as error:  # a module of the user's may raise anything
        raise ConfigError(f"cannot be imported: {error}", file=folder) from error
    if not isinstance(own, dict):
        raise ConfigError(
            f"{_NAME} is no dictionary of names and resources", file=folder
        )
    return own


def _check(project: Project, name: str, resource: object) -> None:
    """ConfigError unless it may stand under that name."""
    kind = _KINDS.get(name)
    file = project.root / "resources"
    if kind is None:
        raise ConfigError(
            f"{_NAME} has {name!r}, which no part of the pipeline asks for",
            file=file,
            hint=f"known: {', '.join(_KINDS)}; those of your own assets go into own/defs",
        )
    if not isinstance(resource, kind):
        raise ConfigError(f"{_NAME}[{name!r}] is no {kind.__name__}", file=file)
