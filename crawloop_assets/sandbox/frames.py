"""The wire between a pool and its workers: length-prefixed frames over one socket pair.

A request is a JSON header and the raw bytes of the pages, for one job or several; an
answer is a status and strict JSON for each. Both sides are here so that they cannot
drift apart. The worker gets validated jobs; what it answers is validated by the parent.
"""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from pydantic import BaseModel
from pydantic_core import from_json

from crawloop_assets.errors import CrawlerGarbage
from crawloop_assets.page import Page
from crawloop_assets.sandbox.jobs import Job
from crawloop_assets.sandbox.lock import Containment

REQUEST = struct.Struct("!I")  # bytes of header
ANSWERS = struct.Struct("!Q")  # bytes of all answers
ANSWER = struct.Struct("!BI")  # status, bytes of answer

Read = Callable[[int], bytes]
"""Reads exactly so many bytes."""

_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER = b"0" * 19
_BIGGEST_INTEGER = 2**63 - 1


class Status(IntEnum):
    """What a worker says about a job."""

    DONE = 0
    RAISED = 1
    OUT_OF_MEMORY = 2


class Hello(BaseModel):
    """A worker's first answer, once it is locked."""

    containment: Containment


def pack(jobs: Sequence[Job[Any]]) -> bytes:
    """The request frame of jobs of one kind.

    What they have in common (the program) is told once.
    """
    fields = [
        job.model_dump(mode="json", by_alias=True, exclude={"page", "pages"})
        for job in jobs
    ]
    common = {
        name: value
        for name, value in fields[0].items()
        if all(one[name] == value for one in fields)
    }
    bodies = [page.body for job in jobs for page in job.documents()]
    header = json.dumps(
        {
            "job": type(jobs[0]).__name__,
            "common": common,
            "jobs": [
                {
                    "fields": {
                        name: value for name, value in own.items() if name not in common
                    },
                    "pages": [
                        page.model_dump(mode="json", exclude={"body"})
                        for page in job.documents()
                    ],
                    "sizes": [len(page.body) for page in job.documents()],
                }
                for job, own in zip(jobs, fields, strict=True)
            ],
        },
        ensure_ascii=False,
    ).encode("utf-8", "replace")
    return b"".join((REQUEST.pack(len(header)), header, *bodies))


def unpack(read: Read, kinds: Mapping[str, type[Job[Any]]]) -> list[Job[Any]]:
    """The jobs of the next request frame.

    EOFError when there will be no more.
    """
    header = json.loads(read(*REQUEST.unpack(read(REQUEST.size))))
    kind = kinds[header["job"]]
    return [
        kind.of(
            header["common"] | job["fields"],
            tuple(
                Page.model_validate(page | {"body": read(size)})
                for page, size in zip(job["pages"], job["sizes"], strict=True)
            ),
        )
        for job in header["jobs"]
    ]


def pack_answers(answers: Sequence[tuple[Status, bytes]]) -> bytes:
    """The answer frame: what is said of each job, in order."""
    told = b"".join(ANSWER.pack(status, len(data)) + data for status, data in answers)
    return ANSWERS.pack(len(told)) + told


def unpack_answers(data: bytearray, count: int) -> list[tuple[Status, bytearray]]:
    """What is said of each of `count` jobs.

    Raises CrawlerGarbage if it cannot be told apart.
    """
    found, at = [], 0
    try:
        for _ in range(count):
            status, size = ANSWER.unpack_from(data, at)
            at += ANSWER.size + size
            found.append((Status(status), data[at - size : at]))
    except (struct.error, ValueError) as error:
        raise CrawlerGarbage(
            f"the worker's answers cannot be told apart: {error}"
        ) from None
    if at != len(data):
        raise CrawlerGarbage(
            f"the worker's answers are {len(data):,} bytes and should be {at:,}"
        )
    return found


def unpack_answer(model: type[BaseModel], data: bytes | bytearray) -> BaseModel:
    """A worker's answer as a model.

    Raises CrawlerGarbage for anything but strict JSON of that shape. Refused: NaN and
    infinities, lone surrogates, integers beyond 64 bits, unknown keys.
    """
    try:
        answer = from_json(data, allow_inf_nan=False)
        if _LONG_NUMBER in data.translate(_DIGITS):
            _refuse_huge(answer)
        return model.model_validate(answer)
    except ValueError as error:
        raise CrawlerGarbage(
            f"the worker's answer is no {model.__name__}: {str(error)[:300]}"
        ) from None


def _refuse_huge(value: Any) -> None:
    if isinstance(value, dict):
        for item in value.values():
            _refuse_huge(item)
    elif isinstance(value, list):
        for item in value:
            _refuse_huge(item)
    elif isinstance(value, int) and abs(value) > _BIGGEST_INTEGER:
        raise ValueError("an integer beyond 64 bits")
