"""Errors of the machine (a disk that is full, a file that may not be written, a damaged
database of Dagster's) as one sentence that says what to do."""

import errno
import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from crawloop_assets.errors import ConfigError, CrawloopError, StoreFailed

_FULL = "the disk under {} is full; free some space, then do it again"
_FORBIDDEN = "{} may not be written by this user; give it the right to, or look only"
_NO_FILE = "{} is nothing that can be written or read there ({}); give another path"
_BY_NUMBER: Mapping[int | None, str] = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
    errno.EACCES: _FORBIDDEN,
    errno.EPERM: _FORBIDDEN,
    errno.EROFS: _FORBIDDEN,
}
_OF_PATHS = frozenset(
    (errno.ENAMETOOLONG, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ELOOP)
)
"""What is wrong with a path that somebody named."""
_MOST_OF_A_NAME = 200
_OF_PORTS = frozenset((errno.EADDRINUSE, errno.EADDRNOTAVAIL))
_NO_PORT = "nobody can listen there: {}"
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
        if isinstance(cause, OSError) and (wrong := _wrong_place(cause)):
            return wrong
        if sentence := _sentence(cause):
            return StoreFailed(sentence)
    return None


def _wrong_place(error: OSError) -> ConfigError | None:
    """A path or a port that somebody named, and that is none; None for another error."""
    if error.errno in _OF_PORTS:
        said = _NO_PORT.format(error.strerror)
        return ConfigError(said, hint="--port takes another")
    if error.errno in _OF_PATHS and error.filename:
        name = str(error.filename)[:_MOST_OF_A_NAME]
        return ConfigError(_NO_FILE.format(name, error.strerror))
    return None


def unreadable_word(words: Sequence[str]) -> ConfigError | None:
    """The first word of a command line that is no text; None if all are."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            return ConfigError(f"{word!a} on the command line is not UTF-8")
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
