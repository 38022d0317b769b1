"""The part of Playwright's interface that the browser rung uses."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx

from tests.access.chromium.driver import state

REDIRECTS = (301, 302, 303, 307, 308)


class Error(Exception):
    """Any error of the driver's."""


class TimeoutError(Error):
    """A wait that was over."""


def async_playwright() -> "Manager":
    return Manager()


class Manager:
    async def start(self) -> "Playwright":
        return Playwright()


class Playwright:
    @property
    def chromium(self) -> "Playwright":
        return self

    async def launch(self, **options: Any) -> "Browser":
        if state.launch_error:
            raise Error(state.launch_error)
        state.launches.append(options)
        state.programs.append(Path(options["executable_path"]).read_text())
        browser = Browser(options)
        state.browsers.append(browser)
        return browser

    async def stop(self) -> None:
        state.stopped += 1


class Browser:
    def __init__(self, options: dict[str, Any]):
        named = [text.partition("=") for text in options["args"]]
        self.proxy = {name: value for name, _, value in named}["--proxy-server"]
        self.connected = True

    def is_connected(self) -> bool:
        return self.connected

    async def new_context(self, **options: Any) -> "Context":
        if state.context_error:
            raise Error(state.context_error)
        state.contexts.append(options)
        return Context(self, options)

    async def close(self) -> None:
        self.connected = False
        if state.close_error:
            raise Error(state.close_error)


class Context:
    def __init__(self, browser: Browser, options: dict[str, Any]):
        self.browser, self.options = browser, options
        self.session = Session()

    async def new_page(self) -> "Page":
        return Page(self)

    async def new_cdp_session(self, page: "Page") -> "Session":
        return self.session

    async def close(self) -> None:
        if state.close_error:
            raise Error(state.close_error)


class Session:
    """Hands requests to the listener, and its decisions back."""

    def __init__(self) -> None:
        self.listeners: dict[str, Callable[[dict[str, Any]], None]] = {}
        self.decisions: dict[str, asyncio.Future[dict[str, Any] | None]] = {}

    def on(self, event: str, listener: Callable[[dict[str, Any]], None]) -> None:
        assert event in ("Fetch.requestPaused", "Fetch.authRequired")
        self.listeners[event] = listener

    async def send(self, method: str, options: dict[str, Any]) -> None:
        if method in ("Fetch.continueRequest", "Fetch.continueWithAuth"):
            self.decisions[options["requestId"]].set_result(options)
        elif method == "Fetch.failRequest":
            self.decisions[options["requestId"]].set_result(None)

    async def headers_for(
        self, url: str, kind: str, headers: dict[str, str], frame: str = "main"
    ) -> dict[str, str] | None:
        """The headers a request may be sent with, None if it may not be."""
        decision = await self._decision(
            "Fetch.requestPaused",
            {
                "request": {"url": url, "headers": headers},
                "resourceType": kind,
                "frameId": frame,
            },
        )
        if decision is None:
            return None
        changed = decision.get("headers")
        if changed is None:
            return headers
        return {header["name"]: header["value"] for header in changed}

    async def credentials_for(self, source: str) -> tuple[str, str] | None:
        """What is said to who wants a password ("Proxy" or "Server"), None if nothing."""
        challenge = {"authChallenge": {"source": source}}
        decision = await self._decision("Fetch.authRequired", challenge)
        assert decision is not None
        answer = decision["authChallengeResponse"]
        if answer["response"] != "ProvideCredentials":
            return None
        return answer["username"], answer["password"]

    async def _decision(
        self, event: str, details: dict[str, Any]
    ) -> dict[str, Any] | None:
        number = str(len(self.decisions))
        self.decisions[number] = asyncio.get_running_loop().create_future()
        self.listeners[event]({"requestId": number, **details})
        return await self.decisions[number]


class Request:
    def __init__(self, url: str, before: "Request | None"):
        self.url, self.redirected_from = url, before
        self.answer: Response | None = None

    async def response(self) -> "Response | None":
        return self.answer


class Response:
    def __init__(self, request: Request, answer: httpx.Response):
        self.request, self.url = request, request.url
        self.status, self._answer = answer.status_code, answer
        request.answer = self

    async def all_headers(self) -> dict[str, str]:
        return dict(self._answer.headers)

    async def body(self) -> bytes:
        return self._answer.content


class Page:
    def __init__(self, context: Context):
        self.context, self.url, self.text = context, "about:blank", ""

    async def goto(self, url: str, **_: Any) -> Response | None:
        if state.goto_error:
            raise Error(state.goto_error)
        before = None
        while True:
            request = Request(url, before)
            response, answer = await self._load(request)
            target = answer.headers.get("location")
            if response.status not in REDIRECTS or target is None:
                break
            before, url = request, urljoin(url, target)
        self.url, self.text = url, answer.text
        return response

    async def _load(self, request: Request) -> tuple[Response, httpx.Response]:
        sent = {"User-Agent": self.context.options["user_agent"]}
        headers = await self.context.session.headers_for(request.url, "Document", sent)
        if headers is None:
            raise Error(f"net::ERR_BLOCKED_BY_CLIENT at {request.url}")
        auth = await self.context.session.credentials_for("Proxy")
        proxy = httpx.Proxy(self.context.browser.proxy, auth=auth)
        async with httpx.AsyncClient(proxy=proxy, trust_env=False) as client:
            try:
                answer = await client.get(request.url, headers=headers)
            except httpx.HTTPError as error:
                raise Error(f"net::ERR_EMPTY_RESPONSE at {request.url}") from error
        return Response(request, answer), answer

    async def content(self) -> str:
        return f"<!-- rendered -->{self.text}"

    async def wait_for_selector(self, selector: str, **_: Any) -> None:
        if state.selector_hangs:
            await asyncio.Event().wait()

    async def wait_for_load_state(self, name: str, timeout: float) -> None:
        assert name == "networkidle"
        assert timeout >= 500
        if state.never_idle:
            raise TimeoutError("it is never idle")

    async def wait_for_timeout(self, milliseconds: float) -> None:
        await asyncio.sleep(milliseconds / 1_000)

    async def evaluate(self, script: str) -> int:
        if "scrollTo" in script:
            state.scrolls += 1
            return 0
        return state.heights.pop(0)
