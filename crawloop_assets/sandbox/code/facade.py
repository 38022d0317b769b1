"""All that the code of a crawler can see: frozen copies of a few modules and the
builtins that compute.

A copy has the functions that are named here and nothing else, so that no module leads
on to the modules it imports.
"""

import builtins
import datetime
import decimal
import html
import json
import re
import urllib.parse
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NoReturn, Self

from crawloop_assets.sandbox.code.selector import CodeSelector, CodeSelectors


class Namespace:
    """A module as code crawlers see it: names that cannot be set."""

    __slots__ = ("__dict__",)

    def __init__(self, name: str, values: Mapping[str, Any]):
        """A module called `name`."""
        self.__dict__.update(values, __name__=name)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refuses: what one page changed would be there for the next."""
        raise AttributeError(f"{name} cannot be set")


class Date(datetime.date):
    """A date that does not know which day it is."""

    @classmethod
    def today(cls) -> NoReturn:
        """Refuses: a page must read the same tomorrow."""
        raise ValueError("code crawlers have no clock")


class DateTime(datetime.datetime):
    """A moment that does not know what time it is."""

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> NoReturn:
        """Refuses: a page must read the same tomorrow."""
        del tz
        raise ValueError("code crawlers have no clock")

    @classmethod
    def today(cls) -> Self:
        """Refuses as `now` does."""
        return cls.now()

    @classmethod
    def utcnow(cls) -> Self:
        """Refuses as `now` does."""
        return cls.now()


_RE = (
    "compile", "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer", "escape", "error",
    "A", "ASCII", "I", "IGNORECASE", "M", "MULTILINE", "S", "DOTALL", "U", "UNICODE", "X", "VERBOSE",
)  # fmt: skip
_DECIMAL = (
    "Decimal", "InvalidOperation", "DecimalException", "ROUND_CEILING", "ROUND_DOWN", "ROUND_FLOOR",
    "ROUND_HALF_DOWN", "ROUND_HALF_EVEN", "ROUND_HALF_UP", "ROUND_UP", "ROUND_05UP",
)  # fmt: skip
_PARSE = (
    "urljoin", "urlparse", "urlsplit", "urlunparse", "urlunsplit", "urldefrag", "urlencode", "parse_qs", "parse_qsl",
    "quote", "quote_plus", "unquote", "unquote_plus",
)  # fmt: skip


def _some(module: Any, names: Sequence[str]) -> dict[str, Any]:
    """Names of a module; of flags the number, since their class leads to others."""
    found = {name: getattr(module, name) for name in names}
    return {
        name: int(value) if isinstance(value, re.RegexFlag) else value
        for name, value in found.items()
    }


_TIMES = {
    "date": Date,
    "datetime": DateTime,
    "time": datetime.time,
    "timedelta": datetime.timedelta,
    "timezone": datetime.timezone,
    "UTC": datetime.UTC,
}
_URL_PARSE = Namespace("urllib.parse", _some(urllib.parse, _PARSE))

MODULES: dict[str, Namespace] = {
    "re": Namespace("re", _some(re, _RE)),
    "json": Namespace("json", _some(json, ("loads", "dumps", "JSONDecodeError"))),
    "datetime": Namespace("datetime", _TIMES),
    "decimal": Namespace("decimal", _some(decimal, _DECIMAL)),
    "html": Namespace("html", _some(html, ("escape", "unescape"))),
    "urllib": Namespace("urllib", {"parse": _URL_PARSE}),
    "urllib.parse": _URL_PARSE,
    "parsel": Namespace(
        "parsel", {"Selector": CodeSelector, "SelectorList": CodeSelectors}
    ),
}
"""What may be imported, by name."""

_COMPUTE = (
    "abs", "all", "any", "bin", "bool", "chr", "dict", "divmod", "enumerate", "filter", "float", "format", "frozenset",
    "hex", "int", "isinstance", "iter", "len", "list", "map", "max", "min", "next", "oct", "ord", "pow", "range",
    "repr", "reversed", "round", "set", "slice", "sorted", "str", "sum", "tuple", "zip",
)  # fmt: skip
_ERRORS = (
    "ArithmeticError", "AssertionError", "AttributeError", "Exception", "IndexError", "KeyError", "LookupError",
    "OverflowError", "RecursionError", "RuntimeError", "StopIteration", "TypeError",
    "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "ValueError", "ZeroDivisionError",
)  # fmt: skip
SAFE_BUILTINS = frozenset((*_COMPUTE, *_ERRORS))
"""The builtins that only compute; all others are refused by name."""


class _Names:
    """The names that mean something after a dot."""

    # What these have without an underscore reaches nothing but their own value.
    kinds: ClassVar[tuple[type, ...]] = (
        str, bytes, int, float, list, dict, set, frozenset, tuple, re.Pattern, re.Match, decimal.Decimal,
        datetime.date, datetime.datetime, datetime.time, datetime.timedelta, datetime.timezone,
        CodeSelector, CodeSelectors,
    )  # fmt: skip
    refused = frozenset(("format", "format_map", "now", "today", "utcnow"))
    others = frozenset(("args", "msg", "pos", "doc", "lineno", "colno"))  # of errors

    @classmethod
    def allowed(cls) -> frozenset[str]:
        """Every name that may stand after a dot."""
        found = {name for kind in cls.kinds for name in dir(kind)}
        for module in MODULES.values():
            found.update(vars(module))
        found.update(("scheme", "netloc", "path", "params", "query", "fragment"))
        found.update(("hostname", "port", "username", "password", "geturl", "url"))
        public = {name for name in found if not name.startswith("_")}
        return frozenset(public | cls.others) - cls.refused


ALLOWED_ATTRIBUTES = _Names.allowed()


def import_module(name: str, *rest: Any) -> Namespace:
    """What `import` gives to code: the copy, of "urllib.parse" the first part where the
    whole name was asked for."""
    if name not in MODULES:
        raise ImportError(f"{name} cannot be imported")
    names = rest[2] if len(rest) > 2 else ()
    return MODULES[name if names else name.partition(".")[0]]


def builtins_of_code() -> dict[str, Any]:
    """The builtins of a module of code, as a dict of its own."""
    return _some(builtins, sorted(SAFE_BUILTINS)) | {"__import__": import_module}
