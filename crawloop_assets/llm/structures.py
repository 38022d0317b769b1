"""In which way a server is held to the form of an answer: found out once, and
remembered."""

import hashlib
from contextlib import suppress
from pathlib import Path

from crawloop_assets.family import Structured
from crawloop_assets.llm.settings import ModelSettings

_EASIER = {
    Structured.JSON_SCHEMA: Structured.JSON_OBJECT,
    Structured.JSON_OBJECT: Structured.PROMPT,
}
_found: dict[str, Structured] = {}
"""Of this process, by endpoint."""


def easier_structure(structure: Structured) -> Structured | None:
    """The structure that asks less of a server, None if there is none."""
    return _EASIER.get(structure)


def known_structure(endpoint: str, settings: ModelSettings) -> Structured:
    """The structure that is wanted, or the easier one that an endpoint took last."""
    if endpoint not in _found and settings.cache is not None:
        with suppress(OSError, ValueError):
            said = _file(settings.cache, endpoint).read_text()
            _found[endpoint] = Structured(said.strip())
    structures = (settings.structured, _found.get(endpoint, settings.structured))
    return max(structures, key=list(Structured).index)


def keep_structure(
    endpoint: str, settings: ModelSettings, structure: Structured
) -> None:
    """Remember a structure that is not the one wanted."""
    if known_structure(endpoint, settings) is structure:
        return
    _found[endpoint] = structure
    if settings.cache is not None:
        file = _file(settings.cache, endpoint)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(structure.value)


def forget_structures() -> None:
    """Find out anew, as a new process does."""
    _found.clear()


def _file(folder: Path, endpoint: str) -> Path:
    """Where other processes find it."""
    return (
        folder
        / "structures"
        / f"{hashlib.sha256(endpoint.encode()).hexdigest()[:20]}.txt"
    )
