"""A self-healing web-crawling pipeline on Dagster. This is the library; importing it loads no engine and no network.

crawler = compile_crawler(Product, examples=[(page, [{"title": "…", "price": "12.50"}])])
result = extract(crawler, page)          # result.records, result.fields["price"].agreement, result.held
healed = heal_crawler(crawler, known=[(page, records)], pages=[page])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from crawloop_assets.library import (
        Crawler,
        Healed,
        Result,
        compile_crawler,
        extract,
        heal_crawler,
    )
    from crawloop_assets.page import Page, Verdict

__version__ = "0.1.0"
__all__ = [
    "Crawler",
    "Healed",
    "Page",
    "Result",
    "Verdict",
    "compile_crawler",
    "extract",
    "heal_crawler",
]


def __getattr__(name: str) -> Any:
    # Loaded on first use: a worker and a Dagster process import the package without paying for the library.
    if name in __all__:
        module = "page" if name in ("Page", "Verdict") else "library"
        return getattr(import_module(f"crawloop_assets.{module}"), name)
    raise AttributeError(f"module 'crawloop_assets' has no attribute {name!r}")
