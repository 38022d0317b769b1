"""What becomes of a first version that is compiled from a few known records of a site?

python -m bench.first_versions [--sites wine,lots] [--examples 1,2,3,5] [--seed 0] [--said]

The sites are invented (`bench/invented/`): pages of one record, lists and answers of an
API, in several languages, with all that pages do to values. Of each, the first two,
three or five records are known, and a first version is made by the way of the product:
it is published, waits for review, or is not compiled. Then all pages are refreshed, and
every value of every record is held against what the page was made from: right, wrong,
or not read, which a row that is held is, too. What a version that waits would read is
counted likewise. `--said` prints why a version was not made, and every wrong value.
The exit status is 1 where a wrong value is published.
"""

import argparse
import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import chain, groupby, product
from operator import attrgetter
from pathlib import Path
from random import Random

from bench.invented import SITES
from bench.invented.site import Shown, Site
from crawloop_assets.crawler.extraction import Example
from crawloop_assets.drift.values import is_filled
from crawloop_assets.family import Family
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.page import Page, Verdict
from crawloop_assets.record import to_values
from crawloop_assets.sandbox import ExtractJob
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.serve.batch import BatchServer
from crawloop_assets.serve.visit import Visit
from crawloop_assets.store import FoundUrl, Store
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value
from tests.here import Here

PAGES = {"detail": 14, "listing": 3, "json": 3}
_OTHERS = 10
"""Pages of which nothing is known that a first version is made and proved on, at most."""
_MEMORY = Path("/dev/shm")
_Record = Mapping[str, Value]


class End(StrEnum):
    """What became of a first version."""

    PUBLISHED = "published"
    AWAITING = "awaiting review"
    NONE = "not compiled"


_ENDS = {
    RegenerationOutcome.PROMOTED: End.PUBLISHED,
    RegenerationOutcome.AWAITING_REVIEW: End.AWAITING,
}


@dataclass(frozen=True)
class Cell:
    """One site with so many known records: how it ended, its values, and in words what
    went wrong."""

    site: str
    examples: int
    end: End
    right: int = 0
    wrong: int = 0
    unread: int = 0
    said: tuple[str, ...] = ()

    @property
    def is_wrong(self) -> bool:
        """Whether a wrong value is published."""
        return self.end is End.PUBLISHED and bool(self.wrong)

    def __str__(self) -> str:
        return (
            f"| {self.site} | {self.examples} | {self.end.value} "
            f"| {self.right} | {self.wrong} | {self.unread} |"
        )


@dataclass(frozen=True)
class _Made:
    """The pages of a site, and what they state as the product stores it."""

    site: Site
    family: Family
    schema: RecordSchema
    pages: tuple[Page, ...]
    stated: tuple[tuple[_Record, ...], ...]

    def known(self, examples: int) -> tuple[Example, ...]:
        """The first so many records: of the first page of a list, of as many pages of
        one each."""
        if self.site.kind == "detail":
            firsts = enumerate(self.stated[:examples])
            return tuple(Example(page=at, records=records) for at, records in firsts)
        return (Example(page=0, records=self.stated[0][:examples]),)


def cell(site: Site, examples: int, seed: int = 0) -> Cell:
    """What becomes of one site with so many known records, of pages drawn by a seed."""
    made = _made(site, seed)
    memory = str(_MEMORY) if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        store = Store(Path(name) / "var", Path(name) / "out.duckdb")
        store.add_urls(made.family, [FoundUrl(page.url) for page in made.pages])
        shown = made.pages[: examples + _OTHERS]
        sample = HealSample(shown, made.known(examples))
        first = Regenerator(made.family, store, Here(), "first").first(sample)
        end = _ENDS.get(first.outcome, End.NONE)
        if end is End.NONE:
            return Cell(site.name, examples, end, said=tuple(_why(first)))
        if end is End.AWAITING:
            read, why = _would_read(first.program, made.pages), [first.reason]
        else:
            read, why = _published(made, store)
    counts: Counter[str] = Counter()
    wrong = list(why)
    for page, stated in zip(made.pages, made.stated, strict=True):
        for field, want, got in _pairs(made, stated, read.get(page.url, ())):
            counts[_judged(field, want, got)] += 1
            if _judged(field, want, got) == "wrong":
                wrong.append(f"{page.url} {field.name}: {got!r} for {want!r}")
    return Cell(site.name, examples, end, **counts, said=tuple(wrong))


def _made(site: Site, seed: int) -> _Made:
    """All pages of a site, the same every time."""
    chance = Random(f"{site.name}{seed or ''}")
    shown = [site.page(chance, number) for number in range(PAGES[site.kind])]
    pages = tuple(map(_page, shown))
    model = site.model
    said = {"family": f"invented/{site.name}", "kind": site.kind}
    said["schema"] = f"{model.__module__}:{model.__name__}"
    key = {"key": site.key} if site.key else {}
    seeds = {"discover": {"seeds": [pages[0].url]}}
    family = Family.model_validate({**said, **key, **seeds})
    schema = family.schema_spec()
    stated = tuple(
        tuple(to_values(record, schema) for record in one.records) for one in shown
    )
    return _Made(site, family, schema, pages, stated)


def _page(shown: Shown) -> Page:
    """A page as it would be fetched."""
    kind = "application/json" if shown.body.startswith("{") else "text/html"
    return Page(
        url=shown.url,
        body=shown.body.encode(),
        headers={"content-type": f"{kind}; charset=utf-8"},
        fetched_at=datetime.now(UTC),
    )


def _why(first: Regeneration) -> Iterator[str]:
    """Why there is no version: what its sheet says of the fields it fails at."""
    yield first.reason
    for one in first.scores.fields if first.scores else ():
        if not one.readers or one.wrong or one.silent:
            yield f"{one.field}{'*' if one.required else ''}: {one.reason}"


def _would_read(program: str, pages: Iterable[Page]) -> dict[str, Sequence[_Record]]:
    """What a version reads that nobody has let through."""
    jobs = {page.url: ExtractJob(program=program, page=page) for page in pages}
    return {
        url: [record.values for record in Here().run(job).extraction.records]
        for url, job in jobs.items()
    }


def _published(
    made: _Made, store: Store
) -> tuple[dict[str, Sequence[_Record]], list[str]]:
    """What is published of all pages, and which checks are red."""
    for page in made.pages:
        store.bodies.put(page.body)
    urls = {url.url: url for url in store.frontier(made.family.family)}
    visits = [Visit(urls[page.url], page, Verdict.OK) for page in made.pages]
    server = BatchServer(made.family, store, Here(), "refresh", refresh="refresh")
    served = asyncio.run(server.serve("000001", visits))
    server.settle()
    checks = served.judgement.checks
    red = [f"{one.name.value}: {one.sentence}" for one in checks if not one.passed]
    return dict(store.known(made.family)), red


def _pairs(
    made: _Made, stated: Sequence[_Record], read: Sequence[_Record]
) -> Iterator[tuple[FieldSpec, Value, Value]]:
    """What a page states of every field, with what was read; rows by their key, and a
    row that is none against nothing."""
    keys = made.site.key
    by_key = {_key(record, keys): record for record in read}
    for record in stated:
        got = by_key.pop(_key(record, keys), {})
        for field in made.schema.fields:
            yield field, record.get(field.name), got.get(field.name)
    fields = {field.name: field for field in made.schema.fields}
    for name, value in chain.from_iterable(map(dict.items, map(dict, by_key.values()))):
        yield fields[name], None, value


def _key(record: _Record, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(record.get(name)) for name in names)


def _judged(field: FieldSpec, want: Value, got: Value) -> str:
    """What is to be said of one value; that there is none, where there is none, is
    right."""
    if not is_filled(got):
        return "unread" if is_filled(want) else "right"
    is_exact = field.kind in (FieldKind.TEXT, FieldKind.CHOICE)
    is_right = got == want if is_exact else same(got, want, field)
    return "right" if is_right else "wrong"


def totals(cells: Iterable[Cell]) -> Iterator[str]:
    """The same by number of examples."""
    ordered = sorted(cells, key=attrgetter("examples"))
    for examples, found in groupby(ordered, attrgetter("examples")):
        group = list(found)
        ends = Counter(map(attrgetter("end"), group))
        said = ", ".join(f"{ends[end]} {end.value}" for end in End)
        yield f"{examples} examples, {len(group)} sites: {said}"
        for end in (End.PUBLISHED, End.AWAITING):
            of_end = [one for one in group if one.end is end]
            right, wrong, unread = (
                sum(map(attrgetter(name), of_end))
                for name in ("right", "wrong", "unread")
            )
            yield f"- {end.value}: {right} right, {wrong} wrong, {unread} not read"


def main() -> int:
    """Print the table; 1 where a wrong value is published."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    by_name = {site.name: site for site in SITES}
    parser.add_argument("--sites", default=",".join(by_name))
    parser.add_argument("--examples", default="1,2,3,5")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--said", action="store_true")
    asked = parser.parse_args()
    names = asked.sites.split(",")
    unknown = set(names) - by_name.keys()
    if unknown:
        parser.error(f"no site of the name {', '.join(sorted(unknown))}")
    print("| site | examples | end | right | wrong | not read |")
    print("|---|---|---|---|---|---|")
    cells: list[Cell] = []
    for name, count in product(names, map(int, asked.examples.split(","))):
        one = cell(by_name[name], count, asked.seed)
        cells.append(one)
        print(one, flush=True)
        for said in one.said if asked.said else ():
            print(f"  - {said}", flush=True)
    print()
    print("\n".join(totals(cells)))
    return int(any(map(attrgetter("is_wrong"), cells)))


if __name__ == "__main__":
    sys.exit(main())
