"""Code that knows its answers instead of reading them.

In copies of a few pages, under their own addresses, everything that the code returned is
replaced by other letters and digits. What it returns of a copy all the same, though the
copy does not show it, is written into the code, as it is or by the address.

What is written in many ways (a choice, a date, an address) is in no copy another one. So
each page is also read under the address of another: what is returned as there, and not as
of this page, was looked up by the address.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import chain

from pydantic import JsonValue

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.drift.facts import PageFacts
from crawloop_assets.drift.value_lookup import is_on_page
from crawloop_assets.page import Page
from crawloop_assets.sandbox import Extracted
from crawloop_assets.schema import RecordSchema
from crawloop_assets.values.equality import same
from crawloop_assets.values.value import as_list

COPIED_PAGES = 3
"""More would cost more time than they tell."""
_SHORTEST = 3
"""Characters of a text that is replaced: a shorter one stands inside any word."""
_WORD = re.compile(r"\w+")
_SMALL, _LARGE = "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_DIGITS = "123456789"
_OTHERS = "bcdefghijklmnopqrstuvwxyza", "BCDEFGHIJKLMNOPQRSTUVWXYZA", "234567891"
_OTHER = str.maketrans(_SMALL + _LARGE + _DIGITS, "".join(_OTHERS))


def changed_copy(page: Page, rows: Sequence[Mapping[str, JsonValue]]) -> Page:
    """A page in which the texts that were returned of it are others; what its address
    says is left."""
    texts = {text for row in rows for text in _texts(row) if text not in page.url}
    body = page.body
    for text in sorted(texts, key=len, reverse=True):
        other = text.translate(_OTHER)
        body = body.replace(text.encode(), other.encode())
        body = body.replace(escape(text).encode(), escape(other).encode())
    return page.model_copy(update={"body": body})


def fields_by_heart(
    schema: RecordSchema, before: Sequence[ExtractedRecord], copy: Extracted
) -> frozenset[str]:
    """The fields of which a copy gives what its page gave, where the copy does not show
    it."""
    found: set[str] = set()
    for one, other in zip(before, copy.extraction.records, strict=False):
        found.update(_by_heart(schema, one, other, copy.facts))
    return frozenset(found)


def exchanged(pages: Sequence[Page]) -> list[Page]:
    """What stands on the next page, the first one for the last, under the address of
    each."""
    others = [*pages[1:], *pages[:1]]
    return [
        other.model_copy(update={"url": page.url, "final_url": page.final_url})
        for page, other in zip(pages, others, strict=True)
    ]


def fields_by_address(
    schema: RecordSchema,
    before: Sequence[ExtractedRecord],
    other: Sequence[ExtractedRecord],
    mixed: Sequence[ExtractedRecord],
    url: str,
) -> frozenset[str]:
    """The fields that give what they gave at an address where another page stands now,
    and not what they give of that; but for what the address says itself."""
    found: set[str] = set()
    for rows in zip(before, other, mixed, strict=False):
        found.update(_looked_up(schema, rows, url))
    return frozenset(found)


def by_heart_in_words(fields: frozenset[str]) -> str:
    """Why code is rejected."""
    names = ", ".join(sorted(fields))
    return f"{names}: read as before where other values were put into the page, so written into the code"


def _texts(row: Mapping[str, JsonValue]) -> Iterator[str]:
    """The texts of a row that are long enough to be replaced."""
    for value in row.values():
        for one in as_list(value):
            if len(str(one)) >= _SHORTEST:
                yield str(one)


def _looked_up(
    schema: RecordSchema, rows: Sequence[ExtractedRecord], url: str
) -> Iterator[str]:
    """The same of one record there, one of the other page, and what is given now."""
    for spec in schema.fields:
        there, own, now = (row.values.get(spec.name) for row in rows)
        if there is None or _is_said(there, url):
            continue
        if same(there, now, spec) and not same(there, own, spec):
            yield spec.name


def _is_said(value: object, url: str) -> bool:
    """Whether an address has all words and numbers of a value."""
    words = map(_words, map(str, as_list(value)))
    return _words(url).issuperset(chain.from_iterable(words))


def _words(text: str) -> set[str]:
    """The words and numbers of a text; 07 is 7."""
    return {word.lstrip("0") for word in _WORD.findall(text.casefold())}


def _by_heart(
    schema: RecordSchema,
    before: ExtractedRecord,
    after: ExtractedRecord,
    facts: PageFacts,
) -> Iterator[str]:
    """The same of one record."""
    for spec in schema.fields:
        value, again = before.values.get(spec.name), after.values.get(spec.name)
        if value is None or again is None or not same(value, again, spec):
            continue
        if is_on_page(value, spec, facts) is False:
            yield spec.name
