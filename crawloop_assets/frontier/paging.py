"""The page after one of a JSON listing, where no link leads to it."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from crawloop_assets.access.paged import page_param, request_for, url_of_page
from crawloop_assets.family import Family, Paging
from crawloop_assets.frontier.urls import normalize
from crawloop_assets.sandbox.jobs import Paged
from crawloop_assets.values.text import letters


def following(url: str, family: Family, paged: Paged) -> str:
    """The url of the page after that of `url`; "" if there is none, or the answer does
    not say."""
    paging = family.discover.paging or _usual_paging(url, family, paged.param)
    if paging is None:
        return ""
    value = _next_value(url, family, paging, paged)
    return "" if value is None else _asking_for(url, family, paging, value)


def _asking_for(url: str, family: Family, paging: Paging, value: Any) -> str:
    """The url that asks for a page by this value: in its query or, for a POST, where it
    only names what goes into the body."""
    if paging.into == "body":
        return url_of_page(url, paging.param, value)
    return _with_parameter(url, family, paging.param, value)


def _next_value(
    url: str, family: Family, paging: Paging, paged: Paged
) -> str | int | None:
    """What the answer says of the next page, or a count where answers say nothing."""
    if paging.source:
        return paged.value
    return _next_number(url, family, paging)


def called(url: str, family: Family) -> str:
    """The one spelling of a url of a family, which names a page within a POST, too."""
    plain = normalize(url, family.discover)
    if family.request.method != "POST":
        return plain
    page = page_param(url)
    if page is None or not plain:
        return plain
    param, value = page
    return url_of_page(plain, param, value)


def _usual_paging(url: str, family: Family, suggested: str) -> Paging | None:
    """The parameter that is named like the key of the value: one that is in use, else
    as a usual API has it.

    None if no key was found.
    """
    if not suggested:
        return None
    query = [name for name, _ in _query(url)]
    body = _names_in_body(url, family)
    param = _named_like(suggested, (*query, *body))
    return Paging.model_validate(
        {
            "param": param or suggested,
            "in": _place(param, query, body),
            "from": "$",
        }
    )


def _place(param: str | None, query: Sequence[str], body: Sequence[str]) -> str:
    """Where a parameter belongs, as `Paging.into` has it: a new one goes to the body
    if there is one."""
    if not body:
        return "query"
    in_query_only = set(query).difference(body)
    return "query" if param in in_query_only else "body"


def _names_in_body(url: str, family: Family) -> list[str]:
    """The parameters that pages may be told apart by in the body; a GET has none."""
    if family.request.method == "GET":
        return []
    return list(_body(url, family))


def _named_like(name: str, candidates: Sequence[str]) -> str | None:
    """The first candidate that has the same letters, however they are written."""
    for candidate in candidates:
        if letters(candidate) == letters(name):
            return candidate
    return None


def _asked_number(url: str, family: Family, paging: Paging) -> Any:
    """What a page was asked for by, as the query or the body of the request has it; None
    for a first page, which may be asked for by nothing."""
    if paging.into == "query":
        return dict(_query(url)).get(paging.param)
    return _in_body(_body(url, family), _keys(paging, family))


def _next_number(url: str, family: Family, paging: Paging) -> int | None:
    """This page's number, as it was asked for, and a step; None if it was asked for by
    no number."""
    number = _asked_number(url, family, paging)
    if number is None:
        first = int(paging.step == 1)  # page 1, or offset 0
        return first + paging.step
    if not str(number).isdecimal():
        return None
    return int(number) + paging.step


def _keys(paging: Paging, family: Family) -> list[str]:
    """Where the parameter is in the body: dots lead inside, but for a form, which is
    flat."""
    if family.request.form is not None:
        return [paging.param]
    return paging.param.split(".")


def _in_body(body: Any, keys: Sequence[str]) -> Any:
    """What stands under keys, one in another; None if nothing does."""
    for key in keys:
        if not isinstance(body, Mapping):
            return None
        body = body.get(key)
    return body


def _body(url: str, family: Family) -> Mapping[str, Any]:
    """The body that a url's page is asked for with; empty if it has no keys."""
    request = request_for(url, family.request)
    body = request.form
    if body is None:
        body = request.json_body
    if isinstance(body, Mapping):
        return body
    return {}


def _query(url: str) -> list[tuple[str, str]]:
    """Names and values of the query, the empty ones too."""
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)


def _with_parameter(url: str, family: Family, param: str, value: str | int) -> str:
    """The url with a parameter of the query set, and last."""
    others = [pair for pair in _query(url) if pair[0] != param]
    query = urlencode([*others, (param, value)])
    changed = urlsplit(url)._replace(query=query)
    return normalize(urlunsplit(changed), family.discover)
