"""A new project: the folder that `crawloop init` makes."""

from crawloop_assets.starter.completion import EDITED, editor_schema, write_schemas
from crawloop_assets.starter.family_file import (
    NewFamily,
    check_new_name,
    rename_in_file,
    write_family,
)
from crawloop_assets.starter.project import (
    NewProject,
    beside_dagster,
    init_project,
    lay_out_shop,
    shipped,
    shop_models,
)

__all__ = [
    "EDITED",
    "NewFamily",
    "NewProject",
    "beside_dagster",
    "check_new_name",
    "editor_schema",
    "init_project",
    "lay_out_shop",
    "rename_in_file",
    "shipped",
    "shop_models",
    "write_family",
    "write_schemas",
]
