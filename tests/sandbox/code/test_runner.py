"""Code on many pages: what shares a child, what is read again, who pays for whom."""

import asyncio
from collections.abc import Iterator

import pytest

from crawloop_assets.errors import (
    CodeRefused,
    CrawlerCrashed,
    CrawlerFault,
    CrawlerGarbage,
    CrawlerTimeout,
)
from crawloop_assets.page import Page
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.sandbox.code.runner import CodeOutcome, CodeRunner
from crawloop_assets.sandbox.jobs import CodeJob, CodeRows
from crawloop_assets.sandbox.process import Limits
from tests.sandbox.code.attacks import source_of

LIMITS = Limits(deadline_s=0.5, long_deadline_s=0.5, memory_mb=512, forks=True)


@pytest.fixture(scope="module")
def runner() -> Iterator[CodeRunner]:
    with CodeRunner(limits=LIMITS) as made:
        yield made


@pytest.fixture(scope="module")
def loose() -> Iterator[CodeRunner]:
    with CodeRunner(limits=LIMITS, gated=False) as made:
        yield made


def pages(count: int) -> list[Page]:
    return [
        Page(url=f"http://a.test/{n}", body=f"<h1>{n}</h1>".encode())
        for n in range(count)
    ]


def read(runner: CodeRunner, body: str, count: int) -> list[CodeOutcome]:
    return asyncio.run(runner.read(source_of(body), pages(count)))


def test_the_rows_of_many_pages_come_in_order(runner: CodeRunner) -> None:
    body = "from parsel import Selector\nreturn [{'n': Selector(text=html).css('h1::text').get(), 'url': url}]"
    found = read(runner, body, 40)
    assert found == [
        CodeRows(rows=({"n": str(n), "url": f"http://a.test/{n}"},)) for n in range(40)
    ]


@pytest.mark.parametrize(
    ("trouble", "fault"),
    [
        ("[0 for _ in iter(int, 1)]", CrawlerTimeout),
        ("return [{'x': list(range(10 ** 9))}]", CrawlerFault),
        ("return [{'x': 'a' * 6000000}]", CrawlerGarbage),
        ("return [{'x': 10 ** 4000}]", CrawlerGarbage),
        ("1 / 0", CrawlerFault),
    ],
)
def test_a_page_that_goes_wrong_costs_itself(
    runner: CodeRunner, trouble: str, fault: type[CrawlerFault]
) -> None:
    found = read(runner, f"if url.endswith('/3'): {trouble}\nreturn [{{'u': url}}]", 6)
    assert isinstance(found[3], fault)
    assert all(isinstance(one, CodeRows) for at, one in enumerate(found) if at != 3)


def test_late_misbehaviour_by_url_is_death(loose: CodeRunner) -> None:
    body = "import os\nif url.endswith('/5'): os.kill(os.getppid(), 9)\nreturn [{'u': url}]"
    found = read(loose, body, 8)
    assert isinstance(found[5], CrawlerCrashed)
    assert "signal 31" in str(found[5])
    assert sum(isinstance(one, CodeRows) for one in found) == 7


@pytest.mark.parametrize(
    "keeps",
    [
        "_SEEN = []\ndef crawl(html, url):\n _SEEN.append(url)\n return [{'n': len(_SEEN)}]",
        "def crawl(html, url, seen=[]):\n seen.append(url)\n return [{'n': len(seen)}]",
    ],
)
def test_code_that_keeps_something_is_not_believed_about_any_page(
    runner: CodeRunner, keeps: str
) -> None:
    keeps = keeps.replace("url, seen=[]", "url, *, seen=[]")
    found = asyncio.run(runner.read(keeps, pages(12)))
    assert all(isinstance(one, CrawlerGarbage) for one in found)
    assert "keeps something from page to page" in str(found[0])


@pytest.mark.parametrize(
    ("count", "size", "children"), [(64, 10, 1), (65, 10, 2), (9, 600_000, 2)]
)
def test_a_child_is_shared_by_many_pages_and_few_megabytes(
    count: int, size: int, children: int
) -> None:
    keeps = "_SEEN = []\ndef crawl(html, url):\n _SEEN.append(url)\n return [{'n': len(_SEEN)}]"
    body = b"<h1>" + b"x" * size
    asked = [
        CodeJob(code=keeps, page=Page(url=f"http://a.test/{at}", body=body), gated=True)
        for at in range(count)
    ]
    handlers = "crawloop_assets.sandbox.code.handlers"
    with WorkerPool(1, LIMITS, handlers=handlers) as pool:
        read = asyncio.run(pool.arun_many(asked))
    counts = [one.rows[0]["n"] for one in read if isinstance(one, CodeRows)]
    assert len(counts) == count
    assert counts.count(1) == children


def test_a_patched_library_is_gone_with_its_child(loose: CodeRunner) -> None:
    patches = (
        "import parsel, re, json\nfrom crawloop_assets.sandbox.code import facade, selector\n"
        "selector.CodeSelector.css = lambda self, q: ['EVIL']\nre.match = json.dumps = None\n"
        "facade.MODULES.clear()\nreturn []"
    )
    read(loose, patches, 1)
    body = (
        "import re\nfrom parsel import Selector\n"
        "return [{'t': Selector(text=html).css('h1::text').get(), 'm': bool(re.match('.', 'a'))}]"
    )
    assert read(loose, body, 1) == [CodeRows(rows=({"t": "0", "m": True},))]


def test_what_two_processes_read_differently_has_no_answer(runner: CodeRunner) -> None:
    unsteady = source_of("return [{'x': list({'a', 'b', 'c', 'd', 'e', 'f', 'g'})}]")
    (found,) = asyncio.run(runner.prove(unsteady, pages(1)))
    assert isinstance(found, CrawlerGarbage)
    assert "two runs differ on http://a.test/0" in str(found)
    steady = source_of("return [{'x': sorted({'a', 'b'})}]")
    assert asyncio.run(runner.prove(steady, pages(1))) == [
        CodeRows(rows=({"x": ["a", "b"]},))
    ]


def test_what_holds_it_is_said(runner: CodeRunner) -> None:
    assert runner.held_by.startswith("seccomp")


def test_refused_code_is_named(runner: CodeRunner) -> None:
    (found,) = read(runner, "import os", 1)
    assert isinstance(found, CodeRefused)
    assert "os cannot be imported" in str(found)
