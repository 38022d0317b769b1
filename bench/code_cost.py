"""What crawlers that are code cost, and what hostile pages cost whoever has them read.

`python -m bench.code_cost` prints two tables: seconds of work per page against plain
parsel in the same run, and how late the heart of this process beat while a hostile page
was read by a program, by code and trimmed for a prompt.
"""

import asyncio
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from crawloop_assets.crawler.program import Program
from crawloop_assets.errors import CrawlerFault, PageTooLarge
from crawloop_assets.page import Page
from crawloop_assets.sandbox import ExtractJob, Limits, TrimJob, WorkerPool
from crawloop_assets.sandbox.code.runner import CodeRunner
from crawloop_assets.sandbox.job import Job
from crawloop_assets.sandbox.jobs import CodeRows

_CRAWL = """
    page = Selector(text=html)
    rows = []
    for item in page.css("li.item"):
        rows.append({
            "title": item.css("h2 a::text").get(),
            "url": item.css("h2 a::attr(href)").get(),
            "price": item.css("span.price::text").re_first(r"[0-9.]+"),
            "maker": item.xpath("./p[@class='maker']/text()").get(),
        })
    return rows
"""
_CODE = f"from parsel import Selector\n\ndef crawl(html, url):{_CRAWL}"
_PAGES, _ROUNDS = 64, 12
_TICKS = os.sysconf("SC_CLK_TCK")
_BEAT_S = 0.02
_HEADERS = {"Content-Type": "text/html; charset=utf-8"}


def _page(at: int, items: int) -> Page:
    """A page of 45 KB with so many items."""
    rows = "".join(
        f"<li class='item'><h2><a href='/p/{at}/{n}'>Thing {n} of {at}</a></h2>"
        f"<span class='price'>EUR {n}.{at:02d}</span><p class='maker'>Maker {n}</p></li>"
        for n in range(items)
    )
    filler = "<div class='x'><p>Some words of <b>other</b> things.</p></div>"
    body = f"<html><body><ul>{rows}</ul>"
    body += filler * ((45_000 - len(body)) // len(filler))
    return Page(url=f"http://bench.test/{at}", body=body.encode(), headers=_HEADERS)


def _plain(pages: list[Page]) -> float:
    """Seconds of work of the same code in this process."""
    names: dict[str, object] = {}
    exec(_CODE, names)
    crawl = names["crawl"]
    began = time.process_time()
    for page in pages:
        crawl(page.text, page.url)  # type: ignore[operator]
    return time.process_time() - began


def _worked(runner: CodeRunner) -> float:
    """Seconds of work of this process, of the fork servers and of all their children."""
    total = time.process_time()
    for worker in runner._pool._workers:
        with open(f"/proc/{worker.pid}/stat") as file:  # noqa: PTH123 - a kernel's file
            fields = file.read().rpartition(")")[2].split()
        total += sum(map(int, fields[11:15])) / _TICKS
    return total


def _in_bulk(runner: CodeRunner, pages: list[Page]) -> float:
    """Seconds of work of the same code in bulk, with what is read again."""
    began = _worked(runner)
    read = asyncio.run(runner.read(_CODE, pages))
    assert all(isinstance(one, CodeRows) and one.rows for one in read), read[0]
    return _worked(runner) - began


def costs() -> None:
    """The first table."""
    print("ms of work per page   plain parsel   code in bulk   times")
    with CodeRunner() as runner:
        for name, items in (("one record", 1), ("twenty records", 20)):
            pages = [_page(at, items) for at in range(_PAGES)]
            _in_bulk(runner, pages[:2])
            rounds = [(_plain(pages), _in_bulk(runner, pages)) for _ in range(_ROUNDS)]
            # What else the machine does makes work dearer, never cheaper.
            plain, bulk = map(min, zip(*rounds, strict=True))
            each = 1000 / len(pages)
            said = f"{plain * each:12.2f} {bulk * each:14.2f} {bulk / plain:9.2f}"
            print(f"{name:20} {said}")


class Heart:
    """Beats in a thread and remembers how late it was at the latest."""

    def __init__(self) -> None:
        """Has not beaten yet."""
        self.late, self._stop = 0.0, threading.Event()

    def beat(self) -> None:
        """Beats until it is stopped."""
        while not self._stop.is_set():
            before = time.monotonic()
            time.sleep(_BEAT_S)
            self.late = max(self.late, time.monotonic() - before - _BEAT_S)

    @classmethod
    @contextmanager
    def beating(cls) -> Iterator["Heart"]:
        """A heart that beats while this is open."""
        heart = cls()
        thread = threading.Thread(target=heart.beat)
        thread.start()
        try:
            yield heart
        finally:
            heart._stop.set()
            thread.join()


def hostile_pages() -> dict[str, bytes]:
    """Pages that cost far more than they weigh."""
    attributes = " ".join(f"a{n}=1" for n in range(40_000))
    entities = "<!DOCTYPE a [<!ENTITY a 'x'>" + "".join(
        f"<!ENTITY a{n} '{'&a' + (str(n - 1) if n else '') + ';'}'>" for n in range(99)
    )
    return {
        "40,000 attributes": f"<p {attributes}>x</p>".encode(),
        "200,000 deep": b"<div>" * 200_000,
        "many paths": b"<div><p>x</p>" * 9_000,
        "entities": f"{entities}]><a>&a98;</a>".encode() + b"&amp;" * 600_000,
        "one long text": b"<p>" + b"word " * 700_000,
    }


_DEEP = "//*//*//*//*"
SLOW_CODE = f"""
from parsel import Selector
def crawl(html, url):
    return [{{"n": len(Selector(text=html).xpath("{_DEEP}"))}}]
"""
"""What takes all its time on a page of many elements."""


def beats() -> None:
    """The second table."""
    print("\nlatest beat, seconds  by a program   by code      trimmed")
    limits = Limits(deadline_s=2, long_deadline_s=2)
    program = Program(fields=()).to_json()
    with WorkerPool(1, limits) as pool, CodeRunner() as runner:
        pool.run(TrimJob(page=_page(0, 1)))
        asyncio.run(runner.read(_CODE, [_page(0, 1)]))
        for name, body in hostile_pages().items():
            page = Page(url="http://bench.test/", body=body, headers=_HEADERS)
            jobs: list[Job[Any]] = [
                ExtractJob(page=page, program=program),
                TrimJob(page=page),
            ]
            late = [_latest(partial(pool.run, job)) for job in jobs]
            late.insert(1, _latest(partial(_by_code, runner, page)))
            print(f"{name:20}" + "".join(f"{one:12.3f}" for one in late))


def _by_code(runner: CodeRunner, page: Page) -> None:
    asyncio.run(runner.read(SLOW_CODE, [page]))


def _latest(read: Callable[[], object]) -> float:
    """How late the heart beat at the latest while a page was read, or was not."""
    with Heart.beating() as heart, suppress(CrawlerFault, PageTooLarge):
        read()
    return heart.late


if __name__ == "__main__":
    costs()
    beats()
