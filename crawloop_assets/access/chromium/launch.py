"""One Chromium process: found, started with nothing it does not need, and gone when it
is closed."""

import asyncio
import importlib
import importlib.util
import json
import os
import shlex
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from crawloop_assets.errors import ConfigError

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
)
CLOSE_S = 10.0
_HINT = "install chromium, or name one in CRAWLOOP_CHROMIUM"
_FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-pings",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-domain-reliability",
    "--disable-dev-shm-usage",
    "--mute-audio",
    # No window opens where a version still obeys that (the proxy checks what windows ask for), and no packet leaves
    # beside the proxy.
    "--block-new-web-contents",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Nobody looks at what one worker of several pages asks for: there is none, as in Chrome on Android. Nor at what the
    # browser itself asks for in a page's name: no identities, and (below) no makers of means of payment.
    "--disable-blink-features=SharedWorker,FedCm",
    # Frames share their page's process, so that one session sees the requests of all of them.
    "--disable-site-isolation-trials",
    "--disable-features=IsolateOrigins,site-per-process,Translate,MediaRouter,OptimizationHints,"
    "AutofillServerCommunication,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,WebPayments,"
    # An http:// url is asked for as it is written: a site without https would show nothing.
    "HttpsUpgrades,HttpsFirstBalancedMode,"
    # What drops down from the address bar is two pages in each window, more work than the one that is shown.
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup",
)
# Nor at what is loaded ahead of a click, which only a profile turns off.
_PROFILE = {"net": {"network_prediction_options": 2}}
# The driver makes the profile's folder, and tells it to no one but the program it starts.
_STARTER = """#!/bin/sh
for given in "$@"; do case "$given" in --user-data-dir=*)
  mkdir -p "${{given#*=}}/Default" && printf %s {profile} >"${{given#*=}}/Default/Preferences" ;;
esac; done
exec {path} "$@"
"""


def find_chromium() -> str:
    """The path of a Chromium: `CRAWLOOP_CHROMIUM`, one on the PATH, or Playwright's
    own.

    "" if there is none.
    """
    if named := os.environ.get("CRAWLOOP_CHROMIUM"):
        return named if os.access(named, os.X_OK) else ""
    if found := next(filter(None, map(shutil.which, NAMES)), None):
        return found
    return _chromium_of_playwright()


def _only_through(proxy: str, pin: str) -> tuple[str, ...]:
    """The switches that leave Chromium one way out, also to its own machine, and let it
    trust the key at the other end of that."""
    return (
        # No name is looked up beside it either: not for a preconnect, not for a peer or
        # a relay of a call.
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        f"--proxy-server=http://{proxy}",
        "--proxy-bypass-list=<-loopback>",
        f"--ignore-certificate-errors-spki-list={pin}",
    )


def _starter(folder: Path, path: str) -> str:
    """The path of a program, made in a folder, that starts Chromium with our profile."""
    program = folder / "chromium"
    profile = shlex.quote(json.dumps(_PROFILE))
    program.write_text(_STARTER.format(profile=profile, path=shlex.quote(path)))
    program.chmod(0o700)
    return str(program)


def _chromium_of_playwright() -> str:
    """The path of the last Chromium that `playwright install` has put into its cache,
    "" if there is none."""
    cache = Path(
        os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
        or Path.home() / ".cache" / "ms-playwright"
    )
    own = sorted(cache.glob("chromium-*/chrome-linux*/chrome"))
    return str(own[-1]) if own else ""


def has_driver(name: str) -> bool:
    """True if the package that drives the browser ("playwright", or "patchright" for
    stealth) is installed."""
    return importlib.util.find_spec(name) is not None


class Chromium:
    """A running browser.

    `driver` is "playwright" or a package with the same interface.
    """

    def __init__(self, playwright: Any, browser: Any, mark: str):
        """`mark` is on the command line of all its processes, so that none is
        forgotten."""
        self._playwright, self.browser, self._mark = playwright, browser, mark
        self.pages = 0

    @classmethod
    async def start(cls, driver: str, proxy: str, pin: str) -> "Chromium":
        """Start one that can only connect to `proxy` and takes certificates of the key
        that `pin` is the hash of.

        ConfigError if it cannot be started.
        """
        path = find_chromium()
        api = importlib.import_module(f"{driver}.async_api")
        # An unknown switch does nothing, but it tells this process from all others.
        mark = f"--crawloop-browser={uuid4().hex}"
        playwright = await _started(api.async_playwright())
        # Read before the browser answers, so that it may go then.
        folder = TemporaryDirectory(prefix="crawloop-browser-")
        try:
            browser = await playwright.chromium.launch(
                executable_path=_starter(Path(folder.name), path),
                args=[*_FLAGS, *_only_through(proxy, pin), mark],
                headless=True,
                # Chromium's own sandbox needs a user that is not root.
                chromium_sandbox=os.geteuid() != 0,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
        except BaseException as error:
            # Also when the wait for it was cut short: nothing of it may stay.
            with suppress(Exception):
                await playwright.stop()
            end(mark)
            if isinstance(error, api.Error):
                raise ConfigError(
                    f"{path or 'Chromium'} cannot be started: {_first(error)}",
                    hint=_HINT,
                ) from error
            raise
        finally:
            folder.cleanup()
        return cls(playwright, browser, mark)

    @property
    def alive(self) -> bool:
        """It still answers."""
        return bool(self.browser.is_connected())

    async def close(self) -> None:
        """End it, by force if it does not end by itself."""
        for closing in (self.browser.close(), self._playwright.stop()):
            # Whatever goes wrong here, the process is ended below.
            with suppress(Exception):
                await asyncio.wait_for(closing, CLOSE_S)
        end(self._mark)


async def _started(driver: Any) -> Any:
    """The driver, which is a process: where the wait for it is cut short by the deadline
    of a page it is ended as soon as it is there, or nobody ever would."""
    starting = asyncio.ensure_future(driver.start())
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        with suppress(Exception):
            playwright = await asyncio.wait_for(starting, CLOSE_S)
            await asyncio.wait_for(playwright.stop(), CLOSE_S)
        raise


def end(mark: str) -> None:
    """Kill the processes that carry a mark."""
    for process in running(mark):
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def running(mark: str) -> list[int]:
    """The processes that carry a mark in their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in entry.read_bytes().split(b"\0"):
                found.append(int(entry.parent.name))
        except OSError:  # it ended while we looked
            continue
    return found


def _first(error: Exception) -> str:
    """The first line of an error, 300 characters at most; its type if it says
    nothing."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
