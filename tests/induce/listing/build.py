"""Listing programs from pages, for tests."""

from collections.abc import Sequence

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.learn import induce_on
from crawloop_assets.induce.listing.scoring import Scored
from crawloop_assets.page import Page
from crawloop_assets.schema import RecordSchema


def induce_listing(
    schema: RecordSchema, pages: Sequence[Page], examples: Sequence[Example]
) -> list[Scored]:
    """What is learned from pages that are not parsed yet."""
    return induce_on(schema, [Document(page) for page in pages], examples)
