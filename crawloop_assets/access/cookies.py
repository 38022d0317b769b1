"""Cookies, kept in memory for as long as one attempt or one login lasts."""

from collections.abc import Iterable
from email.message import Message
from http.cookiejar import CookieJar
from typing import Any
from urllib.request import Request


class Jar:
    """The standard library's cookie jar: it decides what it takes and what it gives to which url."""

    def __init__(self) -> None:
        """Starts empty."""
        self._jar = CookieJar()

    def __len__(self) -> int:
        """How many cookies it holds, of all sites."""
        return len(self._jar)

    def take(self, url: str, cookies: Iterable[str]) -> None:
        """Keep the Set-Cookie headers of an answer."""
        answer: Any = _Answer(cookies)
        self._jar.extract_cookies(answer, Request(url))

    def header(self, url: str) -> str:
        """The Cookie header for a request, "" if there is none to send."""
        if not len(self._jar):
            return ""
        request = Request(url)
        self._jar.add_cookie_header(request)
        return request.get_header("Cookie") or ""

    def clear(self) -> None:
        """Forget all."""
        self._jar.clear()


class _Answer:
    """As much of an http.client response as the jar looks at."""

    def __init__(self, cookies: Iterable[str]):
        """`cookies` are the texts of the Set-Cookie headers."""
        self._headers = Message()
        for cookie in cookies:
            self._headers["Set-Cookie"] = cookie

    def info(self) -> Message:
        """What the jar calls to get at the headers."""
        return self._headers
