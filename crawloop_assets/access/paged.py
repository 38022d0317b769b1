"""Pages that differ only in the body of a POST.

The fragment of a url, which is never sent, names which one is meant:
`https://api.example/search#page=3`.
"""

import json
import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote, unquote, urldefrag, urlsplit

from crawloop_assets.family import Request

_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,17}")


def url_of_page(url: str, param: str, value: str | int) -> str:
    """The url of the page that is asked for with `value` in `param` of the body;
    `page_param` is the inverse."""
    text = str(value)
    # A text that would be read as a number keeps its quotes.
    if isinstance(value, int) or _value(value) != value:
        text = json.dumps(value)
    return f"{urldefrag(url).url}#{quote(param)}={quote(text, safe='')}"


def page_param(url: str) -> tuple[str, str | int] | None:
    """Parameter and value that a url names, None if it names none."""
    param, _, text = urlsplit(url).fragment.partition("=")
    if not param or not text:
        return None
    return unquote(param), _value(unquote(text))


def request_for(url: str, request: Request) -> Request:
    """The request for the page of a url: its family's, with what the url says put into
    the body."""
    page = page_param(url) if request.method == "POST" else None
    if page is None:
        return request
    param, value = page
    if request.form is not None:
        return request.model_copy(update={"form": {**request.form, param: str(value)}})
    body = _with_value(request.json_body, param.split("."), value)
    return request.model_copy(update={"json_body": body})


def _with_value(body: Any, keys: Sequence[str], value: str | int) -> Any:
    """A copy of a body with a value in place."""
    if not keys:
        return value
    inner = body if isinstance(body, dict) else {}
    key, *deeper = keys
    return {**inner, key: _with_value(inner.get(key), deeper, value)}


def _value(text: str) -> str | int:
    """A number, a text in quotes, or the text as it is."""
    if _NUMBER.fullmatch(text):
        return int(text)
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        return text
