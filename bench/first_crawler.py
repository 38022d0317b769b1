"""What is a first crawler worth that was compiled from what a model read on a few pages?

python -m bench.first_crawler DATA_DIR --cassette FOLDER [--api-base URL] [--half first]
    [--sites N] [--seed 18]

Sites are families of the data whose fields are named and nothing else (no example, no
label), halved by seed. Of each, the flow of a newcomer with a key is run: a model reads
three to five of its pages, a crawler is compiled from that, and it reads the others. Its
F1 on pages that the model never saw is held against the model's own F1 on the pages it
read, paired by site. Answers are kept in the cassette; with one, no endpoint is needed,
and a question that it has no answer to counts as one without an answer.
"""

import argparse
import asyncio
import os
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from statistics import mean
from types import ModuleType
from urllib.parse import urlsplit, urlunsplit

from pydantic import SecretStr, create_model

from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.values import is_filled
from crawloop_assets.errors import CrawloopError
from crawloop_assets.eval.gold import Gold, gold_record
from crawloop_assets.eval.inputs import load_page
from crawloop_assets.eval.pack import Capture, PackFamily, load_pack
from crawloop_assets.eval.schemas import model_for
from crawloop_assets.eval.tasks import Input
from crawloop_assets.family import Family
from crawloop_assets.heal.first_by_model import FirstByModel
from crawloop_assets.heal.oracle import ModelOracle
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.llm.question import Purpose
from crawloop_assets.llm.serve import ModelRead, PageEvidence
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page
from crawloop_assets.sandbox import ExtractJob, WorkerPool
from crawloop_assets.schema import RecordSchema
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.store import Store
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value, as_list

_MODULE = "bench_sites"
_RESAMPLED = 2_000
_CHARS_PER_TOKEN = 4
_PATIENCE_S = 3_000
"""Whoever answers may be slow."""
_NOTHING = Regeneration(RegenerationOutcome.REJECTED, "nothing is known of the pages")
_Read = Mapping[str, Value]


@dataclass(frozen=True)
class SiteResult:
    """One site: how the crawler came about, its F1 on pages the model never saw, the
    model's own on those it read, and what it was asked."""

    site: str
    ended: str
    crawler: float
    reader: float
    unseen: int
    read: int
    tokens: int
    reason: str


@dataclass(frozen=True)
class _Counted(ModelReader):
    """A reader that notes how many characters of pages it shows."""

    chars: list[int] = field(default_factory=list)

    def _ask(self, part: PageEvidence, example: Record | None = None) -> ModelRead:
        self.chars.append(sum(len(text) for _, text in part.parts))
        return super()._ask(part, example)


@dataclass(frozen=True)
class _Bench:
    """What all sites share."""

    folder: Path
    settings: ModelSettings
    pool: WorkerPool
    seed: int

    def result(self, site: PackFamily) -> SiteResult:
        """What comes of one site."""
        captures = list(site.pages)
        random.Random(f"{self.seed} {site.family}").shuffle(captures)
        family = _family(site)
        schema = family.schema_spec()
        pages = list(map(self._page, captures))
        gold = [_gold(one, schema) for one in captures]
        with tempfile.TemporaryDirectory() as name:
            store = Store(Path(name) / "var", Path(name) / "out.duckdb")
            reader = _Counted(
                family,
                schema,
                store.calls,
                self.pool,
                self.settings,
                "bench",
                Purpose.ORACLE,
            )
            regenerator = Regenerator(family, store, self.pool, "bench")
            by_model = FirstByModel(ModelOracle(reader, store))
            made = by_model.first(regenerator, pages, _NOTHING)
            calls = len(reader.chars)
            own = self._own(reader, pages[:calls])
        unseen = range(calls, len(pages))
        crawled = [self._crawled(made.program, pages[at]) for at in unseen]
        return SiteResult(
            site.family,
            made.outcome.value,
            _f1([gold[at] for at in unseen], crawled),
            _f1(gold[:calls], own),
            len(unseen),
            calls,
            sum(reader.chars[:calls]) // _CHARS_PER_TOKEN,
            made.reason,
        )

    def _page(self, capture: Capture) -> Page:
        """A captured page; captures of one site may bear one address, and a store tells
        pages apart by it."""
        page = load_page(self.folder / capture.file, capture.url, Input.AS_IS)
        parts = urlsplit(capture.url)
        query = "&".join(filter(None, (parts.query, f"page={capture.id}")))
        url = urlunsplit(parts._replace(query=query))
        return page.model_copy(update={"url": url})

    def _own(self, reader: ModelReader, pages: Sequence[Page]) -> list[_Read]:
        """What the model itself read on pages: the answers are kept by now."""
        return [self._kept(reader, page) for page in pages]

    def _kept(self, reader: ModelReader, page: Page) -> _Read:
        """The same of one page; nothing where it had no answer."""
        try:
            found = asyncio.run(reader.read(page))
        except CrawloopError:
            return {}
        return next(iter(found.records), {})

    def _crawled(self, program: str, page: Page) -> _Read:
        """What the crawler reads on a page; nothing without one."""
        if not program:
            return {}
        read = self.pool.run(ExtractJob(program=program, page=page)).extraction
        return next(map(attrgetter("values"), read.records), {})


def _family(site: PackFamily) -> Family:
    """The family of a newcomer: fields by name, no example."""
    models = sys.modules.setdefault(_MODULE, ModuleType(_MODULE))
    name = f"{site.schema_name}_{site.family.replace('/', '_')}"
    made = model_for(site, set(site.fields))
    setattr(models, name, create_model(name, __base__=made))
    said = {"family": f"bench/{name.lower()}", "schema": f"{_MODULE}:{name}"}
    return Family.model_validate({**said, "discover": {}})


def _gold(capture: Capture, schema: RecordSchema) -> Gold:
    """What a page states, by its labels."""
    (record,) = capture.records
    return gold_record(record, schema, capture.url, capture.alternatives)


def _f1(golds: Sequence[Gold], reads: Sequence[_Read]) -> float:
    """The harmonic mean of precision and recall over the fields of some pages."""
    right = given = wanted = 0
    for gold, read in zip(golds, reads, strict=True):
        wanted += len(gold)
        given += sum(map(is_filled, read.values()))
        right += sum(_is_right(gold[name], read.get(name)) for name in gold)
    return 2 * right / (given + wanted) if given + wanted else 0.0


def _is_right(accepted: Sequence[Value], read: Value) -> bool:
    """Whether what was read of a field is one of its right values, by its letters."""
    if not is_filled(read):
        return False
    return _written(read) in set(map(_written, accepted))


def _written(value: Value) -> frozenset[str]:
    """The letters of a value, or of each item of a list."""
    return frozenset(letters(str(one)) for one in as_list(value))


def interval(differences: Sequence[float], seed: int) -> tuple[float, float]:
    """Between what 95 % of the means of resampled sites lie."""
    draw = random.Random(seed)
    means = sorted(
        mean(draw.choices(differences, k=len(differences))) for _ in range(_RESAMPLED)
    )
    return means[_RESAMPLED // 40], means[-_RESAMPLED // 40]


def halved(sites: Sequence[PackFamily], seed: int, half: str) -> Sequence[PackFamily]:
    """One half of the sites, which are put in order by the seed before they are looked
    at."""
    ordered = sorted(sites, key=lambda site: site.family)
    random.Random(seed).shuffle(ordered)
    cut = (len(ordered) + 1) // 2
    return {"first": ordered[:cut], "second": ordered[cut:], "all": ordered}[half]


def _print(results: Sequence[SiteResult], seed: int) -> None:
    """A line for each site, and what they come to."""
    print(
        "site                      ended      crawler (pages)  reader (pages)  tokens"
    )
    for one in results:
        print(
            f"{one.site:<25} {one.ended:<10} {one.crawler:.3f} ({one.unseen})        "
            f"{one.reader:.3f} ({one.read})      {one.tokens:,}"
        )
        if one.ended == RegenerationOutcome.REJECTED.value:
            print(f"    {one.reason[:300]}")
    counted = list(filter(attrgetter("reader"), results))
    differences = [one.crawler - one.reader for one in counted]
    print(f"n = {len(counted)} of {len(results)} sites: the others have no answers")
    if not counted:
        return
    low, high = interval(differences, seed)
    tokens = list(map(attrgetter("tokens"), counted))
    print(
        f"crawler {mean(one.crawler for one in counted):.3f}, "
        f"reader {mean(one.reader for one in counted):.3f}, "
        f"difference {mean(differences):+.3f} (95 % of resampled sites: {low:+.3f} to {high:+.3f}); "
        f"{mean(tokens):,.0f} tokens of pages for a site, then none"
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cassette", type=Path, required=True)
    parser.add_argument("--api-base", default="", help="an OpenAI-compatible server")
    parser.add_argument("--half", choices=("first", "second", "all"), default="first")
    parser.add_argument("--sites", type=int, default=None, help="no more than so many")
    parser.add_argument("--seed", type=int, default=18)
    asked = parser.parse_args()
    settings = ModelSettings(
        model="openai/reader",
        api_key=SecretStr("none"),
        local=True,
        timeout_s=_PATIENCE_S,
        patience_s=0,
        cache=asked.cassette,
    )
    sites = [one for one in load_pack(asked.folder) if one.kind == "detail"]
    chosen = halved(sites, asked.seed, asked.half)[: asked.sites]
    if not asked.api_base:
        settings = settings.model_copy(update={"calls_per_day": 0})
    else:
        os.environ["OPENAI_API_BASE"] = asked.api_base
    with WorkerPool(2) as pool:
        bench = _Bench(asked.folder, settings, pool, asked.seed)
        with ThreadPoolExecutor(len(chosen)) as threads:
            results = list(threads.map(bench.result, chosen))
    _print(results, asked.seed)


if __name__ == "__main__":
    main()
