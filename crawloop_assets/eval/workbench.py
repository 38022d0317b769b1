"""The pages, gold records and programs of one unit, and what each step cost."""

import time
from collections.abc import Mapping, Sequence
from itertools import chain, starmap
from operator import attrgetter
from pathlib import Path

from crawloop_assets.crawler.extraction import Example, Extraction
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.eval.gold import Gold, gold_record, page_url, to_learn
from crawloop_assets.eval.inputs import in_form, load_page
from crawloop_assets.eval.layouts import Unit
from crawloop_assets.eval.plan import Case
from crawloop_assets.eval.results import CaseResult
from crawloop_assets.eval.schemas import model_for
from crawloop_assets.eval.tasks import Input
from crawloop_assets.eval.templates import Template, template_of, templated
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.page import Page
from crawloop_assets.schema import RecordSchema, schema_of


class Workbench:
    """Compiles, heals and extracts; programs are made once.

    Times go into a result as process CPU milliseconds.
    """

    def __init__(self, folder: Path, unit: Unit, form: Input):
        """`folder` is the pack's; nothing is read before it is needed."""
        self.folder, self.unit, self.form = folder, unit, form
        fields = chain.from_iterable(
            chain.from_iterable(map(attrgetter("records"), unit.pages))
        )
        self.schema: RecordSchema = schema_of(model_for(unit.family, set(fields)))
        self.captures = {page.id: page for page in unit.pages}
        self._pages: dict[str, Page] = {}
        self._gold: dict[str, list[Gold]] = {}
        self._programs: dict[tuple[str, ...], Program | None] = {}
        self._extracted: set[str] = set()

    @property
    def kind(self) -> FamilyKind:
        """What programs of the unit read."""
        if self.unit.family.kind == "json":
            return FamilyKind.JSON
        return FamilyKind.LISTING if self.unit.listing else FamilyKind.DETAIL

    def page(self, page_id: str) -> Page:
        """The capture as a page, in this bench's form."""
        if page_id not in self._pages:
            self._pages[page_id] = self._shown(*template_of(page_id))
        return self._pages[page_id]

    def _shown(self, page_id: str, template: Template | None) -> Page:
        """The captured bytes, or what a template makes of the record."""
        capture = self.captures[page_id]
        url = page_url(capture.url, capture.records)
        if template is None:
            return load_page(self.folder / capture.file, url, self.form)
        record = to_learn(self.gold(page_id)[0])
        body = templated(template, self.schema, record)
        page = Page(url=url, body=body, headers={"content-type": "text/html"})
        return in_form(page, self.form)

    def in_dom(self, page_id: str) -> Mapping[str, float | None]:
        """Which share of each value stands in a page; a template shows all of it, if
        not in a script."""
        capture, template = template_of(page_id)
        if template is None:
            return self.captures[capture].in_dom
        return dict.fromkeys(self.gold(page_id)[0], float(template.is_shown))

    def gold(self, page_id: str) -> list[Gold]:
        """The typed gold records of a capture."""
        name, _ = template_of(page_id)
        if name not in self._gold:
            capture = self.captures[name]
            url = page_url(capture.url, capture.records)
            self._gold[name] = [
                gold_record(record, self.schema, url, capture.alternatives)
                for record in capture.records
            ]
        return self._gold[name]

    def example(self, index: int, page_id: str, most: int | None = None) -> Example:
        """The gold records of a capture (`most` of them) as an example."""
        records = tuple(map(to_learn, self.gold(page_id)[:most]))
        return Example(page=index, records=records)

    def heal(self, case: Case, old: Program, result: CaseResult) -> HealedProgram:
        """The program healed with the case's hints."""
        pages = [self.page(hint.page) for hint in case.hints]
        known = [
            self.example(index, hint.known)
            for index, hint in enumerate(case.hints)
            if hint.known
        ]
        start = time.process_time()
        healed = heal_program(self.schema, old, pages, known)
        result.times.setdefault("heal_ms", []).append(_since(start))
        return healed

    def learned(self, learn: tuple[str, ...], result: CaseResult) -> Program | None:
        """The program of these captures, None if none can be made."""
        if learn not in self._programs:
            examples = list(starmap(self.example, enumerate(learn)))
            pages = list(map(self.page, learn))
            self._programs[learn] = self.compile(pages, examples, result)
        return self._programs[learn]

    def compile(
        self, pages: Sequence[Page], examples: Sequence[Example], result: CaseResult
    ) -> Program | None:
        """A program for examples, None if none can be made."""
        start = time.process_time()
        compiled = compile_program(self.schema, pages, examples, self.kind)
        result.times.setdefault("induce_ms", []).append(_since(start))
        return compiled.program

    def extract(
        self, program: Program | None, page_id: str, result: CaseResult
    ) -> Extraction:
        """What a program reads from a capture; nothing without one."""
        if program is None:
            return Extraction()
        start = time.process_time()
        document = Document(self.page(page_id))
        parsed = time.process_time()
        extraction = run(program, document)
        if page_id not in self._extracted:
            # One time per page: pages with many cases do not weigh more.
            self._extracted.add(page_id)
            result.times.setdefault("parse_ms", []).append((parsed - start) * 1000)
            result.times.setdefault("extract_ms", []).append(_since(parsed))
        return extraction


def _since(start: float) -> float:
    """CPU milliseconds since `start`, which is in seconds."""
    return (time.process_time() - start) * 1000
