"""The wire between a pool and its workers: length-prefixed frames over one socket pair.

A request is a JSON header and the raw bytes of the pages, for one job or several; an
answer is a status and strict JSON for each. Before both goes the number of the request,
so that no answer is taken for another's. Both sides are here so that they cannot drift
apart. The worker gets validated jobs; what it answers is validated by the parent.
"""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from operator import attrgetter
from typing import Any

from pydantic import BaseModel
from pydantic_core import from_json

from crawloop_assets.errors import CrawlerGarbage
from crawloop_assets.page import Page
from crawloop_assets.sandbox.job import Job
from crawloop_assets.sandbox.lock import Containment

NUMBER_BYTES = 16
"""Of the number of a request, which nobody can guess before it is made."""
GREETING = bytes(NUMBER_BYTES)
"""The number of what a worker says first, unasked."""
_REQUEST = struct.Struct("!I")  # bytes of header
ANSWERS = struct.Struct("!Q")  # bytes of all answers
ANSWER = struct.Struct("!BI")  # status, bytes of answer

_Read = Callable[[int], bytes]
"""Reads exactly so many bytes."""

# Every run of 19 digits may be beyond 64 bits; only then the answer is searched.
_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER = b"0" * 19
_BIGGEST_INTEGER = 2**63 - 1


class Status(IntEnum):
    """How a job ended in its worker; from `REFUSED` on, only where each request has a
    child of its own."""

    DONE = 0
    RAISED = 1
    OUT_OF_MEMORY = 2
    REFUSED = 3
    LATE = 4
    DIED = 5
    GARBAGE = 6


class Hello(BaseModel):
    """A worker's first answer, once it is locked; `also` names what the kernel adds."""

    containment: Containment
    also: tuple[str, ...] = ()

    @property
    def held_by(self) -> str:
        """All that holds it, as it is written on versions."""
        return "+".join((self.containment.value, *self.also))


def pack(jobs: Sequence[Job[Any]]) -> bytes:
    """The request frame of jobs of one kind.

    What they have in common (the program) is sent once.
    """
    fields_of_jobs = list(map(_fields_of, jobs))
    common = _common_fields(fields_of_jobs)
    headers: list[dict[str, Any]] = []
    bodies: list[bytes] = []
    for job, fields in zip(jobs, fields_of_jobs, strict=True):
        headers.append(_job_header(job, fields, common))
        bodies.extend(map(attrgetter("body"), job.documents()))
    header = {"job": type(jobs[0]).__name__, "common": common, "jobs": headers}
    text = json.dumps(header, ensure_ascii=False).encode("utf-8", "replace")
    return b"".join((_REQUEST.pack(len(text)), text, *bodies))


def _fields_of(job: Job[Any]) -> dict[str, Any]:
    """A job without its pages."""
    return job.model_dump(mode="json", by_alias=True, exclude={"page", "pages"})


def _common_fields(fields_of_jobs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What all jobs of a request have in common; it is sent once."""
    common: dict[str, Any] = {}
    for name, value in fields_of_jobs[0].items():
        if all(fields[name] == value for fields in fields_of_jobs):
            common[name] = value
    return common


def _job_header(
    job: Job[Any], fields: Mapping[str, Any], common: Mapping[str, Any]
) -> dict[str, Any]:
    """All of a job but what is common and the bytes of its pages, which follow."""
    pages = job.documents()
    own = {name: value for name, value in fields.items() if name not in common}
    return {
        "fields": own,
        "pages": [page.model_dump(mode="json", exclude={"body"}) for page in pages],
        "sizes": [len(page.body) for page in pages],
    }


def unpack(read: _Read, kinds: Mapping[str, type[Job[Any]]]) -> list[Job[Any]]:
    """The jobs of the next request frame.

    EOFError when there will be no more.
    """
    (size,) = _REQUEST.unpack(read(_REQUEST.size))
    header = json.loads(read(size))
    kind = kinds[header["job"]]
    jobs: list[Job[Any]] = []
    for job in header["jobs"]:
        fields = header["common"] | job["fields"]
        pages: list[Page] = []
        for page, body_size in zip(job["pages"], job["sizes"], strict=True):
            pages.append(Page.model_validate(page | {"body": read(body_size)}))
        jobs.append(kind.of(fields, tuple(pages)))
    return jobs


def pack_answers(answers: Sequence[tuple[Status, bytes]]) -> bytes:
    """The answer frame: status and answer for each job, in order."""
    frame = b"".join(ANSWER.pack(status, len(data)) + data for status, data in answers)
    return ANSWERS.pack(len(frame)) + frame


def unpack_answers(data: bytearray, count: int) -> list[tuple[Status, bytearray]]:
    """Status and answer for each of `count` jobs.

    Raises CrawlerGarbage if they cannot be told apart.
    """
    answers: list[tuple[Status, bytearray]] = []
    end = 0
    try:
        for _ in range(count):
            status, size = ANSWER.unpack_from(data, end)
            end += ANSWER.size + size
            answers.append((Status(status), data[end - size : end]))
    except (struct.error, ValueError) as error:
        raise CrawlerGarbage(
            f"the worker's answers cannot be told apart: {error}"
        ) from None
    if end != len(data):
        raise CrawlerGarbage(
            f"the worker's answers are {len(data):,} bytes and should be {end:,}"
        )
    return answers


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
    """ValueError if an integer anywhere in an answer is beyond 64 bits."""
    if isinstance(value, dict):
        _refuse_huge(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            _refuse_huge(item)
    elif isinstance(value, int) and abs(value) > _BIGGEST_INTEGER:
        raise ValueError("an integer beyond 64 bits")
