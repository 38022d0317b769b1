"""A new project: the folder that `crawloop init` makes."""

from crawloop_assets.starter.project import (
    NewProject,
    init_project,
    lay_out_shop,
    shipped,
    shop_models,
)

__all__ = ["NewProject", "init_project", "lay_out_shop", "shipped", "shop_models"]
