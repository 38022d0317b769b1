"""The wire between a pool and its workers: length-prefixed frames over one socket pair.

A request is a JSON header and the raw bytes of the pages; an answer is a status and strict JSON. Both sides are here
so that they cannot drift apart. The worker gets a validated job; what it answers is validated by the parent.
"""

import json
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from enum import IntEnum
from itertools import accumulate, pairwise
from typing import Any

from pydantic import BaseModel
from pydantic_core import from_json

from crawloop_assets.errors import CrawlerGarbage
from crawloop_assets.page import Page
from crawloop_assets.sandbox.jobs import Job
from crawloop_assets.sandbox.lock import Containment

REQUEST = struct.Struct("!IQ")  # bytes of header, bytes of all pages
ANSWER = struct.Struct("!BI")  # status, bytes of answer

Read = Callable[[int], bytearray]
"""Reads exactly so many bytes."""

_LONG_NUMBER = re.compile(rb"\d{19}")
_BIGGEST_INTEGER = 2**63 - 1


class Status(IntEnum):
    """What a worker says about a job."""

    DONE = 0
    RAISED = 1
    OUT_OF_MEMORY = 2


class Hello(BaseModel):
    """A worker's first answer, once it is locked."""

    containment: Containment


def pack(job: Job[Any]) -> Iterator[bytes]:
    """The request frame of a job, in parts, so that page bytes are never copied."""
    pages = job.documents()
    header = json.dumps(
        {
            "job": type(job).__name__,
            "fields": job.model_dump(mode="json", by_alias=True, exclude={"page", "pages"}),
            "pages": [page.model_dump(mode="json", exclude={"body"}) for page in pages],
            "sizes": [len(page.body) for page in pages],
        },
        ensure_ascii=False,
    ).encode("utf-8", "replace")
    yield REQUEST.pack(len(header), sum(len(page.body) for page in pages)) + header
    yield from (page.body for page in pages)


def unpack(read: Read, jobs: Mapping[str, type[Job[Any]]]) -> Job[Any]:
    """The job of the next request frame. EOFError when there will be no more."""
    header_size, body_size = REQUEST.unpack(read(REQUEST.size))
    header = json.loads(read(header_size).decode())
    bodies = memoryview(read(body_size))
    ends = accumulate(header["sizes"], initial=0)
    pages = tuple(
        Page.model_validate(page | {"body": bytes(bodies[start:end])})
        for page, (start, end) in zip(header["pages"], pairwise(ends), strict=True)
    )
    return jobs[header["job"]].of(header["fields"], pages)


def unpack_answer(model: type[BaseModel], data: bytes | bytearray) -> BaseModel:
    """A worker's answer as a model. Raises CrawlerGarbage for anything but strict JSON of that shape.

    Refused: NaN and infinities, lone surrogates, integers beyond 64 bits, unknown keys.
    """
    try:
        answer = from_json(data, allow_inf_nan=False)
        if _LONG_NUMBER.search(data):
            _refuse_huge(answer)
        return model.model_validate(answer)
    except ValueError as error:
        raise CrawlerGarbage(f"the worker's answer is no {model.__name__}: {str(error)[:300]}") from None


def _refuse_huge(value: Any) -> None:
    if isinstance(value, dict):
        for item in value.values():
            _refuse_huge(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_huge(item)
    elif isinstance(value, int) and abs(value) > _BIGGEST_INTEGER:
        raise ValueError("an integer beyond 64 bits")
