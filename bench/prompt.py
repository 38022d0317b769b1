"""Does the prompt show what the page shows? On captured pages of real sites.

python -m bench.prompt DATA_DIR [--pages 120] [--seed 18] [--half fit|report]

Of each page the values are taken that stand in it word for word; asked is whether they
stand in what a model would be shown (nothing is known of the page but the names of the
fields), whether a quote of them would be believed to stand there, and how long the
prompt is (of a list, all its parts together). Kinds of records are halved by name, so that one half may be looked at while
the prompt is made and the other one is reported.
"""

import argparse
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any

from crawloop_assets.eval.inputs import load_page
from crawloop_assets.eval.pack import Capture, PackFamily, load_pack
from crawloop_assets.eval.schemas import model_for
from crawloop_assets.eval.tasks import Input
from crawloop_assets.llm.evidence import PageText
from crawloop_assets.sandbox import ShowJob, WorkerPool
from crawloop_assets.schema import RecordSchema, schema_of
from crawloop_assets.serve.by_parts import LIST_CHARS
from crawloop_assets.serve.fallback import sought_of
from crawloop_assets.values.value import as_list

_CHARS_PER_TOKEN = 4
_WHOLE = 0.99
"""Share of a value's parts that have to stand in a page."""


@dataclass(frozen=True)
class Shown:
    """Of one page: its kind, how many tokens it takes, how many of its values it has,
    how many of those are in the prompt, and the fields that are not."""

    kind: str
    tokens: int
    values: int
    found: int
    missing: tuple[str, ...]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=120)
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--half", choices=("fit", "report"), default="fit")
    asked = parser.parse_args()
    families = _half(load_pack(asked.folder), asked.half)
    pages = [
        (family, capture)
        for family in families
        for capture in family.pages
        if any(_stated(capture))
    ]
    random.Random(asked.seed).shuffle(pages)
    with WorkerPool(1) as pool:
        _print([_shown(asked.folder, pool, *one) for one in pages[: asked.pages]])


def _half(families: tuple[PackFamily, ...], half: str) -> list[PackFamily]:
    """The families of every second kind of record."""
    kinds = sorted(set(map(attrgetter("schema_name"), families)))
    wanted = kinds[0 if half == "fit" else 1 :: 2]
    return [family for family in families if family.schema_name in wanted]


def _stated(capture: Capture) -> Iterator[tuple[str, str]]:
    """The texts of the values that stand in a page word for word, by field."""
    for record in capture.records:
        for name, value in record.items():
            if (capture.in_dom.get(name) or 0) >= _WHOLE:
                yield from ((name, str(part)) for part in as_list(value) if str(part))


def _shown(
    folder: Path, pool: WorkerPool, family: PackFamily, capture: Capture
) -> Shown:
    """What one page comes to."""
    page = load_page(folder / capture.file, capture.url, Input.AS_IS)
    names = {name for record in capture.records for name in record}
    schema: RecordSchema = schema_of(model_for(family, names))
    job = ShowJob(page=page, fields=sought_of(schema, ()))
    if family.kind == "listing":
        job = job.model_copy(update={"chars": LIST_CHARS})
    evidence = pool.run(job)
    parts = [("page", evidence.html), *evidence.islands]
    text = PageText(parts)
    stated: list[Any] = list(_stated(capture))
    missing = tuple(name for name, value in stated if not text.holds(value))
    return Shown(
        family.schema_name,
        sum(map(len, chain.from_iterable(parts))) // _CHARS_PER_TOKEN,
        len(stated),
        len(stated) - len(missing),
        missing,
    )


def _print(pages: list[Shown]) -> None:
    """A line for each kind of record, and one for all."""
    print("kind        pages  values  in the prompt  tokens: median  most  missing")
    for kind in [*sorted(set(map(attrgetter("kind"), pages))), "all"]:
        these = [page for page in pages if kind in (page.kind, "all")]
        values = sum(map(attrgetter("values"), these))
        found = sum(map(attrgetter("found"), these))
        tokens = list(map(attrgetter("tokens"), these))
        lost = Counter(chain.from_iterable(map(attrgetter("missing"), these)))
        share = 100 * found / max(values, 1)
        print(
            f"{kind:<11} {len(these):>5} {values:>7} {share:>13.1f}% {median(tokens):>14.0f} {max(tokens):>6}  "
            f"{dict(lost.most_common(4))}"
        )


if __name__ == "__main__":
    main()
