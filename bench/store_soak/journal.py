"""What writers were told, outside of the store, on disk before anything else happens."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

_SYNC = os.fsync
"""The real one, whatever is injected into the store's."""


class Told(StrEnum):
    """A line of a journal: a writer is about to commit, was told that it is committed,
    that it is not, the number of a crawler version, or that a version is promoted."""

    BEGUN = "begun"
    KEPT = "kept"
    REPLAYED = "replayed"
    FAILED = "failed"
    VERSION = "version"
    PROMOTED = "promoted"


_DONE = (Told.KEPT, Told.REPLAYED)


class Line(NamedTuple):
    """What was told of one commit; `value` is the epoch, or the number of a version."""

    told: Told
    number: int
    value: int


class Journal:
    """One writer's journal; only its writer appends."""

    def __init__(self, folder: Path, worker: int):
        self.file = folder / f"journal-{worker}"

    def lines(self) -> Iterator[Line]:
        """Its complete lines; a writer may have been killed in the middle of the last."""
        text = self.file.read_bytes() if self.file.exists() else b""
        for line in text.split(b"\n")[:-1]:
            told, number, value = json.loads(line)
            yield Line(Told(told), number, value)

    def note(self, told: Told, number: int, value: int = 0) -> None:
        """Append a line, and wait until it is on disk."""
        line = json.dumps([told.value, number, value]).encode() + b"\n"
        handle = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(handle, line)
            _SYNC(handle)
        finally:
            os.close(handle)

    def done(self) -> int:
        """How many commits were acknowledged, which is the number of the next."""
        return sum(line.told in _DONE for line in self.lines())

    def is_open(self) -> bool:
        """Whether a commit was begun of which its writer does not know what became."""
        numbers = [line.number for line in self.lines() if line.told is Told.BEGUN]
        return bool(numbers) and max(numbers) >= self.done()

    def acknowledged(self) -> list[tuple[int, int]]:
        """The commits and the epochs of their acknowledgement, in order."""
        return [(one.number, one.value) for one in self.lines() if one.told in _DONE]

    def versions(self) -> list[tuple[int, int]]:
        """The versions that were acknowledged, by the commit they came with."""
        return [
            (one.value, one.number) for one in self.lines() if one.told is Told.VERSION
        ]

    def has_promoted(self) -> bool:
        """Whether its writer was ever told that a version is promoted."""
        return any(line.told is Told.PROMOTED for line in self.lines())

    def counts(self) -> Counter[Told]:
        """How often what was told."""
        return Counter(map(attrgetter("told"), self.lines()))

    def kept_though_failed(self) -> list[int]:
        """Commits that were there at the next attempt, though every attempt before had
        ended in an error, which promises that nothing was changed."""
        begun: Counter[int] = Counter()
        failed: Counter[int] = Counter()
        wrong = []
        for line in self.lines():
            begun[line.number] += line.told is Told.BEGUN
            failed[line.number] += line.told is Told.FAILED
            untold = begun[line.number] - failed[line.number] - 1
            if line.told is Told.REPLAYED and not untold:
                wrong.append(line.number)
        return wrong
