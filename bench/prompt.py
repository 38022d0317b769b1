"""Does the prompt show what the page shows, and does a right answer survive?

python -m bench.prompt DATA_DIR... [--pages 30] [--seed 18] [--half fit|report]

Captured pages of real sites, by seed: so many of every kind of record, nothing known of
them but the names of the fields. Of each value that a page shows (see
`bench.perfect_reader`) is asked whether the prompt has it, and how long the prompt is;
then that reader answers behind a real endpoint, and asked is which share of the values
it could quote becomes the right typed value. Families are halved by name, so that one
half may be looked at while the prompt is made and the other one is reported.
"""

import argparse
import json
import os
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from operator import attrgetter
from pathlib import Path
from statistics import median
from threading import Thread
from typing import Any
from zlib import crc32

from bench.perfect_reader import Pieces, Stated, quotes_of
from crawloop_assets.eval.gold import gold_record, page_url
from crawloop_assets.eval.inputs import load_page
from crawloop_assets.eval.pack import Capture, PackFamily, load_pack
from crawloop_assets.eval.schemas import model_for
from crawloop_assets.eval.tasks import Input
from crawloop_assets.family import Discover, Family
from crawloop_assets.llm.evidence import PageText
from crawloop_assets.llm.serve import PageEvidence, extract_with_model
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.schema import RecordSchema, Shape, schema_of
from crawloop_assets.serve.by_parts import read_parts, shown_parts
from crawloop_assets.serve.showing import Showing
from crawloop_assets.store.ledger import Allows
from crawloop_assets.store.models import LlmCall, Spent
from crawloop_assets.values.equality import canonical
from crawloop_assets.values.value import as_list

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
_MOST_RECORDS = 200
Truth = list[list[Stated]]
"""The values of a page by record, as far as the page shows them."""


@dataclass(frozen=True)
class Shown:
    """Of one page: its kind of record, the tokens of each question about it, and of its
    values by field: how many there are, are in the prompt, and are read right from it."""

    kind: str
    tokens: tuple[int, ...]
    there: Counter[str]
    shown: Counter[str]
    right: Counter[str]


class Unbounded:
    """A ledger that allows every call and keeps none."""

    def record(self, *calls: LlmCall) -> None:
        """Nothing is kept."""

    def reserve(self, call: LlmCall, since: Any, allows: Allows) -> str:
        """Every call may be made."""
        allows(Spent(0.0, 0, 0))
        return call.family

    def settle(self, name: str, call: LlmCall) -> None:
        """Nothing is kept."""


class Reader(BaseHTTPRequestHandler):
    """Answers as somebody who knows the page would, from what the question shows."""

    truth: Truth

    def do_POST(self) -> None:
        """One question."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        # The fields before it name the choices, which is not where a page says them.
        _, _, page = asked["messages"][-1]["content"].partition("\n\n")
        shown = PageText([("page", page)])
        records = list(filter(None, (_row(row, shown) for row in Reader.truth)))
        text = json.dumps({"records": records[:_MOST_RECORDS]})
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": "any"}
        sent = json.dumps(body | {"choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def _row(row: list[Stated], shown: PageText) -> dict[str, Any]:
    """The quotes of one record; none where a part of a list does not show it whole."""
    answers: dict[str, Any] = {}
    for one in row:
        quote = one.quoted(shown)
        if quote is None:
            continue
        if one.spec.shape is Shape.ONE:
            answers[one.spec.name] = quote
        else:
            answers.setdefault(one.spec.name, []).append(quote)
    return answers


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="+")
    parser.add_argument("--pages", type=int, default=30)
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--half", choices=("fit", "report"), default="fit")
    asked = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Reader)
    Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_port}/v1"
    settings = ModelSettings(model="openai/any", api_base=base, local=True)
    pages: list[Shown] = []
    with WorkerPool(1) as pool:
        for one in _drawn(asked):
            shown = _shown(pool, settings, *one)
            pages.append(shown)
    _print(list(filter(attrgetter("there"), pages)))


def _drawn(asked: argparse.Namespace) -> Iterator[tuple[Path, PackFamily, Capture]]:
    """So many pages of every kind of record, of one half of the families."""
    wanted = asked.half == "fit"
    by_kind: dict[str, list[tuple[Path, PackFamily, Capture]]] = defaultdict(list)
    for folder in asked.folder:
        for family in load_pack(folder):
            if (crc32(family.family.encode()) % 2 == 0) is wanted:
                pages = [(folder, family, capture) for capture in family.pages]
                by_kind[family.schema_name] += pages
    for kind in sorted(by_kind):
        random.Random(asked.seed).shuffle(by_kind[kind])
        yield from by_kind[kind][: asked.pages]


def captured_page(folder: Path, capture: Capture) -> Page:
    """A capture under the url at which its links lead where its values say."""
    url = page_url(capture.url, capture.records)
    return load_page(folder / capture.file, url, Input.AS_IS)


def _truth(schema: RecordSchema, capture: Capture, page: Page) -> Truth:
    """The values of a page, by record, that stand on it in some form."""
    pieces = Pieces(page)
    return [
        list(_stated(schema, gold, pieces))
        for gold in (
            gold_record(raw, schema, page.base_url, capture.alternatives)
            for raw in capture.records
        )
    ]


def _stated(
    schema: RecordSchema, gold: Mapping[str, Any], pieces: Pieces
) -> Iterator[Stated]:
    """Each value of a record that its page shows, the first form of it that it does."""
    for name, accepted in gold.items():
        spec = schema.field(name)
        is_one = spec.shape is Shape.ONE
        for value in accepted if is_one else as_list(accepted[0]):
            if quotes := quotes_of(spec, value, pieces):
                yield Stated(spec, value, quotes)
                if is_one:
                    break


def _shown(
    pool: WorkerPool,
    settings: ModelSettings,
    folder: Path,
    family: PackFamily,
    capture: Capture,
) -> Shown:
    """What one page comes to."""
    page = captured_page(folder, capture)
    names = {name for record in capture.records for name in record}
    schema = schema_of(model_for(family, names))
    served = family_of(family)
    others = [captured_page(folder, one) for one in family.pages]
    evidence = pool.run(Showing(schema, served.kind).job(page, others=others))
    parts = shown_parts(served, page.base_url, evidence)
    truth = _truth(schema, capture, page)
    text = PageText(list(chain.from_iterable(map(attrgetter("parts"), parts))))
    Reader.truth = truth
    read = partial(
        extract_with_model,
        schema,
        family=served,
        ledger=Unbounded(),
        settings=settings,
    )
    found = read_parts(parts, read, False)
    values = list(chain.from_iterable(truth))
    there = Counter(map(_named, values))
    shown = Counter(_named(one) for one in values if one.quoted(text) is not None)
    return Shown(
        family.schema_name,
        tuple(map(_tokens, parts)),
        there,
        shown,
        shown & Counter(_read(schema, found.records)),
    )


def family_of(family: PackFamily) -> Family:
    """A family as one is served."""
    kind = "listing" if family.kind == "listing" else "detail"
    return Family(
        family="bench/prompt",
        schema="crawloop_assets.eval.schemas:Article",
        discover=Discover(),
        kind=kind,
    )


def _named(one: Stated) -> str:
    """A value by its field and normal form."""
    spec = one.spec.model_copy(update={"shape": Shape.ONE})
    return f"{one.spec.name}\0{canonical(one.value, spec)}"


def _read(schema: RecordSchema, records: Any) -> Iterator[str]:
    """The values that were read, likewise."""
    for record in records:
        for name, value in record.items():
            spec = schema.field(name)
            for one in as_list(value):
                yield _named(Stated(spec, one, ()))


def _tokens(part: PageEvidence) -> int:
    """The tokens of what a question shows of a page, by a model's own count."""
    from litellm.litellm_core_utils.default_encoding import encoding

    texts = chain.from_iterable(part.parts)
    return sum(len(encoding.encode(text, disallowed_special=())) for text in texts)


def _print(pages: list[Shown]) -> None:
    """A line for each kind of record, and one for all."""
    print(
        "kind         pages  values  in the prompt  read right  questions  tokens: median  most  missing, wrong"
    )
    for kind in [*sorted(set(map(attrgetter("kind"), pages))), "all"]:
        these = [page for page in pages if kind in (page.kind, "all")]
        there = _total(map(attrgetter("there"), these))
        shown = _total(map(attrgetter("shown"), these))
        right = _total(map(attrgetter("right"), these))
        tokens = list(chain.from_iterable(map(attrgetter("tokens"), these)))
        missing = _fields(page.there - page.shown for page in these)
        wrong = _fields(page.shown - page.right for page in these)
        print(
            f"{kind:<12} {len(these):>5} {there:>7} {shown / there:>14.1%}"
            f" {right / shown:>11.1%}"
            f" {len(tokens):>10} {median(tokens):>15.0f} {max(tokens):>5}  {missing} {wrong}"
        )


def _total(counts: Iterable[Counter[str]]) -> int:
    """How many values are counted, 1 where there is none, to divide by."""
    return max(1, sum(map(Counter.total, counts)))


def _fields(lost: Any) -> dict[str, int]:
    """The fields of which most is lost."""
    fields: Counter[str] = Counter()
    for counts in lost:
        for name, count in counts.items():
            fields[name.partition("\0")[0]] += count
    return dict(fields.most_common(4))


if __name__ == "__main__":
    main()
