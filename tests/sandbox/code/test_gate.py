"""What the code of a crawler may say."""

import pytest

from crawloop_assets.sandbox.code.gate import MOST_CHARS, refusal_of
from tests.sandbox.code.attacks import source_of

HONEST = '''
"""Shop."""

import json
import re
from datetime import datetime
from decimal import Decimal, ROUND_HALF_UP
from html import unescape
from urllib.parse import urljoin

from parsel import Selector

PRICE = re.compile(r"([\\d.,]+)", re.I | re.S)


def _price(text):
    match = PRICE.search(text or "")
    return str(Decimal(match.group(1).replace(",", ".")).quantize(Decimal("0.01"), ROUND_HALF_UP)) if match else None


def crawl(html: str, url: str) -> list[dict]:
    page = Selector(text=html)
    rows = []
    for at, one in enumerate(page.css("li.item"), start=1):
        try:
            day = datetime.strptime(one.css("time::attr(datetime)").get("")[:10], "%Y-%m-%d").date().isoformat()
        except ValueError:
            day = None
        match one.attrib:
            case {"data-id": str_id, **rest}:
                key = str_id
            case _:
                key = f"{at:03d}"
        rows.append({"name": unescape(one.xpath("string(.)").get().strip()), "price": _price(one.css("b::text").get()),
                     "url": urljoin(url, one.css("a::attr(href)").get()), "day": day, "id": key})
    return sorted(rows, key=lambda row: row["name"])
'''


def test_honest_code_may_say_what_it_needs() -> None:
    assert refusal_of(HONEST) == ""


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("import os", "os cannot be imported"),
        ("from re import enum", "enum cannot be imported from re"),
        ("from . import x", "None cannot be imported"),
        ("import urllib.request", "urllib.request cannot be imported"),
        ("return ().__class__", "__class__ may not be named"),
        ("return (x for x in []).gi_frame", ".gi_frame is not among"),
        ("return '{0}'.format(1)", ".format is not among"),
        ("return open('x')", "open is not among the builtins"),
        ("return __builtins__", "__builtins__ may not be named"),
        ("html.css = 1", ".css may not be set"),
        ("del html.css", ".css may not be set"),
        ("global x", "Global is not part of the language"),
        ("with html: pass", "With is not part of the language"),
        ("class A: pass", "ClassDef is not part of the language"),
        ("match 1:\n case object(a=b): pass", "MatchClass is not part"),
        ("match 1:\n case {**__a__}: pass", "__a__ may not be named"),
        ("import re as __re__", "__re__ may not be named"),
        ("try: pass\nexcept Exception as __e__: pass", "__e__ may not be named"),
        ("return lambda __x__: 1", "__x__ may not be named"),
        ("@len\ndef f(): pass", "decorators are not part"),
        ("return ...", "Ellipsis is no data"),
        ("return 1j", "1j is no data"),
        ("return datetime.now()", ".now is not among"),
        ("return (", "was never closed"),
        ("return " + "(" * 300, "line"),
    ],
)
def test_what_code_may_not_say_is_named(body: str, why: str) -> None:
    assert why in refusal_of(source_of(body))


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("x = 1", "there is no function crawl(html, url)"),
        ("def crawl(html): return []", "there is no function crawl(html, url)"),
        ("crawl = 1\nwhile True: pass", "only imports, functions and constants"),
        ("#" * (MOST_CHARS + 1), "characters of code"),
        ("def crawl(html, url): return " + "-" * 50_000 + "1", "cannot be parsed"),
    ],
)
def test_a_module_has_one_shape(source: str, why: str) -> None:
    assert why in refusal_of(source)
