"""Answers of models, kept in files by what was asked."""

from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar

from pydantic import BaseModel, ValidationError

_T = TypeVar("_T", bound=BaseModel)


def cached_answer(folder: Path | None, digest: str, answer: type[_T]) -> _T | None:
    """The answer kept under a digest, None if there is none that fits."""
    if folder is None:
        return None
    file = _file(folder, digest)
    if not file.is_file():
        return None
    try:
        return answer.model_validate_json(file.read_text())
    except ValidationError:
        return None


def keep_answer(folder: Path | None, digest: str, value: BaseModel) -> None:
    """Store an answer whole or not at all; other processes may be reading."""
    if folder is None:
        return
    file = _file(folder, digest)
    file.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=file.parent, suffix=".part", delete=False) as part:
        part.write(value.model_dump_json())
    Path(part.name).replace(file)


def forget_answer(folder: Path | None, digest: str) -> None:
    """Ask anew next time: what the answer under a digest said was not believed."""
    if folder is not None and digest:
        _file(folder, digest).unlink(missing_ok=True)


def _file(folder: Path, digest: str) -> Path:
    """The file of an answer, in a folder by the first two digits."""
    return folder / digest[:2] / f"{digest}.json"
