"""What one page costs in a worker: `python -m bench.fetch_page`.

The shop's pages, read by a crawler compiled from two of them, in one process as quiet
as a worker's. CPU milliseconds per page of parsing, of reading the fields, and of what
the checks have to know of a page; the least over the rounds.
"""

import argparse
import gc
import json
from collections.abc import Callable
from time import process_time
from typing import Any

from bench.fetch_own import Item
from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.page import Page
from crawloop_assets.sandbox.handlers import HANDLERS
from crawloop_assets.sandbox.jobs import ExtractJob
from crawloop_assets.schema import schema_of
from tests.access.shop import product, product_page

SHOWN = (0, 4)


def page(number: int) -> Page:
    headers = {"content-type": "text/html; charset=utf-8"}
    return Page(
        url=f"http://bench.test/p/{number}", body=product_page(number), headers=headers
    )


def crawler() -> Program:
    """From two examples."""
    fields = Item.model_fields
    known = [
        {name: str(getattr(product(number), name)) for name in fields}
        for number in SHOWN
    ]
    examples = [Example(page=at, records=(record,)) for at, record in enumerate(known)]
    compiled = compile_program(schema_of(Item), list(map(page, SHOWN)), examples)
    assert compiled.program is not None
    return compiled.program


def per_page(work: Callable[[Page], Any], pages: int, rounds: int) -> float:
    """CPU milliseconds.

    Nothing a page keeps is kept from one round to the next.
    """
    costs = []
    for _ in range(rounds):
        fresh = list(map(page, range(pages)))
        began = process_time()
        for one in fresh:
            work(one)
        costs.append((process_time() - began) / pages * 1_000)
    return min(costs)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else None
    )
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    program = crawler()
    text, handler = program.to_json(), HANDLERS[ExtractJob]
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)
    works: dict[str, Callable[[Page], Any]] = {
        "parse": lambda one: Document(one).elements,
        "parse and read": lambda one: run(program, Document(one)),
        "parse, read and look over": lambda one: handler(
            ExtractJob(program=text, page=one)
        ),
    }
    print(
        json.dumps(
            {
                name: round(per_page(work, options.pages, options.rounds), 3)
                for name, work in works.items()
            }
        )
    )


if __name__ == "__main__":
    main()
