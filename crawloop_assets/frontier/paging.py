"""The page after one of a JSON listing, where no link leads to it."""

from collections.abc import Mapping
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
    paging = family.discover.paging
    if paging is None:
        paging = _found(url, family, paged.param) if paged.param else None
        value = paged.value
    else:
        value = paged.value if paging.source else _counted(url, family, paging)
    if paging is None or value is None:
        return ""
    return (
        url_of_page(url, paging.param, value)
        if paging.into == "body"
        else _queried(url, family, paging.param, value)
    )


def called(url: str, family: Family) -> str:
    """The one spelling of a url of a family, which names a page within a POST, too."""
    page = page_param(url) if family.request.method == "POST" else None
    plain = normalize(url, family.discover)
    return url_of_page(plain, *page) if page and plain else plain


def _found(url: str, family: Family, suggested: str) -> Paging:
    """The parameter that is named like the key of the value: one that is in use, else
    as a usual API has it."""
    query = [name for name, _ in _query(url)]
    body = [] if family.request.method == "GET" else list(_body(url, family))
    same = next(
        (name for name in (*query, *body) if letters(name) == letters(suggested)), None
    )
    into = "body" if same in body or (same is None and body) else "query"
    return Paging.model_validate({"param": same or suggested, "in": into, "from": "$"})


def _counted(url: str, family: Family, paging: Paging) -> int | None:
    """This page's number, as it was asked for, and a step; None if it was asked for by
    no number."""
    if paging.into == "query":
        now: Any = dict(_query(url)).get(paging.param)
    else:
        now = _body(url, family)
        for key in (
            [paging.param]
            if family.request.form is not None
            else paging.param.split(".")
        ):
            now = now.get(key) if isinstance(now, Mapping) else None
    if now is None:
        return paging.step + (paging.step == 1)  # from page 1, or from offset 0
    return int(now) + paging.step if str(now).isdecimal() else None


def _body(url: str, family: Family) -> Mapping[str, Any]:
    request = request_for(url, family.request)
    body = request.json_body if request.form is None else request.form
    return body if isinstance(body, Mapping) else {}


def _query(url: str) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(url).query, keep_blank_values=True)


def _queried(url: str, family: Family, param: str, value: str | int) -> str:
    parts = urlsplit(url)
    kept = [(name, was) for name, was in _query(url) if name != param]
    return normalize(
        urlunsplit(parts._replace(query=urlencode([*kept, (param, value)]))),
        family.discover,
    )
