"""A new project: the folder that `crawloop init` makes."""

from crawloop_assets.starter.completion import EDITED, editor_schema, write_schemas
from crawloop_assets.starter.project import (
    NewProject,
    init_project,
    lay_out_shop,
    shipped,
    shop_models,
)

__all__ = [
    "EDITED",
    "NewProject",
    "editor_schema",
    "init_project",
    "lay_out_shop",
    "shipped",
    "shop_models",
    "write_schemas",
]
