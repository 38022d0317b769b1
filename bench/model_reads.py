"""What a model reads of real pages that it is shown as serving shows them.

python -m bench.model_reads DATA_DIR... --what lists|opinion [--pages 10] [--seed 18]
                            [--cache FOLDER]

Pages are drawn by seed, one of a family, kinds of record in turn: of lists those of at
most 40 rows, for a second opinion pages of one record, and of their fields those of one value.
The model is that of the environment (docs/model.md); it is given the prompt alone.

Printed is, for each field, how many of the known values that the page shows in some form
are read right, otherwise or not at all, and every value that is not right. Of a second opinion also: how many pages it
calls wrong though the known values are what a version read, and how many of those in
which one value is that of another page of the family.
"""

import argparse
import asyncio
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain, filterfalse, islice, zip_longest
from operator import attrgetter, methodcaller
from pathlib import Path

from bench.perfect_reader import Pieces, quotes_of
from bench.prompt import Unbounded, captured_page, family_of
from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.drift.matching import Record
from crawloop_assets.drift.values import is_filled
from crawloop_assets.errors import CrawloopError
from crawloop_assets.eval.gold import Gold, gold_record, to_learn
from crawloop_assets.eval.pack import Capture, PackFamily, load_pack
from crawloop_assets.eval.schemas import model_for
from crawloop_assets.eval.score import Score, match_rows, score_value
from crawloop_assets.llm.question import Purpose
from crawloop_assets.llm.settings import ModelSettings, model_settings
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.schema import FieldSpec, RecordSchema, Shape, schema_of
from crawloop_assets.serve.by_parts import WholeRead
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import Value, as_list

_MOST_ROWS = 40
_AT_ONCE = 32
_PATIENCE_S = 3_000
"""Whoever answers may be slow."""


@dataclass(frozen=True)
class Drawn:
    """A page of a pack's family."""

    folder: Path
    family: PackFamily
    capture: Capture

    @property
    def schema(self) -> RecordSchema:
        """The fields that are asked for."""
        names = set(chain.from_iterable(self.capture.records))
        schema = schema_of(model_for(self.family, names))
        if self.family.kind == "listing":
            return schema
        fields = tuple(filter(_is_single, schema.fields))
        return schema.model_copy(update={"fields": fields})

    @property
    def gold(self) -> list[Gold]:
        """What is known of its records, of the fields that are asked for."""
        page, schema = captured_page(self.folder, self.capture), self.schema
        names = set(map(attrgetter("name"), schema.fields))
        return [
            gold_record(
                {name: raw[name] for name in names & set(raw)},
                schema,
                page.base_url,
                self.capture.alternatives,
            )
            for raw in self.capture.records
        ]

    @property
    def others(self) -> Iterator[Record]:
        """A record of each other page of the family, as a version would read it."""
        for one in self.family.pages:
            gold = Drawn(self.folder, self.family, one).gold
            if gold and one.url != self.capture.url:
                yield to_learn(gold[0])

    @property
    def example(self) -> Record | None:
        """One of those."""
        return next(self.others, None)


@dataclass(frozen=True)
class ReadPage:
    """A page, what a model read of it, and why nothing if it did not."""

    drawn: Drawn
    found: WholeRead
    why: str = ""

    @property
    def records(self) -> list[ExtractedRecord]:
        """What was read, as records."""
        return [ExtractedRecord(values=dict(one)) for one in self.found.records]


def _is_single(spec: FieldSpec) -> bool:
    """Whether a field is one value."""
    return spec.shape is Shape.ONE


def drawn(asked: argparse.Namespace) -> Iterator[Drawn]:
    """The pages: see the module."""
    by_kind: dict[str, list[Drawn]] = defaultdict(list)
    draw = random.Random(asked.seed)
    for folder in asked.folder:
        for family in load_pack(folder):
            pages = map(partial(Drawn, folder, family), family.pages)
            fitting = list(filter(partial(_fits, asked.what), pages))
            if fitting:
                by_kind[family.schema_name].append(draw.choice(fitting))
    for kind in sorted(by_kind):
        draw.shuffle(by_kind[kind])
    turns = chain.from_iterable(zip_longest(*map(by_kind.__getitem__, sorted(by_kind))))
    yield from islice(filter(None, turns), asked.pages)


def _fits(what: str, one: Drawn) -> bool:
    """Whether a page is of the kind that is asked about."""
    rows = len(one.capture.records)
    if what == "lists":
        return one.family.kind == "listing" and 1 < rows <= _MOST_ROWS
    return one.family.kind == "detail" and rows == 1


def _read(pool: WorkerPool, settings: ModelSettings, one: Drawn) -> ReadPage:
    """What the model reads of a page."""
    purpose = Purpose.SERVE if one.family.kind == "listing" else Purpose.JUDGE
    family = family_of(one.family)
    reader = ModelReader(
        family, one.schema, Unbounded(), pool, settings, "bench", purpose
    )
    try:
        page = captured_page(one.folder, one.capture)
        example = one.example if purpose is Purpose.JUDGE else None
        return ReadPage(one, asyncio.run(reader.read(page, example=example)))
    except CrawloopError as error:
        return ReadPage(one, WholeRead(()), str(error))


def _scored(page: ReadPage) -> Iterator[tuple[str, Score, str]]:
    """The field of each known value, how it is read, and both in words."""
    golds, schema = page.drawn.gold, page.drawn.schema
    pieces = Pieces(captured_page(page.drawn.folder, page.drawn.capture))
    for gold, read in zip(golds, match_rows(golds, page.records), strict=True):
        for name, accepted in gold.items():
            if not _is_stated(schema.field(name), accepted, pieces):
                continue
            got = read.values.get(name) if read else None
            score = score_value(accepted, got, schema, name)
            yield name, score, f"{str(accepted[0])[:90]!r} read {str(got)[:90]!r}"


def _is_stated(spec: FieldSpec, accepted: Sequence[Value], pieces: Pieces) -> bool:
    """Whether a page shows a known value in some form, of a list all items."""
    if spec.shape is Shape.ONE:
        return any(quotes_of(spec, one, pieces) for one in accepted)
    return all(quotes_of(spec, one, pieces) for one in as_list(accepted[0]))


def _table(pages: Sequence[ReadPage]) -> None:
    """Every value that is not right, then a line for each field."""
    counts: dict[str, Counter[Score]] = defaultdict(Counter)
    for page in pages:
        capture = page.drawn.capture
        print(
            f"{capture.id}: {len(capture.records)} known, {len(page.found.records)} read,"
            f" {'whole' if page.found.is_whole else 'partial'} {page.why}"
        )
        for name, score, said in _scored(page):
            counts[f"{page.drawn.family.schema_name}.{name}"][score] += 1
            if score is not Score.RIGHT:
                print(f"    {name} {score.value}: {said}")
    counts["all"] = sum(counts.values(), Counter())
    print("\nfield                     right  wrong  not read")
    for name, each in counts.items():
        said = "".join(f"{each[score]:>7}" for score in _SCORES)
        print(f"{name:<24} {said}")


def _opinions(pages: Sequence[ReadPage]) -> None:
    """How often an opinion differs from what is right, and from what is not."""
    right = wrong = false = found = 0
    for page in filter(attrgetter("found.records"), pages):
        (gold,) = page.drawn.gold
        said = page.found.records[0]
        right += 1
        false += any(_differs(page, said, name, gold[name]) for name in gold)
        for name, value in _of_others(page.drawn, gold):
            wrong += 1
            found += _differs(page, said, name, [value])
    print(f"\nright pages it calls wrong: {false} of {right}")
    print(
        f"values of another page of the family that it calls wrong: {found} of {wrong}"
    )


def _differs(
    page: ReadPage, said: Mapping[str, object], name: str, read: Sequence[object]
) -> bool:
    """Whether an opinion has another value of a field than all that were read."""
    spec = page.drawn.schema.field(name)
    value = said.get(name)
    return is_filled(value) and not _is_one_of(read, spec, value)


def _of_others(one: Drawn, gold: Gold) -> Iterator[tuple[str, object]]:
    """What the next page of the family that differs has in each field."""
    others = list(one.others)
    for name, accepted in gold.items():
        values = filter(is_filled, map(methodcaller("get", name), others))
        is_right = partial(_is_one_of, accepted, one.schema.field(name))
        for value in islice(filterfalse(is_right, values), 1):
            yield name, value


def _is_one_of(known: Sequence[object], spec: FieldSpec, value: object) -> bool:
    """Whether a value is the same as one of those."""
    return any(same(value, one, spec) for one in known)


_SCORES = (Score.RIGHT, Score.WRONG, Score.NONE)


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="+", metavar="DATA_DIR")
    parser.add_argument("--what", choices=("lists", "opinion"), required=True)
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--cache", type=Path, default=None)
    asked = parser.parse_args()
    settings = model_settings(cache=asked.cache).model_copy(
        update={"timeout_s": _PATIENCE_S, "patience_s": 0, "local": True}
    )
    with WorkerPool(1) as pool, ThreadPoolExecutor(_AT_ONCE) as threads:
        pages = list(threads.map(partial(_read, pool, settings), drawn(asked)))
    _table(pages)
    if asked.what == "opinion":
        _opinions(pages)


if __name__ == "__main__":
    main()
