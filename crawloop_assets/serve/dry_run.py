"""What a model would be asked about a family's pages, without asking it."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from crawloop_assets.errors import CrawlerFault, PageTooLarge
from crawloop_assets.family import Family
from crawloop_assets.llm.ask import Estimate, estimate
from crawloop_assets.llm.serve import page_question
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page, Verdict
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.serve.by_parts import shown_parts
from crawloop_assets.serve.showing import Showing
from crawloop_assets.serve.visit import stored_page
from crawloop_assets.store import Store


class DryQuestion(NamedTuple):
    """A question about a page, as it would be asked."""

    url: str
    asked: Estimate


def unread_urls(family: Family, store: Store) -> list[str]:
    """The urls that a model would be asked about: no version reads them."""
    by_model = store.past.unread.of(family.family)
    return [
        known.url
        for known in store.frontier(family.family)
        if known.verdict is Verdict.DRIFT or known.url in by_model
    ]


def dry_questions(
    family: Family,
    store: Store,
    pool: WorkerPool,
    settings: ModelSettings,
    urls: Sequence[str],
) -> list[DryQuestion]:
    """The questions about stored pages; a list page may take several."""
    known = store.known(family, list(urls))
    stored = (store.url(family.family, url) for url in urls)
    pages = [stored_page(one, store) for one in stored if one is not None]
    asked = (
        _questions(family, pool, settings, page, known.get(page.url, []))
        for page in pages
        if page is not None
    )
    return list(chain.from_iterable(asked))


def _questions(
    family: Family,
    pool: WorkerPool,
    settings: ModelSettings,
    page: Page,
    known: Sequence[dict[str, object]],
) -> list[DryQuestion]:
    """Those about one page; none about one that no worker can show."""
    schema = family.schema_spec()
    try:
        evidence = pool.run(Showing(schema, family.kind).job(page, known))
    except (CrawlerFault, PageTooLarge):
        return []
    requests = [
        page_question(schema, part, family)
        for part in shown_parts(family, page.base_url, evidence)
    ]
    return [DryQuestion(page.url, estimate(one, settings)) for one in requests]
