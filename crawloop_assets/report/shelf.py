"""Where reports lie: `var/reports`, by family, so that all of a url or a wave are found
again."""

import hashlib
from collections.abc import Collection, Iterator
from html import escape
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

    def mentioning(self, texts: Collection[str]) -> Iterator[Path]:
        """The reports in which any of these texts stands."""
        wanted = {
            form.encode()
            for text in texts
            for form in (text, escape(text), escape(escape(text)))
        }
        for file in sorted(self.folder.rglob("*.*")):
            if any(map(file.read_bytes().__contains__, wanted)):
                yield file

    def _folder(self, family: str) -> Path:
        return self.folder / family.replace("/", "__")


def _digest(text: str) -> str:
    """A short name of a text that may hold anything."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_NAME]
