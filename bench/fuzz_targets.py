"""What is fuzzed: every parser of bytes that came from elsewhere, each with its law.

A law takes any bytes. Only the errors that the parser documents may come out of it; what
it says of a result (that it reads back as itself, that it is canonical) is asserted. Each
input has two seconds of work and 256 MB; the longest has 64 kB.
"""

import gzip
import json
import tempfile
import zlib
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import BaseModel, ValidationError

from bench.fuzz_law import Target
from crawloop_assets.access.cookies import Jar
from crawloop_assets.access.exchange import Body, DecodingError
from crawloop_assets.access.login import hidden
from crawloop_assets.access.paged import page_param
from crawloop_assets.access.retry import retry_after
from crawloop_assets.access.robots import Rules
from crawloop_assets.access.web_url import WebUrl
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.crawler.transforms import Op, Step
from crawloop_assets.document.css_grammar import BadSelector
from crawloop_assets.document.document import Document
from crawloop_assets.document.jsonpath import parse_path
from crawloop_assets.document.links import header_links, html_links, unique, xml_links
from crawloop_assets.document.select import check_css, check_xpath, css, xpath
from crawloop_assets.drift.facts import page_facts
from crawloop_assets.drift.page_words import sentences
from crawloop_assets.errors import ConfigError, CrawlerGarbage, NotAllowed
from crawloop_assets.family import Family
from crawloop_assets.frontier.urls import path
from crawloop_assets.llm.ask import read_answer
from crawloop_assets.page import Page
from crawloop_assets.pattern.judge import searched
from crawloop_assets.sandbox import frames
from crawloop_assets.sandbox.handlers import HANDLERS
from crawloop_assets.sandbox.jobs import Extracted
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.serve.journal import lines_of
from crawloop_assets.values.currencies import currency_code
from crawloop_assets.values.dates import parse_date, parse_datetime
from crawloop_assets.values.durations import parse_minutes
from crawloop_assets.values.equality import same
from crawloop_assets.values.numbers import parse_number
from crawloop_assets.values.text import clean, tokens
from crawloop_assets.yaml_file import load_yaml

_URL = "https://shop.test/p/1"
_HTML = b"""<!DOCTYPE html><html lang="en"><head><title>Lamp</title><base href="/b/">
<script type="application/ld+json">{"@type": "Product", "name": "Lamp", "offers": [{"price": "9.50"}]}</script>
<script>window.__DATA__ = {"a": [1, {"b": null}]};</script></head><body><dl><dt>Price</dt><dd>1.234,50 EUR</dd></dl>
<table><tr><th>A</th><td>1</td></tr></table><ul><li><a href="?page=2" rel="next">2</a></ul></body></html>"""
_PROGRAM = (
    b'{"program":1,"kind":"listing","record":{"mode":"nodes","at":"li","keep_if":["name"]},"fields":'
    b'[{"spec":{"name":"name"},"readers":[{"src":"xpath","at":".//a[1]","get":"@href","pipe":'
    b'[{"op":"regex","args":["page=([0-9]+)"]}]},{"src":"json","at":"ld:Product.offers[*].price","get":"value"}]}]}'
)
_FAMILY = b"""family: books/product
schema: schemas.product:Product
kind: detail
discover: {seeds: ["https://books.test/"], include: ["/p/[^/]+$"]}
refresh: {min_interval: 1h}
examples: [{url: "https://books.test/p/1", record: {title: a}}]
"""
_SITEMAP = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://a.test/1</loc><lastmod>2024-05-01T10:00:00Z</lastmod></url></urlset>"""
_ROBOTS = b"""User-agent: *
Disallow: /private/*.html$
Allow: /
Crawl-delay: 2
Request-rate: 1/5
Sitemap: https://a.test/s.xml"""


def _text(data: bytes) -> str:
    """The bytes as text, whatever they are."""
    return data.decode("utf-8", "replace")


def _page(data: bytes, kind: str = "text/html") -> Page:
    """A page with these bytes."""
    return Page(url=_URL, body=data, headers={"content-type": kind})


def _document(data: bytes) -> None:
    """A page is read to its end: texts, islands, links, facts."""
    page = _page(data)
    document = Document(page)
    if not document.is_json:
        unique(html_links(document.tree, ("a",)), _URL, 100)
    page_facts(document, page)


def _charset(data: bytes) -> None:
    """The first line names an encoding; the text can always be written again."""
    name, _, body = data.partition(b"\n")
    page = _page(body, f"text/html; charset={name.decode('latin-1')}")
    assert page.text.encode("utf-8", "replace") is not None
    assert b"\0" not in page.utf8


def _island(data: bytes) -> None:
    """Linked data, and a script that assigns something."""
    whole = (
        b'<script type="application/ld+json">',
        data,
        b"</script><script>window.x = ",
        data,
        b"</script>",
    )
    document = Document(_page(b"".join(whole)))
    assert "ld" in document.roots or document.roots is not None


def _json_page(data: bytes) -> None:
    """A page that says it is JSON."""
    page = _page(data, "application/json")
    page_facts(Document(page), page)


def _sitemap(data: bytes) -> None:
    """As it is, and gzipped: the links are the same."""
    plain = list(xml_links(data))
    if not data.startswith(b"\x1f\x8b"):
        assert list(xml_links(gzip.compress(data, 1))) == plain


def _robots(data: bytes) -> None:
    """A rule never gives another answer when it is asked again."""
    rules = Rules(_text(data), "crawloop")
    assert rules.interval_s >= 0
    for url in ("https://a.test/", "https://a.test/private/a.html?x=1"):
        answers = [_refusal(rules, url) for _ in range(2)]
        assert answers[0] == answers[1]
    list(rules.sitemaps)


def _refusal(rules: Rules, url: str) -> str:
    """Why robots.txt refuses a url, "" if it does not."""
    try:
        rules.check(url)
    except NotAllowed as refused:
        return str(refused)
    return ""


def _url(data: bytes) -> None:
    """What is canonical stays as it is, and its own readings are urls."""
    url = WebUrl.of(_text(data), "https://a.test/b/")
    assert WebUrl.of(url) == url
    assert all(map(str.isascii, (url, *url.readings)))
    path(url)
    page_param(url)


def _headers(data: bytes) -> None:
    """Retry-After, Date and Link, one a line."""
    names = ("retry-after", "date", "link", "etag", "last-modified")
    said = dict(zip(names, _text(data).splitlines(), strict=False))
    wait = retry_after(said)
    assert wait is None or wait > 0
    list(header_links(Page(url=_URL, body=b"", headers=said)))


def _cookies(data: bytes) -> None:
    """What is kept goes into one header line."""
    jar = Jar()
    jar.take(_URL, data.decode("latin-1").splitlines())
    assert "\n" not in jar.header(_URL)


def _compressed(data: bytes) -> None:
    """Never more than the cap and one step, however it is cut."""
    for encoding in ("gzip", "deflate"):
        body = Body(encoding, 1_000_000)
        for start in range(0, len(data), 1000):
            if not body.feed(data[start : start + 1000]):
                break
        assert len(body.decoded) < 3_000_000


def _values(data: bytes) -> None:
    """A number reads back as itself where its point is known: "1.523" may be a grouped
    thousand."""
    text = _text(data)
    number = parse_number(text)
    if number is not None:
        assert parse_number(format(number, "f"), decimal=".") == number
    for parse in (parse_date, parse_datetime, parse_minutes, currency_code):
        parse(text)
    tokens(text)
    assert clean(clean(text)) == clean(text)
    for kind in (FieldKind.NUMBER, FieldKind.DATE, FieldKind.TEXT):
        spec = FieldSpec(name="x", kind=kind)
        assert same(text, text, spec)


def _sayings(data: bytes) -> None:
    """What a page says, taken apart."""
    sentences(_text(data))


def _family(data: bytes) -> None:
    """A file that an operator wrote, or a program for them."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "family.yaml"
        file.write_bytes(data)
        load_yaml(file, Family)


def _program(data: bytes) -> None:
    """A program reads back as itself, and runs on any page."""
    program = Program.from_json(_text(data))
    assert Program.from_json(program.to_json()) == program
    run(program, Document(_page(_HTML)))


def _step(data: bytes) -> None:
    """The first line is a pattern; it ends soon on the rest, many times over."""
    pattern, _, text = _text(data).partition("\n")
    Step(op=Op.REGEX, args=(pattern,))([(text * 100)[:2_000]])


def _pattern(data: bytes) -> None:
    """Whatever is taken is a pattern."""
    assert searched(_text(data)[:200]).pattern is not None


def _selectors(data: bytes) -> None:
    """A selector, an expression and a path that are taken can be run."""
    text = _text(data)
    document = Document(_page(_HTML))
    for check, select in ((check_css, css), (check_xpath, xpath)):
        try:
            check(text)
        except BadSelector:
            continue
        select(document, text)
    parse_path(text)


def _answers(data: bytes) -> None:
    """What a worker says: as many answers as asked for, or garbage; what was packed is
    unpacked."""
    packed = frames.pack_answers([(frames.Status.DONE, data)] * 2)
    unpacked = frames.unpack_answers(bytearray(packed[frames.ANSWERS.size :]), 2)
    assert [bytes(answer) for _, answer in unpacked] == [data, data]
    frames.unpack_answer(Extracted, data)
    frames.unpack_answers(bytearray(data), 2)


def _requests(data: bytes) -> None:
    """What a pool says to a worker: the worker may end, and nothing else."""
    kinds = {kind.__name__: kind for kind in HANDLERS}
    rest = memoryview(data)

    def read(size: int) -> bytes:
        """The next bytes; EOFError when there are no more."""
        nonlocal rest
        if size > len(rest):
            raise EOFError
        taken, rest = rest[:size], rest[size:]
        return bytes(taken)

    frames.unpack(read, kinds)


class _Said(BaseModel):
    """What a model is asked for."""

    name: str
    price: float | None = None
    notes: list[str] = []


def _model(data: bytes) -> None:
    """A model's answer is one, or it is said what is wrong with it."""
    answer, problem = read_answer(_text(data), _Said)
    assert (answer is None) == bool(problem)


def _journal(data: bytes) -> None:
    """Lines that were cut or damaged are no lines."""
    for line in lines_of(data):
        assert line.url is not None


def _login(data: bytes) -> None:
    """The hidden fields of a form."""
    assert all(isinstance(one, str) for one in hidden(data).values())


_REQUEST = json.dumps(
    {"job": "LookJob", "common": {}, "jobs": [{"fields": {}, "pages": [], "sizes": []}]}
).encode()
_EXTRACTED: dict[str, Any] = {"extraction": {"records": []}, "facts": {}}

TARGETS: MappingProxyType[str, Target] = MappingProxyType(
    {
        "document": Target(_document, seeds=(_HTML, b"<p>a<p>b", b"\xff\xfe<\0p\0")),
        "charset": Target(_charset, seeds=(b"utf-7\n+ADw-", b"hex\nff", b"big5\n\x81")),
        "island": Target(_island, seeds=(b'{"@graph":[{"@type":"Product"}]}', b"[1,2")),
        "json": Target(_json_page, seeds=(b'{"a":[{"b":1}],"next":"/2"}', b"[" * 500)),
        "sitemap": Target(
            _sitemap, (zlib.error,), (_SITEMAP, gzip.compress(_SITEMAP, 1))
        ),
        "robots": Target(_robots, seeds=(_ROBOTS,)),
        "url": Target(
            _url, (NotAllowed,), (b"https://a.test/%2e%2e/x?y#z", b"//[::1]/")
        ),
        "headers": Target(
            _headers, seeds=(b"120\nWed, 21 Oct 2015 07:28:00 GMT\n</2>; rel=next",)
        ),
        "cookies": Target(
            _cookies, seeds=(b"a=b; Path=/; Max-Age=9\nc=d; Domain=test",)
        ),
        "compressed": Target(
            _compressed,
            (DecodingError,),
            (gzip.compress(_HTML, 1), zlib.compress(_HTML), zlib.compress(_HTML)[2:-4]),
        ),
        "values": Target(
            _values, seeds=("1.234,50 € am 3. März 2024, 2 h 5 min ½".encode(), b"1e5")
        ),
        "sayings": Target(
            _sayings, seeds=(b"Access denied: how to help. Sign in | Shop",)
        ),
        "family": Target(_family, (ConfigError,), (_FAMILY, b"a: &a [*a, *a]")),
        "program": Target(
            _program, (ValidationError, ConfigError, BadSelector), (_PROGRAM,)
        ),
        "step": Target(_step, (ValidationError,), (b"(\\d+) x\n12 x", b"a+b\naaa")),
        "pattern": Target(
            _pattern, (ValueError,), (b"(?:a|b)*c{2,3}", b"\\w+\\s*[^x]$")
        ),
        "selectors": Target(
            _selectors,
            (ValueError,),
            (b"li:nth-child(2) > a", b"//a[1]/@href", b"$.a[*]"),
        ),
        "answers": Target(
            _answers, (CrawlerGarbage,), (json.dumps(_EXTRACTED).encode(), b"\0" * 13)
        ),
        "requests": Target(
            _requests,
            (EOFError, ValueError, LookupError, TypeError, AttributeError),
            (len(_REQUEST).to_bytes(4, "big") + _REQUEST,),
        ),
        "model": Target(
            _model, seeds=(b'```json\n{"name": "a"}\n```', b'{"price": 1}')
        ),
        "journal": Target(
            _journal,
            seeds=(b'{"url":"https://a.test/","at":"2024-05-01T00:00:00Z"}\n{',),
        ),
        "login": Target(
            _login,
            seeds=(b'<form><input type=hidden name="csrf" value="x&amp;y"></form>',),
        ),
    }
)
"""By name. A parser that is not here is not fuzzed."""
