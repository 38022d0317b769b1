"""Gold values of a pack → typed JSON values of the benchmark's models.

The one place where conventions are mapped.
What differs from a plain parse:

- numbers written as words or with units ("4 servings", "12 cookies") keep their first number, as a decimal string;
- minutes are whole minutes, rounded half up (30, 30.0, "30");
- sets written as one text ("Drinks,Dessert") are split at commas;
- a list for a field that holds one value means: any of these is right;
- a date-time for a date field keeps its own local day, whatever its offset;
- court records were made from local files: a url that starts with `tests/examples/opinions/` is relative to the file,
  so the page gets that folder as its path and both sides resolve alike;
- where a pack has only a placeholder for a page's host (a name without a dot), the page is put on the host its gold
  urls name most and into the folder they share, as a crawl would have it;
- empty values ("" and []) are not gold.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from itertools import chain
from operator import attrgetter
from types import MappingProxyType
from typing import Any
from urllib.parse import SplitResult, urljoin, urlsplit

from crawloop_assets.induce.listing.texts import shared_start
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema, Shape
from crawloop_assets.values.value import Value, as_list, texts_among

GROUNDED = 0.99
_IN_DOM_NAME = {"lines": "text_lines"}
_FIXTURES = "tests/examples/"
_ABSOLUTE = ("http://", "https://")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

_NO_OTHERS: Mapping[str, Sequence[str]] = MappingProxyType({})

#: field name → the values that are right, the first of them the one to learn from
Gold = Mapping[str, tuple[Value, ...]]


def gold_record(
    raw: Mapping[str, Any],
    schema: RecordSchema,
    base_url: str,
    alternatives: Mapping[str, Sequence[str]] = _NO_OTHERS,
) -> Gold:
    """Typed gold of one record; fields the schema does not have, and values that are no
    value, are left out. `alternatives` are right as well."""
    gold = {}
    for spec in schema.fields:
        accepted = _accepted(raw.get(spec.name), spec, base_url)
        if accepted and spec.shape is Shape.ONE:
            others = _typed(list(alternatives.get(spec.name, ())), spec, base_url)
            accepted = (*accepted, *others)
        if accepted:
            gold[spec.name] = accepted
    return gold


def to_learn(gold: Gold) -> dict[str, Value]:
    """The record as an example: one value per field."""
    return {name: accepted[0] for name, accepted in gold.items()}


def stands_in_page(name: str, in_dom: Mapping[str, float | None]) -> bool:
    """Whether the field's value stands in the page without its scripts (unknown counts
    as no)."""
    share = in_dom.get(name, in_dom.get(_IN_DOM_NAME.get(name, name)))
    return share is not None and share >= GROUNDED


def page_url(url: str, records: tuple[dict[str, Any], ...]) -> str:
    """The url the page is shown under: where relative links resolve to what gold
    says."""
    texts = _texts(records)
    parts = urlsplit(url)
    if any(text.startswith(_FIXTURES) for text in texts):
        path = f"{_FIXTURES}opinions/united_states/{parts.path.strip('/')}.html"
        return f"{parts.scheme}://{parts.netloc}/{path}"
    if "." in parts.netloc:
        return url
    return _on_linked_host(url, texts)


def _on_linked_host(url: str, texts: list[str]) -> str:
    """A url on the host, and in the folder, that the texts link to; as it is if they
    link nowhere."""
    links = [urlsplit(text) for text in texts if text.startswith(_ABSOLUTE)]
    if not links:
        return url
    parts = urlsplit(url)
    host, folder = _linked_folder(links)
    path = parts.path or "/"
    return parts._replace(netloc=host, path=f"{folder}{path}").geturl()


def _linked_folder(links: list[SplitResult]) -> tuple[str, str]:
    """The host that most links name, and the folder which those links share."""
    hosts = Counter(map(attrgetter("netloc"), links))
    host = min(hosts, key=lambda name: (-hosts[name], name))
    paths = [link.path for link in links if link.netloc == host]
    return host, shared_start(paths).rpartition("/")[0]


def _texts(records: tuple[dict[str, Any], ...]) -> list[str]:
    """All values that are texts, of all records."""
    values = chain.from_iterable(map(dict.values, records))
    return texts_among(values)


def _accepted(raw: Any, spec: FieldSpec, base_url: str) -> tuple[Value, ...]:
    """The values that are right for a field; of a list or set there is one."""
    if isinstance(raw, str) and spec.shape is Shape.SET:
        raw = raw.split(",")
    values = _typed(as_list(raw), spec, base_url)
    if spec.shape is Shape.ONE:
        return tuple(dict.fromkeys(values))
    return (values,) if values else ()


def _typed(options: list[Any], spec: FieldSpec, base_url: str) -> list[Value]:
    """The options that are values of the field."""
    typed = [_single(option, spec, base_url) for option in options]
    return [value for value in typed if value not in (None, "")]


def _single(raw: Any, spec: FieldSpec, base_url: str) -> Value:
    """One gold value as the model's kind has it; None if it is none of that kind."""
    if raw is None:
        return None
    text = str(raw).strip()
    if spec.kind is FieldKind.URL:
        return _absolute(text, base_url)
    return _READERS.get(spec.kind, str)(text)


def _whole(text: str) -> int | None:
    """The first number of a text as a whole one, rounded half up; None without one."""
    number = _number(text)
    if number is None:
        return None
    return int(Decimal(number).quantize(Decimal(1), ROUND_HALF_UP))


def _absolute(text: str, base_url: str) -> str | None:
    """A url as a crawl would have it; None for an empty text."""
    if not text:
        return None
    base = f"{_root(base_url)}/" if text.startswith(_FIXTURES) else base_url
    return urljoin(base, text)


def _number(text: str) -> str | None:
    """The first number of a text as a decimal string, None without one; commas part
    thousands."""
    found = _NUMBER.search(text.replace(",", ""))
    if not found:
        return None
    try:
        return format(Decimal(found.group()), "f")
    except InvalidOperation:
        return None


def _date(text: str) -> str | None:
    """The day of an ISO date or date-time, None for anything else."""
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return None


def _datetime(text: str) -> str | None:
    """An ISO date-time, None for anything else."""
    try:
        return datetime.fromisoformat(text).isoformat()
    except ValueError:
        return None


_READERS: Mapping[FieldKind, Callable[[str], Value]] = {
    FieldKind.NUMBER: _number,
    FieldKind.INTEGER: _whole,
    FieldKind.MINUTES: _whole,
    FieldKind.DATE: _date,
    FieldKind.DATETIME: _datetime,
}
"""How a text is read as a value of these kinds; of any other it is the value itself."""


def _root(url: str) -> str:
    """Scheme and host of a url."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
