"""How a worker carries out each job.

Imported in workers only; every page is parsed once per job.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain, repeat
from operator import attrgetter, itemgetter
from typing import Any

from pydantic import BaseModel

import crawloop_assets.document.dialect  # noqa: F401 - a locked worker can open no file
from crawloop_assets.crawler.coded import typed_rows
from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.crawler.interpreter import run_placed
from crawloop_assets.crawler.marked import marks_of
from crawloop_assets.crawler.own_part import own_page
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.crawler.trace import trace_record
from crawloop_assets.document.display import displayed
from crawloop_assets.document.document import Document
from crawloop_assets.document.links import (
    GZIP,
    Links,
    base_of,
    header_links,
    html_links,
    json_links,
    unique,
    xml_links,
)
from crawloop_assets.document.next_page import lists, next_value, value_at
from crawloop_assets.document.shown import shown_page
from crawloop_assets.document.stated import (
    rows_apart,
    stated_lines,
    stated_parts,
    states_all,
    without_rows,
)
from crawloop_assets.document.trim import Sought, islands, trimmed
from crawloop_assets.drift.facts import PageFacts, page_facts
from crawloop_assets.drift.still_there import not_read
from crawloop_assets.drift.unread_rows import unread_forms
from crawloop_assets.drift.value_lookup import asked_forms, points_of
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import FamilyPast, heal_program
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.healing.marked_pages import with_marked
from crawloop_assets.induce.healing.own_parts import own_parts
from crawloop_assets.induce.lesson import learn_lessons
from crawloop_assets.induce.made import Compiled
from crawloop_assets.induce.proof.examples import prove_first
from crawloop_assets.induce.proof.gauntlet import prove
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.induce.proof.wandered import as_they_stand, with_left_rows
from crawloop_assets.page import Page
from crawloop_assets.sandbox import jobs
from crawloop_assets.sandbox.job import Job
from crawloop_assets.schema import FieldSpec
from crawloop_assets.scout.answers import Contradictions, Lookup, Survey
from crawloop_assets.scout.claims import contradicted
from crawloop_assets.scout.lookup import found_at, readers_for
from crawloop_assets.scout.survey import proposal_for, survey
from crawloop_assets.scout.voices import weighed


@lru_cache(maxsize=64)
def _program(text: str) -> Program:
    """Checked once, run on many pages."""
    return Program.from_json(text)


def _extract(job: jobs.ExtractJob) -> jobs.Extracted:
    """What the program reads on the page, and what the checks need of it, from one
    parse."""
    program = _program(job.program)
    whole = Document(job.page)
    document = own_page(whole, program.part) or whole
    extraction, places = run_placed(program, document)
    specs = list(map(attrgetter("spec"), program.fields))
    several = program.kind is not FamilyKind.DETAIL
    extracted = _with_facts(document, job, extraction, specs, several=several)
    if not several or not job.asked:
        return extracted
    records, points = extraction.records, points_of(specs)
    unread = unread_forms(records, places, specs, job.asked, points)
    facts = extracted.facts.model_copy(update={"unread": unread})
    return extracted.model_copy(update={"facts": facts})


def _with_facts(
    document: Document,
    job: jobs.ExtractJob | jobs.RowsJob,
    extraction: Extraction,
    specs: Sequence[FieldSpec],
    *,
    several: bool,
) -> jobs.Extracted:
    """What was read, beside what the page says of it."""
    values = list(map(attrgetter("values"), extraction.records))
    known = not_read(job.asked, values, specs)
    facts = page_facts(
        document,
        job.page,
        asked_forms(values, specs) | known,
        job.ignore,
        several=several,
        points=points_of(specs),
    )
    return jobs.Extracted(extraction=extraction, facts=facts)


def _typed(job: jobs.RowsJob) -> jobs.Extracted:
    """What the rows that code returned are, and whether they stand on the page."""
    document = Document(job.page)
    schema = job.record_schema
    extraction = typed_rows(job.rows, schema, job.held_by, document.base_url)
    several = len(extraction.records) > 1
    return _with_facts(document, job, extraction, schema.fields, several=several)


def _look(job: jobs.LookJob) -> jobs.Looked:
    """Where the page leads and what kind it is; feeds and sitemaps are read as XML."""
    if _is_feed(job.page):
        links = unique(xml_links(job.page.body), job.page.base_url, job.limit)
        return jobs.Looked(facts=PageFacts(), links=links)
    document = Document(job.page)
    facts = page_facts(document, job.page)
    if not document.is_json:
        return jobs.Looked(facts=facts, links=_links(document, job))
    body = document.roots["body"][0]
    candidates = chain(json_links(body), header_links(job.page))
    return jobs.Looked(
        facts=facts,
        links=unique(candidates, job.page.base_url, job.limit),
        paged=_paged(body, job.onward),
    )


def _paged(body: Any, declared_path: str | None) -> jobs.Paged:
    """What a JSON page says of the next one, at the declared path or by itself."""
    if declared_path:
        onward = value_at(body, declared_path)
    else:
        onward = next_value(body)
    param, value = onward or ("", None)
    return jobs.Paged(param=param, value=value, lists=lists(body))


def _links(document: Document, job: jobs.LookJob) -> Links:
    """The links of an HTML page and of its headers, each once."""
    candidates = chain(html_links(document.tree, job.follow), header_links(job.page))
    return unique(candidates, base_of(document.tree, job.page), job.limit)


_FEEDS = (b"<urlset", b"<sitemapindex", b"<rss", b"<feed", b"<rdf:RDF")
_FEED_HEAD = 2000  # bytes in which a feed says what it is


def _is_feed(page: Page) -> bool:
    """Whether the page is a sitemap or a feed; compressed pages are sitemaps."""
    if page.body.startswith(GZIP):
        return True
    head = page.body[:_FEED_HEAD]
    return any(map(head.__contains__, _FEEDS))


def _trim(job: jobs.TrimJob) -> jobs.Evidence:
    """What a model would be shown of the page; of JSON the islands alone."""
    document = Document(job.page)
    roots: list[tuple[str, Any]] = []
    for name, values in document.roots.items():
        roots.extend(zip(repeat(name), values))
    shown = islands(roots, job.island_chars)
    if document.is_json:
        return jobs.Evidence(html="", islands=shown)
    html, cut = trimmed(document.tree, job.fields, job.levels, job.chars)
    return jobs.Evidence(html=html, islands=shown, cut=cut)


def _show(job: jobs.ShowJob) -> jobs.Evidence:
    """What a model is shown of the page to read it; of JSON the islands alone. Where every
    row is wanted, rows that stand in JSON alone are lines of the page."""
    document = Document(job.page)
    roots: list[tuple[str, Any]] = []
    for name, values in document.roots.items():
        roots.extend(zip(repeat(name), values))
    heads = tuple(map(document.text, document.by_tag.get("h1", ())[:2]))
    fields = (*job.fields, Sought(name="", values=heads))
    stated = stated_parts(roots, fields, job.island_chars)
    if document.is_json:
        return _show_json(job, roots, stated)
    spare = job.island_chars - sum(len(text) for _, text in stated)
    html, cut = shown_page(
        document.tree,
        fields,
        job.chars + max(0, spare),
        most_chars=job.most_chars,
        links=job.links,
        others=[Document(page).tree for page in job.others],
    )
    islands_cut = not states_all(roots, stated)
    if islands_cut and job.every_row:
        apart = rows_apart(roots, fields, html)
        rows, is_cut = _in_lines(apart, job.chars - len(html))
        html, cut = "\n".join((*rows, html)), cut or is_cut
        stated = without_rows(stated, apart)
    return jobs.Evidence(html=html, islands=stated, cut=cut, islands_cut=islands_cut)


def _show_json(
    job: jobs.ShowJob,
    roots: Sequence[tuple[str, Any]],
    stated: tuple[tuple[str, str], ...],
) -> jobs.Evidence:
    """What a model is shown of a page of JSON: what looks like the record; where that is
    not all and every row is wanted, all of it in lines as well, while they fit."""
    is_all = states_all(roots, stated)
    if is_all or not job.every_row:
        return jobs.Evidence(html="", islands=stated, cut=not is_all)
    lines, is_cut = _in_lines(map(itemgetter(1), roots), job.chars)
    return jobs.Evidence(html="\n".join(lines), islands=stated, cut=is_cut)


def _in_lines(values: Iterable[Any], chars: int) -> tuple[list[str], bool]:
    """JSON in lines while they fit, and whether some do not."""
    lines = list(chain.from_iterable(map(stated_lines, values)))
    ends = accumulate(len(line) + 1 for line in lines)
    fitting = sum(end <= chars for end in ends)
    return lines[:fitting], fitting < len(lines)


def _explain(job: jobs.ExplainJob) -> jobs.Explained:
    """Where a record was read, on the page as a person may look at it."""
    document = Document(job.page)
    record = trace_record(_program(job.program), document, job.known, job.field)
    shown = displayed(document, marks_of(record))
    return jobs.Explained(record=record, shown=shown)


def _compile(job: jobs.CompileJob) -> Compiled:
    """A program from examples; see `compile_program`."""
    schema, pages = job.record_schema, job.pages
    examples = as_they_stand(schema, pages, job.examples)
    return compile_program(schema, pages, examples, job.kind, may_guess=job.may_guess)


def _heal(job: jobs.HealJob) -> HealedProgram:
    """A repaired program; see `heal_program`."""
    now = len(job.pages) - job.captures
    past = FamilyPast(job.older, job.siblings, job.pages[now:])
    pages = job.pages[:now]
    return heal_program(job.record_schema, job.program, pages, job.known, past)


def _mark(job: jobs.MarkJob) -> Program:
    """A program with marked flags; see `with_marked`."""
    return with_marked(job.record_schema, job.program, job.pages, job.known)


def _teach(job: jobs.TeachJob) -> HealedProgram:
    """A program of what a person said; see `learn_lessons`."""
    now = len(job.pages) - job.captures
    past = FamilyPast(job.older, captures=job.pages[now:])
    whole = list(map(Document, job.pages[:now]))
    pages = [one.page for one in own_parts(whole, job.program.part)]
    return learn_lessons(
        job.record_schema, job.program, pages, job.known, job.lessons, past
    )


def _prove(job: jobs.ProveJob) -> ScoreSheet:
    """The gauntlet: against the examples for a first version, else against what is
    known and what the version before read. A model may have lost fields since a program
    was made: of those there is nothing to prove."""
    names = set(map(attrgetter("name"), job.record_schema.fields))
    read = {field.spec.name for field in job.program.fields}
    program = job.program.without(read - names)
    if job.examples:
        known = as_they_stand(job.record_schema, job.pages, job.known)
        sheet = prove_first(job.record_schema, program, job.pages, known, job.shown)
        return with_left_rows(sheet, job.known, known)
    return prove(
        job.record_schema,
        program,
        job.pages,
        job.known,
        job.previous,
        job.shown,
        job.read,
        job.strangers,
        whole=job.whole,
        key=job.key,
    )


def _survey(job: jobs.SurveyJob) -> Survey:
    """What the page is; see `survey`."""
    return survey(job.page)


def _look_up(job: jobs.LookupJob) -> Lookup:
    """What a console asks about the page; see `readers_for` and `found_at`."""
    if job.value:
        return readers_for(job.page, job.value)
    return found_at(job.page, job.at, job.get)


def _propose(job: jobs.ProposeJob) -> jobs.Proposed:
    """The fields of the pages; see `proposal_for`."""
    return jobs.Proposed(proposal=proposal_for(job.pages, job.kind))


def _weigh(job: jobs.WeighJob) -> jobs.Weighed:
    """The sure values of each page; see `weighed`."""
    return jobs.Weighed(sure=weighed(job.pages, job.record_schema, job.values))


def _contradict(job: jobs.ContradictJob) -> Contradictions:
    """What speaks against claims; see `contradicted`."""
    return contradicted(job.pages, job.record_schema, job.claimed)


HANDLERS: Mapping[type[Job[Any]], Callable[[Any], BaseModel]] = {
    jobs.ExtractJob: _extract,
    jobs.RowsJob: _typed,
    jobs.LookJob: _look,
    jobs.TrimJob: _trim,
    jobs.ShowJob: _show,
    jobs.ExplainJob: _explain,
    jobs.CompileJob: _compile,
    jobs.HealJob: _heal,
    jobs.MarkJob: _mark,
    jobs.TeachJob: _teach,
    jobs.ProveJob: _prove,
    jobs.SurveyJob: _survey,
    jobs.LookupJob: _look_up,
    jobs.ProposeJob: _propose,
    jobs.WeighJob: _weigh,
    jobs.ContradictJob: _contradict,
}
