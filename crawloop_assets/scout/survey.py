"""What pages are, by their structure: one record, many, or JSON; and what is proposed
for them."""

from collections.abc import Iterator, Sequence
from itertools import chain
from operator import attrgetter, methodcaller

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind, Reader, Source
from crawloop_assets.crawler.read import Scope, read
from crawloop_assets.document.document import Document
from crawloop_assets.document.links import base_of, html_links, unique
from crawloop_assets.induce.listing.next_link import next_reader
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.scout.answers import Survey
from crawloop_assets.scout.columns import (
    ColumnValues,
    columns_of,
    notation_of_columns,
    telling_key,
)
from crawloop_assets.scout.endpoints import endpoints_in, endpoints_of, scripts_loaded
from crawloop_assets.scout.objects import item_sheets, typed_sheet
from crawloop_assets.scout.pages import page_sheet
from crawloop_assets.scout.proposal import Proposal, ProposedField
from crawloop_assets.scout.rows import row_sheets
from crawloop_assets.scout.sheet import Sheet
from crawloop_assets.scout.siblings import of_one_layout, site_address
from crawloop_assets.values.value import Value

_FEWEST_ROWS = 3
_FEWEST_FIELDS = 2
_MOST_LINKS = 2_000
_LEAST_SHARE = 0.25
"""Share of a page's text that the rows of a listing hold at least."""
_MANY_ROWS = 30
"""More rows are not likelier to be records."""
_OF_PAGE = (FamilyKind.DETAIL, FamilyKind.LISTING)
_KINDS = (FamilyKind.LISTING, FamilyKind.JSON)
_URL = methodcaller("get", "url")
_OWN_ADDRESS = ProposedField(
    spec=FieldSpec(name="url", kind=FieldKind.URL), sources=("the page's address",)
)


def survey(page: Page) -> Survey:
    """What a page is and where it leads."""
    if "javascript" in page.headers.get("content-type", ""):
        asks = endpoints_in(page.text, page.base_url)
        return Survey(kind=FamilyKind.DETAIL, asks=asks)
    document = Document(page)
    rows = listing_proposal([document])
    if document.is_json:
        kind = FamilyKind.JSON if rows else FamilyKind.DETAIL
        return Survey(kind=kind, rows=rows)
    onward = next_reader(document)
    return Survey(
        kind=_kind_of_page(document, rows),
        rows=rows,
        next_at=_css_of(onward),
        next_url=_next_url(document, onward),
        links=_links(document),
        asks=endpoints_of(document),
        scripts=scripts_loaded(document),
    )


def proposal_for(pages: Sequence[Page], kind: FamilyKind) -> Proposal | None:
    """The records of some pages of one layout; None where too little repeats or
    differs."""
    documents = list(map(Document, pages))
    if kind is FamilyKind.DETAIL:
        return detail_proposal(documents)
    return listing_proposal(documents)


def detail_proposal(documents: Sequence[Document]) -> Proposal | None:
    """The one record of each page; None where fewer than two fields are found."""
    found = columns_of(page_sheet(documents))
    columns = [column for column in found if column.name != "url"]
    if not _is_worth(columns):
        return None
    fields = map(attrgetter("field"), columns)
    pages = enumerate(_rows_of(columns))
    return Proposal(
        kind=FamilyKind.DETAIL,
        fields=(*fields, _OWN_ADDRESS),
        examples=tuple(Example(page=page, records=(row,)) for page, row in pages),
        key=("url",),
        notation=notation_of_columns(columns),
    )


def listing_proposal(documents: Sequence[Document]) -> Proposal | None:
    """The records that the first page repeats, as they are on it; None for none."""
    first = documents[0]
    sheets = list(_sheets(first))
    found = zip(map(columns_of, sheets), sheets, strict=True)
    worth = filter(lambda one: _is_worth(one[0]), found)
    best = max(worth, key=lambda one: _promise(one[0]), default=None)
    if best is None:
        return None
    columns, sheet = best
    rows = _rows_of(columns)
    links = map(str, filter(None, map(_URL, rows)))
    return Proposal(
        kind=_KINDS[first.is_json],
        fields=tuple(map(attrgetter("field"), columns)),
        examples=(Example(page=0, records=tuple(rows)),),
        key=telling_key(columns),
        notation=notation_of_columns(columns),
        links=of_one_layout(links, site_address(first.base_url)),
        left_out=sheet.left_out,
    )


def _is_worth(columns: Sequence[ColumnValues]) -> bool:
    """Whether enough fields are found for records."""
    return len(columns) >= _FEWEST_FIELDS


def _sheets(document: Document) -> Iterator[Sheet]:
    """Every sheet of repeated things on a page; of a JSON page only its arrays."""
    yield from item_sheets(document)
    if not document.is_json:
        yield from row_sheets(document)


def _promise(columns: Sequence[ColumnValues]) -> tuple[float, int]:
    """Sorts the likeliest records last: many fields that differ, many rows."""
    rows = len(columns[0].values)
    differing = sum(map(attrgetter("differs"), columns))
    return differing * min(rows, _MANY_ROWS) ** 0.5, rows


def _rows_of(columns: Sequence[ColumnValues]) -> list[dict[str, Value]]:
    """The rows as records, without what is empty."""
    names = list(map(attrgetter("name"), columns))
    rows: list[dict[str, Value]] = []
    for values in zip(*map(attrgetter("values"), columns), strict=True):
        pairs = zip(names, values, strict=True)
        rows.append(dict(filter(_is_filled, pairs)))
    return rows


def _is_filled(pair: tuple[str, Value | None]) -> bool:
    """Whether a field has a value."""
    return pair[1] is not None


def _kind_of_page(document: Document, rows: Proposal | None) -> FamilyKind:
    """Whether a page is about what repeats on it, or about one thing."""
    if rows is None or typed_sheet([document]) is not None:
        return FamilyKind.DETAIL
    records = rows.examples[0].records
    texts = chain.from_iterable(map(dict.values, records))
    # What was not looked at is taken to be as long.
    held = sum(map(len, map(str, texts))) * (1 + rows.left_out / len(records))
    is_most = held >= _LEAST_SHARE * sum(map(len, document.whole.text.split()))
    return _OF_PAGE[is_most and len(records) >= _FEWEST_ROWS]


def _css_of(onward: Reader | None) -> str:
    """The selector of a reader of the next page, where it is css."""
    if onward is None or onward.src is not Source.CSS:
        return ""
    return onward.at


def _next_url(document: Document, onward: Reader | None) -> str:
    """Where the link to the next page leads."""
    if onward is None:
        return ""
    spec = FieldSpec(name="next", kind=FieldKind.URL)
    return str(read(onward, Scope(document), spec) or "")


def _links(document: Document) -> tuple[str, ...]:
    """Where the links of a page lead, each once."""
    found = unique(
        html_links(document.tree, ()),
        base_of(document.tree, document.page),
        _MOST_LINKS,
    )
    return tuple(dict.fromkeys(map(attrgetter("url"), found.links)))
