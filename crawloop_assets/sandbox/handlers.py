"""How a worker carries out each job.

Imported in workers only; every page is parsed once per job.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import chain
from typing import Any

from pydantic import BaseModel

from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.document.links import (
    Links,
    base_of,
    header_links,
    html_links,
    json_links,
    unique,
    xml_links,
)
from crawloop_assets.document.next_page import lists, next_value, value_at
from crawloop_assets.document.trim import islands, trimmed
from crawloop_assets.drift.facts import PageFacts, page_facts
from crawloop_assets.drift.value_lookup import asked_forms
from crawloop_assets.induce.compile import Compiled, compile_program
from crawloop_assets.induce.healing.heal import HealedProgram, heal_program
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.sandbox import jobs


@lru_cache(maxsize=64)
def _program(text: str) -> Program:
    """Checked once, run on many pages."""
    return Program.from_json(text)


def _extract(job: jobs.ExtractJob) -> jobs.Extracted:
    document, program = Document(job.page), _program(job.program)
    extraction = run(program, document)
    now = asked_forms(
        (record.values for record in extraction.records),
        [field.spec for field in program.fields],
    )
    several = program.kind is not FamilyKind.DETAIL
    facts = page_facts(
        document, job.page, now.union(job.asked), job.ignore, several=several
    )
    return jobs.Extracted(extraction=extraction, facts=facts)


def _look(job: jobs.LookJob) -> jobs.Looked:
    if _is_feed(job.page):
        found = unique(xml_links(job.page.body), job.page.base_url, job.limit)
        return jobs.Looked(facts=PageFacts(), links=found)
    document = Document(job.page)
    facts = page_facts(document, job.page)
    if not document.is_json:
        return jobs.Looked(facts=facts, links=_links(document, job))
    body = document.roots["body"][0]
    found = unique(
        chain(json_links(body), header_links(job.page)), job.page.base_url, job.limit
    )
    onward = value_at(body, job.onward) if job.onward else next_value(body)
    param, value = onward or ("", None)
    return jobs.Looked(
        facts=facts,
        links=found,
        paged=jobs.Paged(param=param, value=value, lists=lists(body)),
    )


def _links(document: Document, job: jobs.LookJob) -> Links:
    found = chain(html_links(document.tree, job.follow), header_links(job.page))
    return unique(found, base_of(document.tree, job.page), job.limit)


_FEEDS = (b"<urlset", b"<sitemapindex", b"<rss", b"<feed", b"<rdf:RDF")


def _is_feed(page: Page) -> bool:
    return page.body.startswith(b"\x1f\x8b") or any(
        mark in page.body[:2000] for mark in _FEEDS
    )


def _trim(job: jobs.TrimJob) -> jobs.Evidence:
    document = Document(job.page)
    roots = [
        (name, value) for name, values in document.roots.items() for value in values
    ]
    kept = islands(roots, job.island_chars)
    if document.is_json:
        return jobs.Evidence(html="", islands=kept)
    html, cut = trimmed(document.tree, job.fields, job.levels, job.chars)
    return jobs.Evidence(html=html, islands=kept, cut=cut)


def _compile(job: jobs.CompileJob) -> Compiled:
    return compile_program(job.record_schema, job.pages, job.examples, job.kind)


def _heal(job: jobs.HealJob) -> HealedProgram:
    return heal_program(
        job.record_schema, job.program, job.pages, job.known, job.older, job.siblings
    )


def _prove(job: jobs.ProveJob) -> ScoreSheet:
    return prove(
        job.record_schema, job.program, job.pages, job.known, job.previous, job.shown
    )


HANDLERS: Mapping[type[jobs.Job[Any]], Callable[[Any], BaseModel]] = {
    jobs.ExtractJob: _extract,
    jobs.LookJob: _look,
    jobs.TrimJob: _trim,
    jobs.CompileJob: _compile,
    jobs.HealJob: _heal,
    jobs.ProveJob: _prove,
}
