"""What may be asked of a worker, and what it answers.

Pure data, one class pair per purpose.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import BaseModel, Field, JsonValue

from crawloop_assets.crawler.extraction import Example, Extraction
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.crawler.trace import RecordTrace
from crawloop_assets.document.links import GZIP, Links
from crawloop_assets.document.trim import Sought
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.induce.healing.healed import HealedProgram, Sibling
from crawloop_assets.induce.made import Compiled
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.induce.taught import Lesson
from crawloop_assets.page import Page
from crawloop_assets.sandbox.job import JobAnswer, PageJob, PagesJob
from crawloop_assets.sandbox.slow import SlowJob
from crawloop_assets.schema import RecordSchema
from crawloop_assets.scout.answers import Contradictions, Lookup, Survey
from crawloop_assets.scout.proposal import Proposal
from crawloop_assets.values.value import Value


class Extracted(JobAnswer):
    """What a program reads on a page, and what the checks need to know of the page."""

    extraction: Extraction
    facts: PageFacts


class ExtractJob(PageJob[Extracted]):
    """Run a program (its canonical JSON) on a page.

    Of what it reads, and of the forms that are `asked` for (those of the last known
    values), the facts say whether they stand on the page. What the patterns of `ignore`
    find there is no content.
    """

    answer: ClassVar[type[BaseModel]] = Extracted

    program: str
    asked: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def slow_key(self) -> SlowJob | None:
        """Its page and the program."""
        return SlowJob(self.page.sha256, self.program)


class Paged(JobAnswer):
    """A JSON page as one of several: the `value` that `param` has on the next one
    (None: it does not say; "": the parameter was declared), and a digest of each of its
    lists."""

    param: str = ""
    value: str | int | None = None
    lists: tuple[str, ...] = ()


class Looked(JobAnswer):
    """A page seen without a program; `paged` if it is JSON."""

    facts: PageFacts
    links: Links
    paged: Paged | None = None


class LookJob(PageJob[Looked]):
    """Where a page leads and what kind of page it is.

    `follow` are css selectors whose links are told apart; `onward` is the path of what
    a JSON page says of the next one, where it cannot be found.
    """

    answer: ClassVar[type[BaseModel]] = Looked

    follow: tuple[str, ...] = ()
    onward: str | None = None
    limit: int = 20_000

    @property
    def roomy(self) -> bool:
        """Sitemaps may be larger: XML costs what it weighs, HTML may cost its square."""
        start = self.page.body[:64].lstrip(b"\xef\xbb\xbf \r\n\t")
        return start.startswith((b"<?xml", GZIP))


class Evidence(JobAnswer):
    """What a model is shown: html without noise, of a list in JSON its lines, and named
    JSON islands; `cut` and `islands_cut` when these are not all that the page has."""

    html: str
    islands: tuple[tuple[str, str], ...] = ()
    cut: bool = False
    islands_cut: bool = False


class TrimJob(PageJob[Evidence]):
    """The part of a page around some fields: `levels` ancestors around the likeliest
    elements of each.

    Without `fields` the whole page. `chars` and `island_chars` are budgets.
    """

    answer: ClassVar[type[BaseModel]] = Evidence

    fields: tuple[Sought, ...] = ()
    levels: int = 3
    chars: int = 24_000
    island_chars: int = 60_000


class ShowJob(PageJob[Evidence]):
    """A page as a model is shown it to read it: whole where it fits, else what is near
    the `fields` that are looked for.

    `chars` and `island_chars` are budgets in characters of plain English, four of which
    are a token; the page gets what the islands leave, its text goes on to `most_chars`.
    `links`: addresses are shown; `every_row`: of a page of JSON all that fits is shown,
    of any other page the rows that stand in its JSON alone.
    What `others`, pages of the family, say goes first.
    """

    answer: ClassVar[type[BaseModel]] = Evidence

    fields: tuple[Sought, ...] = ()
    chars: int = 20_000
    most_chars: int = 0
    island_chars: int = 8_000
    links: bool = True
    every_row: bool = False
    others: tuple[Page, ...] = Field(default=(), max_length=2, exclude=True)

    def documents(self) -> tuple[Page, ...]:
        """The page, and the others."""
        return (self.page, *self.others)

    @classmethod
    def of(cls, fields: Mapping[str, Any], pages: tuple[Page, ...]) -> Self:
        """The job again, likewise."""
        return cls(**fields, page=pages[0], others=pages[1:])


class Explained(JobAnswer):
    """How a record came about, and its page, inert, with the places marked."""

    record: RecordTrace
    shown: str


class ExplainJob(PageJob[Explained]):
    """Where on a page a program reads the record that has most of the `known` values; of
    one `field` only, if one is named."""

    answer: ClassVar[type[BaseModel]] = Explained

    program: str
    known: dict[str, Value] = Field(default_factory=dict)
    field: str = ""


class CompileJob(PagesJob[Compiled]):
    """Make a program from pages of one layout and the records known to stand on
    them; it `may_guess` where a person looks at it."""

    answer: ClassVar[type[BaseModel]] = Compiled

    record_schema: RecordSchema = Field(alias="schema")
    examples: tuple[Example, ...] = ()
    kind: FamilyKind = FamilyKind.DETAIL
    may_guess: bool = False


class HealJob(PagesJob[HealedProgram]):
    """Repair a program on pages it drifted on; `known` are last known good records,
    `older` other versions, `siblings` what other families of the site went through. The
    last so many of the pages are earlier `captures` of the others."""

    answer: ClassVar[type[BaseModel]] = HealedProgram

    record_schema: RecordSchema = Field(alias="schema")
    program: Program
    known: tuple[Example, ...] = ()
    older: tuple[Program, ...] = ()
    siblings: tuple[Sibling, ...] = ()
    captures: int = Field(default=0, ge=0)


class MarkJob(PagesJob[Program]):
    """The program with flags that words of just some pages say; see `with_marked`."""

    answer: ClassVar[type[BaseModel]] = Program

    record_schema: RecordSchema = Field(alias="schema")
    program: Program
    known: tuple[Example, ...] = ()


class TeachJob(PagesJob[HealedProgram]):
    """Make a program of what a person said of one field or several; the rest is healed
    from `known` last good records. The last so many of the pages are earlier `captures`."""

    answer: ClassVar[type[BaseModel]] = HealedProgram

    record_schema: RecordSchema = Field(alias="schema")
    program: Program
    known: tuple[Example, ...] = ()
    lessons: tuple[Lesson, ...] = ()
    older: tuple[Program, ...] = ()
    captures: int = Field(default=0, ge=0)


class ProveJob(PagesJob[ScoreSheet]):
    """The gauntlet: what a candidate must prove on pages of its layout before it may be
    promoted.

    Whoever made it has seen the first `shown` pages; `examples` says that a person
    states what is known. `read` is what a crawler that is no program read on each page;
    `strangers` are the urls of which nothing was ever published; `whole` says that the
    known records have no more fields than are known, `key` what tells them apart.
    """

    answer: ClassVar[type[BaseModel]] = ScoreSheet

    record_schema: RecordSchema = Field(alias="schema")
    program: Program
    known: tuple[Example, ...] = ()
    previous: Program | None = None
    shown: int = 0
    examples: bool = False
    read: tuple[Extraction, ...] = ()
    strangers: frozenset[str] = frozenset()
    whole: bool = False
    key: tuple[str, ...] = ()


class CodeRows(JobAnswer):
    """What the code of a crawler returned for a page, as it was."""

    rows: tuple[dict[str, JsonValue], ...] = ()


class RowsJob(PageJob[Extracted]):
    """What `rows`, which code returned for a page, are as typed values, and what the
    checks need to know of the page; `held_by` is what held the code."""

    answer: ClassVar[type[BaseModel]] = Extracted

    record_schema: RecordSchema = Field(alias="schema")
    rows: tuple[dict[str, JsonValue], ...] = ()
    held_by: str = ""
    asked: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


class CodeJob(PageJob[CodeRows]):
    """Run the code of a crawler on a page, in a child that a fork server makes for
    it. `gated` is false in tests alone: what holds without the gate is the kernel."""

    answer: ClassVar[type[BaseModel]] = CodeRows

    code: str
    gated: bool = True

    def slow_key(self) -> SlowJob | None:
        """Its page and the code."""
        return SlowJob(self.page.sha256, self.code)


class ReadByCodeJob(PageJob[Extracted]):
    """Read a page with the code of a crawler: what `ExtractJob` is for programs.

    No worker knows it: a pool asks a fork server for the rows, and a worker for what
    they are.
    """

    answer: ClassVar[type[BaseModel]] = Extracted

    record_schema: RecordSchema = Field(alias="schema")
    code: str
    asked: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def of_rows(self, rows: tuple[dict[str, JsonValue], ...], held_by: str) -> RowsJob:
        """What is left to ask once the rows are there."""
        return RowsJob(
            page=self.page,
            schema=self.record_schema,
            rows=rows,
            held_by=held_by,
            asked=self.asked,
            ignore=self.ignore,
        )


ReadJob = ExtractJob | ReadByCodeJob
"""Read a page with a version, of whichever kind."""


class SurveyJob(PageJob[Survey]):
    """What a page is that nothing is known of, and where it leads."""

    answer: ClassVar[type[BaseModel]] = Survey


class Proposed(JobAnswer):
    """What is proposed for pages; None where too little repeats or differs."""

    proposal: Proposal | None = None


class ProposeJob(PagesJob[Proposed]):
    """Find the fields of the records on pages of one layout, from structure alone."""

    answer: ClassVar[type[BaseModel]] = Proposed

    kind: FamilyKind


class Weighed(JobAnswer):
    """The fields of each record whose value is sure."""

    sure: tuple[frozenset[str], ...] = ()


class WeighJob(PagesJob[Weighed]):
    """How sure the values are that were read on pages of one record each."""

    answer: ClassVar[type[BaseModel]] = Weighed

    record_schema: RecordSchema = Field(alias="schema")
    values: tuple[dict[str, Value], ...]


class ContradictJob(PagesJob[Contradictions]):
    """What speaks against the records that are `claimed` of each page."""

    answer: ClassVar[type[BaseModel]] = Contradictions

    record_schema: RecordSchema = Field(alias="schema")
    claimed: tuple[tuple[dict[str, Value], ...], ...]


class LookupJob(PageJob[Lookup]):
    """Which readers would read a `value` on a page; without one, what is `at` a place."""

    answer: ClassVar[type[BaseModel]] = Lookup

    value: str = ""
    at: str = ""
    get: str = ""
