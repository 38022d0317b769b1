"""Where reports lie: `var/reports`, by family, so that all of a url or a wave are found
again."""

import hashlib
from pathlib import Path

_NAME = 16


class Reports:
    """The reports of a project."""

    def __init__(self, var: Path):
        self.folder = var / "reports"

    def of_record(self, family: str, key: str, field: str = "") -> Path:
        """The page that explains a record, or one value of it."""
        name = f"{_digest(key)}-{field}" if field else _digest(key)
        return self._folder(family) / f"record-{name}.html"

    def of_wave(self, family: str, wave: str) -> Path:
        """The page about a heal wave."""
        return self._folder(family) / f"wave-{_digest(wave)}.html"

    def _folder(self, family: str) -> Path:
        return self.folder / family.replace("/", "__")


def _digest(text: str) -> str:
    """A short name of a text that may hold anything."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_NAME]
