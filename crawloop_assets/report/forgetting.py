"""Forgetting a record everywhere: store, documents, reports, caches, kept files and
exports, with a receipt."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project, private_folder
from crawloop_assets.report.exports import Exports
from crawloop_assets.report.shelf import Reports
from crawloop_assets.roles import permit
from crawloop_assets.store import Store
from crawloop_assets.store.earlier import EarlierFiles
from crawloop_assets.store.forget import Forgotten

_COMES_BACK = (
    "{}: if its site still shows the page, it comes back with the next discovery; exclude it in the "
    "family file (`discover.exclude`)"
)
_LOGS = ("*.log", "*.log.*", "*.jsonl")


@dataclass(frozen=True)
class Receipt:
    """What was taken out where, and what still has it; without the name itself."""

    name_sha256: str
    at: datetime
    who: str
    why: str
    places: dict[str, int]
    left: tuple[str, ...]
    file: Path

    def as_json(self) -> dict[str, Any]:
        """As it is kept."""
        return {
            "name_sha256": self.name_sha256,
            "at": self.at.isoformat(),
            "who": self.who,
            "why": self.why,
            "taken_out": self.places,
            "left": list(self.left),
        }


def forget_everywhere(
    project: Project, store: Store, name: str, who: str, why: str
) -> Receipt:
    """Purge a url or a key with its page; ConfigError if nothing is known of it, or
    somebody may not."""
    if not store.forgetting.found(name).urls:
        raise ConfigError(
            f"nothing is known of {name!r}", hint="give a url, or the key of a row"
        )
    permit(project, store, who, "forget")
    found = store.forgetting.forget(name, who, why)
    _documents(store, found)
    reports = list(Reports(project.var).mentioning(found.words))
    for file in reports:
        file.unlink()
    found.took("reports", len(reports))
    found.took("answers of models", _cache(project))
    found.took("lines of journals and logs", sum(_lines(project.var, found)))
    store.publish()
    # The file that was replaced just now is kept, too.
    found.took("kept published files", EarlierFiles(project.var).drop())
    found.took("exports", Exports(project).again(found.families))
    digest = hashlib.sha256(name.encode()).hexdigest()
    moment = datetime.now(UTC)
    file = (
        private_folder(project.var / "receipts")
        / f"forgotten-{moment:%Y%m%dT%H%M%S}-{digest[:8]}.json"
    )
    receipt = Receipt(
        digest, moment, who, why, found.places, tuple(_left(project, found)), file
    )
    file.write_text(json.dumps(receipt.as_json(), indent=2))
    return receipt


def _documents(store: Store, found: Forgotten) -> None:
    """Delete the stored documents that showed the record."""
    for sha256 in found.documents:
        if store.bodies.has(sha256):
            store.bodies.remove(sha256)
            found.took("documents", 1)


def _cache(project: Project) -> int:
    """Throw away the answers of models: they are kept by what was asked."""
    folder = project.var / "model_cache"
    count = sum(1 for _ in folder.rglob("*.json"))
    shutil.rmtree(folder, ignore_errors=True)
    return count


def _lines(var: Path, found: Forgotten) -> Iterator[int]:
    """Take the lines that name the record out of journals and logs."""
    words = [word.encode() for word in found.words]
    for pattern in _LOGS:
        for file in var.rglob(pattern):
            lines = file.read_bytes().splitlines(keepends=True)
            kept = [line for line in lines if not any(map(line.__contains__, words))]
            if len(kept) < len(lines):
                file.write_bytes(b"".join(kept))
            yield len(lines) - len(kept)


def _left(project: Project, found: Forgotten) -> Iterator[str]:
    """What is not ours to rewrite and still names the record; what brings it back."""
    words = [url.encode() for url in found.alone]
    for file in sorted((project.var / "dagster").rglob("*.db")):
        if any(map(file.read_bytes().__contains__, words)):
            yield f"{file.relative_to(project.root)} (Dagster's event log): wipe the runs of the family in its UI"
    yield from Exports(project).loaded(found.families)
    yield from map(_COMES_BACK.format, sorted(found.families))
