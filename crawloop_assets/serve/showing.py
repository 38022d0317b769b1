"""What is asked of a worker so that a model is shown a page: what is looked for, what
may be left out, and how much room there is."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.document.trim import Sought
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.values import EMPTY
from crawloop_assets.errors import CrawlerFault, PageTooLarge
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Evidence, ShowJob, WorkerPool
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.serve.by_parts import LIST_CHARS
from crawloop_assets.values.value import as_list

_CHARS_PER_TOKEN = 4
_TOKENS = 7_000
_ISLAND_TOKENS = 2_000
"""Of those, what the page states in JSON may take."""
_MOST_TOKENS = 20_000
"""Of a page whose record is its text."""
_MOST_OTHERS = 2


def show_job(
    page: Page,
    schema: RecordSchema,
    sought: Sequence[Sought],
    *,
    others: Sequence[Page] = (),
    tokens: int = _TOKENS,
) -> ShowJob:
    """How a page is shown in about so many tokens.

    Addresses are shown if the record has any. Where the record is a text of many parts,
    a long page is shown beyond. Of `others`, pages of the family, two that are other
    pages tell what all of them have.
    """
    beside = [
        one for one in others if one.sha256 != page.sha256 and one.url != page.url
    ]
    is_text = any(map(_is_text, schema.fields))
    return ShowJob(
        page=page,
        fields=tuple(sought),
        chars=_CHARS_PER_TOKEN * (tokens - _ISLAND_TOKENS),
        most_chars=_CHARS_PER_TOKEN * _MOST_TOKENS if is_text else 0,
        island_chars=_CHARS_PER_TOKEN * _ISLAND_TOKENS,
        links=any(map(_has_address, schema.fields)),
        others=tuple(beside[:_MOST_OTHERS]),
    )


def sought_of(schema: RecordSchema, known: Sequence[Record]) -> tuple[Sought, ...]:
    """What is looked for on a page: the fields by their names, and known values."""
    found = []
    for spec in schema.fields:
        values = chain.from_iterable(as_list(one.get(spec.name)) for one in known)
        texts = tuple(str(value) for value in values if value not in EMPTY)
        words = (spec.name, *spec.aliases)
        found.append(Sought(name=spec.name, words=words, values=texts))
    return tuple(found)


@dataclass(frozen=True)
class Showing:
    """Shows pages of a kind to a model that is to read the fields of a schema."""

    schema: RecordSchema
    kind: FamilyKind

    def job(
        self, page: Page, known: Sequence[Record] = (), others: Sequence[Page] = ()
    ) -> ShowJob:
        """How a page is shown of which some records are known: of a list there is
        more."""
        sought = sought_of(self.schema, known)
        job = show_job(page, self.schema, sought, others=others)
        if self.kind is FamilyKind.DETAIL:
            return job
        return job.model_copy(update={"chars": LIST_CHARS, "every_row": True})

    async def evidence(
        self,
        pool: WorkerPool,
        page: Page,
        known: Sequence[Record] = (),
        others: Sequence[Page] = (),
    ) -> Evidence:
        """What a model is shown of a page; of a list all its rows, as far as there is
        room for them in all questions.

        Raises what `WorkerPool.arun` raises. No page is lost to trouble with another
        one: the page is then shown without them.
        """
        job = self.job(page, known, others)
        try:
            return await pool.arun(job)
        except (CrawlerFault, PageTooLarge):
            if not job.others:
                raise
        return await pool.arun(job.model_copy(update={"others": ()}))


def _is_text(spec: FieldSpec) -> bool:
    """Whether a field is a text of many parts."""
    return spec.kind is FieldKind.TEXT and spec.shape is Shape.LIST


def _has_address(spec: FieldSpec) -> bool:
    """Whether a field, or a part of it, is an address."""
    return spec.kind is FieldKind.URL or any(map(_has_address, spec.fields))
