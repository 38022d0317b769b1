"""Errors of the machine (a disk that is full, a file that may not be written, a damaged
database of Dagster's) as one sentence that says what to do."""

import errno
import sqlite3
from collections.abc import Iterator, Mapping

from crawloop_assets.errors import CrawloopError, StoreFailed

_FULL = "the disk under {} is full; free some space, then do it again"
_FORBIDDEN = "{} may not be written by this user; give it the right to, or look only"
_BY_NUMBER: Mapping[int | None, str] = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EROFS: _FORBIDDEN,
}
_DAGSTERS: Mapping[str, str] = {
    "full": _FULL,
    "readonly": _FORBIDDEN,
    "unable to open": _FORBIDDEN,
    "malformed": "Dagster's own database under {} is damaged; `crawloop doctor` says which file and what to do",
    "not a database": "Dagster's own database under {} is damaged; `crawloop doctor` says which file and what to do",
}
"""What SQLite says of a file, and what that means."""


def trouble_of(error: BaseException) -> CrawloopError | None:
    """What stopped a command, in our words; None for anything that is no trouble of the
    machine, but a defect."""
    for cause in _causes(error):
        if isinstance(cause, CrawloopError):
            return cause
        if sentence := _sentence(cause):
            return StoreFailed(sentence)
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and what led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.errno in _BY_NUMBER:
        return _BY_NUMBER[error.errno].format(error.filename or "the project")
    if isinstance(error, sqlite3.Error):
        said = str(error).lower()
        for sign, sentence in _DAGSTERS.items():
            if sign in said:
                return sentence.format("var/dagster")
    return ""
