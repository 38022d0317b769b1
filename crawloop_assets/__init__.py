"""A self-healing web-crawling pipeline on Dagster.

This is the library; importing it loads no engine and no network.
`defs` are the Dagster definitions of the project that the current folder lies in.

crawler = compile_crawler(Product, examples=[(page, [{"title": "…", "price": "12.50"}])])
result = extract(crawler, page)          # result.records, result.fields["price"].agreement, result.held
healed = heal_crawler(crawler, known=[(page, records)], pages=[page])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import dagster

    from crawloop_assets.library import (
        Crawler,
        Healed,
        Result,
        compile_crawler,
        extract,
        heal_crawler,
    )
    from crawloop_assets.page import Page, Verdict
    from crawloop_assets.pipeline.component import FamilyComponent

    defs: dagster.Definitions

__version__ = "0.1.0"
__all__ = [
    "Crawler",
    "FamilyComponent",
    "Healed",
    "Page",
    "Result",
    "Verdict",
    "compile_crawler",
    "defs",
    "extract",
    "heal_crawler",
]

_MODULES = {"Page": "page", "Verdict": "page", "FamilyComponent": "pipeline.component"}
"""Where a name lives; the others are the library's."""


def __dir__() -> list[str]:
    """What is loaded, and the component: `dg list components` looks for it."""
    return [*globals(), "FamilyComponent"]


def __getattr__(name: str) -> Any:
    """A public name, loaded on first use.

    A worker and a Dagster process import the package without paying for the library.
    """
    if name == "defs":
        return import_module("crawloop_assets.definitions").defs()
    if name not in __all__:
        raise AttributeError(f"module 'crawloop_assets' has no attribute {name!r}")
    module = _MODULES.get(name, "library")
    return getattr(import_module(f"crawloop_assets.{module}"), name)
