"""What a child does with the pages it is given: look at the code, run it, write down
what it returns.

Imported in fork servers only.
"""

import builtins
import datetime
import decimal
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from crawloop_assets.sandbox import jobs
from crawloop_assets.sandbox.code import facade, gate
from crawloop_assets.sandbox.code.selector import CodeSelector
from crawloop_assets.sandbox.frames import Status
from crawloop_assets.sandbox.job import Job
from crawloop_assets.sandbox.worker import MESSAGE_CHARS

_Crawl = Callable[[str, str], Any]
_FILE = "<crawler>"


def _crawl_all(asked: Sequence[jobs.CodeJob]) -> list[tuple[Status, bytes]]:
    """What the code returns for each page, in order; all jobs have the same code."""
    first = asked[0]
    if first.gated and (refusal := gate.refusal_of(first.code)):
        return [_said(Status.REFUSED, refusal)] * len(asked)
    try:
        crawl = _made(first)
    except Exception as error:  # noqa: BLE001 - the parent raises it again
        return [_said(Status.RAISED, _words(error))] * len(asked)
    return [_outcome(crawl, job) for job in asked]


def _made(job: jobs.CodeJob) -> _Crawl:
    """The function of the code, in a module of its own."""
    names: dict[str, Any] = {"__name__": "crawler"}
    names["__builtins__"] = vars(builtins)
    if job.gated:
        names["__builtins__"] = facade.builtins_of_code()
    exec(compile(job.code, _FILE, "exec", dont_inherit=True), names)
    made: _Crawl = names["crawl"]
    return made


def _outcome(crawl: _Crawl, job: jobs.CodeJob) -> tuple[Status, bytes]:
    """What the code returns for a page as strict JSON, or what it raised."""
    try:
        rows = crawl(job.page.text, job.page.url)
        return Status.DONE, _encoded(rows)
    except MemoryError:
        return _said(Status.RAISED, "MemoryError: the page needed too much memory")
    except Exception as error:  # noqa: BLE001 - the parent raises it again
        return _said(Status.RAISED, _words(error))


def _encoded(rows: Any) -> bytes:
    """Rows as JSON; TypeError for anything but a list of dicts with words as keys."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise TypeError("crawl() returns a list of dicts")
    if not all(isinstance(name, str) for row in rows for name in row):
        raise TypeError("the keys of a record are names of fields")
    said = json.dumps(rows, allow_nan=False, sort_keys=True, default=_as_text)
    return b'{"rows":' + said.encode() + b"}"


def _as_text(value: Any) -> str:
    """A value that JSON lacks, in the text that stands for it."""
    if isinstance(value, datetime.date | datetime.time):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return str(value)
    raise TypeError(f"{type(value).__name__} is no value of a field")


def _words(error: Exception) -> str:
    """What was raised, in a line."""
    return f"{type(error).__name__}: {error}"


def _said(status: Status, words: str) -> tuple[Status, bytes]:
    return status, words[:MESSAGE_CHARS].encode("utf-8", "replace")


FORK_HANDLERS: Mapping[
    type[Job[Any]], Callable[[Sequence[Any]], list[tuple[Status, bytes]]]
] = {jobs.CodeJob: _crawl_all}
"""What a child of the fork server answers."""

# What is done for the first time costs more: done here, it is done once and not in every
# child.
CodeSelector("<p class='a'><b>1</b>").css("p.a > b::text").re_first(r"\d")
