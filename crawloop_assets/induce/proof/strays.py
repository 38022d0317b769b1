"""Pages that a family lists by mistake: its start page, a search, terms.

They match its urls and are none of its records, so no crawler reads one there. A
candidate that reads all others does not fail for them.
"""

from collections.abc import Collection, Sequence

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.document.document import Document
from crawloop_assets.document.layout import (
    NEAR_LAYOUT,
    html_layout,
    is_far,
    json_sketch,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import RecordSchema


def strays_among(
    documents: Sequence[Document],
    known: Collection[int],
    whole: Collection[int],
    strangers: Collection[str],
) -> frozenset[int]:
    """Which pages of a proof are no records of the family, by their position.

    `known` are the positions of pages with known records, `whole` of those that give
    one with every required field, `strangers` the urls of which nothing was ever
    published. A stray is a stranger that gives none and is laid out like none of the
    others. Where nothing is known, or not most pages give one, there are none: then it
    is the candidate that lacks them.
    """
    read = {*known, *whole}
    unread = [
        at
        for at, document in enumerate(documents)
        if at not in read and document.page.url in strangers
    ]
    if not (unread and known) or 2 * len(whole) <= len(documents):
        return frozenset()
    records = [_sketch(documents[at]) for at in read]
    return frozenset(
        at for at in unread if is_far(_sketch(documents[at]), records, NEAR_LAYOUT)
    )


def whole_pages(
    schema: RecordSchema, extractions: Sequence[Extraction]
) -> frozenset[int]:
    """The positions of pages that give a record with every required field."""
    required = {spec.name for spec in schema.fields if spec.required}
    return frozenset(
        at
        for at, one in enumerate(extractions)
        if any(required <= record.values.keys() for record in one.records)
    )


def proved_on(pages: Sequence[Page], strays: Collection[int]) -> str:
    """On how many pages a candidate is proved, and which are no records."""
    urls = ", ".join(pages[at].url for at in sorted(strays))
    beside = f"; no record of the family: {urls}" if urls else ""
    return f"proved on {len(pages) - len(strays)} page(s){beside}"


def _sketch(document: Document) -> tuple[int, ...]:
    """The layout of a page."""
    if document.is_json:
        return json_sketch(document)
    return html_layout(document).sketch()
