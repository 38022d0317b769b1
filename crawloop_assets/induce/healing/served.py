"""Known pictures that another host delivers now.

A site moves its pictures into a network of servers, or out of it: what was under
`cdn.` is under the site's own name. The path, down to the name of the file, still says
which picture it is.
"""

from collections.abc import Sequence
from functools import partial
from itertools import filterfalse
from operator import attrgetter, methodcaller
from urllib.parse import unquote, urlsplit

from crawloop_assets.induce.detail.trials import (
    KnownValue,
    Tried,
    induce,
    pages_with_value,
)
from crawloop_assets.induce.healing.said_once import is_by_position
from crawloop_assets.induce.locate.attributes import telling_attributes
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.equality import same
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.present import present
from crawloop_assets.values.text import letters
from crawloop_assets.values.value import Value

_TELLING = 8
"""Letters of the name of a file that another site has not by chance."""


def delivered_now(known: Sequence[KnownValue], spec: FieldSpec) -> list[Tried]:
    """Readers of the address at which the pages have the known picture now, on another
    host; empty where none has one."""
    if (spec.kind, spec.shape) != (FieldKind.URL, Shape.ONE):
        return []
    now = map(partial(_served, spec=spec), known)
    pages = list(map(KnownValue, map(attrgetter("index"), known), now))
    tried = induce(pages, spec) if pages_with_value(pages) else []
    return list(filterfalse(is_by_position, tried))


def _served(page: KnownValue, spec: FieldSpec) -> Value | None:
    """The only address of a page that has the path of the known one, on another host: what
    leads to a picture that is there as it was has to be found by what it leans on."""
    path = _path(page.value)
    name = path.rpartition("/")[2]
    if len(letters(name)) < _TELLING:
        return None
    texts = map(attrgetter("text"), telling_attributes(page.document))
    read = partial(parse_value, spec=spec, base_url=page.document.base_url)
    addresses = map(read, filter(methodcaller("__contains__", name), texts))
    found = set(filter(lambda one: _path(one) == path, present(addresses)))
    address = found.pop() if len(found) == 1 else None
    return None if same(address, page.value, spec) else address


def _path(address: Value | None) -> str:
    """The path of an address as people read it; "" of none."""
    try:
        return unquote(urlsplit(str(address or "")).path)
    except ValueError:
        return ""
