"""`python -m crawloop_assets.sandbox --code FILE`: the code of a crawler, run on pages
from standard input as it is run in production."""

import argparse
import asyncio
import json
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any

from crawloop_assets.errors import (
    CodeRefused,
    CrawlerCrashed,
    CrawlerGarbage,
    CrawlerOutOfMemory,
    CrawlerTimeout,
    SandboxUnavailable,
)
from crawloop_assets.page import Page
from crawloop_assets.sandbox.code.runner import CodeRunner
from crawloop_assets.sandbox.jobs import CodeRows

_EMPTY_HTML = {"Content-Type": "text/html; charset=utf-8"}


class CodeStatus(StrEnum):
    """How the code did on all pages: as on the worst of them."""

    OK = "ok"
    REFUSED = "refused"
    ERROR = "error"
    KILLED = "killed"


_STATUS_OF: dict[type[BaseException], CodeStatus] = {
    CodeRefused: CodeStatus.REFUSED,
    CrawlerTimeout: CodeStatus.KILLED,
    CrawlerCrashed: CodeStatus.KILLED,
    CrawlerOutOfMemory: CodeStatus.KILLED,
    CrawlerGarbage: CodeStatus.ERROR,
}


def run_code_file(arguments: Sequence[str] | None = None) -> int:
    """Reads `[{"html": …, "url": …}, …]`, prints one JSON object; 0 if all is well, 2 if
    what was given cannot be read."""
    parser = argparse.ArgumentParser(prog="python -m crawloop_assets.sandbox")
    parser.add_argument("--code", type=Path, required=True, help="the code, a file")
    parser.add_argument(
        "--no-gate", action="store_true", help="for tests: what the kernel alone holds"
    )
    asked = parser.parse_args(arguments)
    try:
        code = asked.code.read_text("utf-8")
        pages = list(map(_page, json.load(sys.stdin)))
    except (OSError, ValueError) as error:
        parser.error(f"cannot read what was given: {error}")
    except (KeyError, TypeError, AttributeError):
        parser.error('standard input is no list of {"html": "…", "url": "…"}')
    said = _run(code, pages, gated=not asked.no_gate)
    print(json.dumps(said, ensure_ascii=False))
    return 0 if said["status"] == CodeStatus.OK else 1


def _page(given: dict[str, str]) -> Page:
    """A page as it would have been fetched."""
    body = given["html"].encode("utf-8", "replace")
    return Page(url=given["url"], body=body, headers=_EMPTY_HTML)


def _run(code: str, pages: Sequence[Page], *, gated: bool) -> dict[str, Any]:
    """What is printed."""
    with CodeRunner(gated=gated) as runner:
        try:
            held_by = runner.held_by
        except SandboxUnavailable as error:
            return _answer(CodeStatus.REFUSED, str(error), [], "none")
        read = asyncio.run(runner.read(code, pages))
    faults = [one for one in read if not isinstance(one, CodeRows)]
    rows = [list(one.rows) if isinstance(one, CodeRows) else [] for one in read]
    if not faults:
        return _answer(CodeStatus.OK, "", rows, held_by)
    status = _STATUS_OF.get(type(faults[0]), CodeStatus.ERROR)
    return _answer(status, str(faults[0]), rows, held_by)


def _answer(
    status: CodeStatus, reason: str, pages: Sequence[Sequence[Any]], containment: str
) -> dict[str, Any]:
    """The object that is printed."""
    return {
        "status": status.value,
        "reason": reason,
        "pages": pages,
        "containment": containment,
    }


if __name__ == "__main__":
    sys.exit(run_code_file())
