"""A family as a Dagster component: declared in a `defs.yaml`, in any Dagster project."""

import os
from pathlib import Path
from typing import Any

import dagster as dg
from pydantic import BaseModel

from crawloop_assets.family import Family
from crawloop_assets.pipeline.build import build_family
from crawloop_assets.project import Project
from crawloop_assets.starter import beside_dagster

_HOME = "CRAWLOOP_HOME"


class FamilyScaffolder(dg.Scaffolder[BaseModel]):
    """What `dg scaffold defs crawloop_assets.FamilyComponent NAME` writes: the component,
    and what of a crawloop project its Dagster project lacks."""

    def scaffold(self, request: dg.ScaffoldRequest[BaseModel]) -> None:
        """Write the files; those that are there are left as they are."""
        name = request.target_path.name.replace("-", "_").lower()
        attributes: dict[str, Any] = {
            "family": name,
            "schema": "schemas:Book",
            "key": ["url"],
            "discover": {"seeds": ["https://books.example/"], "include": ["^/book/"]},
        }
        dg.scaffold_component(request, attributes)
        if request.project_root is not None:
            beside_dagster(request.project_root)


@dg.scaffold_with(FamilyScaffolder)
class FamilyComponent(dg.Component):
    """A family of pages: its urls, pages, records and crawler, with their checks, jobs,
    schedules and sensors. The attributes are the keys of a family file."""

    def __init__(self, family: Family):
        self.family = family

    @classmethod
    def get_model_cls(cls) -> type[BaseModel]:
        """The keys of a family file."""
        return Family

    @classmethod
    def load(
        cls, attributes: BaseModel | None, context: dg.ComponentLoadContext
    ) -> "FamilyComponent":
        """The component of what its file says."""
        return cls(Family.model_validate(attributes))

    def build_defs(self, context: dg.ComponentLoadContext) -> dg.Definitions:
        """Everything of the family; ConfigError where its schema cannot be imported."""
        project = _project(context.project_root)
        project.make_importable()
        return build_family(project, self.family)


def _project(root: Path) -> Project:
    """The project that a Dagster project is. Its runs, which may be started in any
    folder, find it as well."""
    os.environ.setdefault(_HOME, str(root))
    return Project.find()
