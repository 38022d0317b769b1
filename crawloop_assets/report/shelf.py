"""Where reports lie: `var/reports`, by family, so that all of a url or a wave are found
again."""

import hashlib
from collections.abc import Collection, Iterator
from html import escape
from pathlib import Path

_NAME = 16
SHELF_ADDRESS = "/reports"
"""Where the UI shows them."""


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

    def of_last_wave(self, family: str) -> Path:
        """The page about the last heal wave of a family, whichever that is."""
        return self._folder(family) / "last-wave.html"

    def of_examples(self, family: str) -> Path:
        """The examples that are proposed for a family."""
        return self._folder(family) / "proposed-examples.yaml"

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


def wave_address(family: str, wave: str) -> str:
    """Where the UI shows the page about a heal wave, below its own address."""
    return _address(Reports(Path()).of_wave(family, wave))


def last_wave_address(family: str) -> str:
    """The same of the last wave of a family, whichever that is."""
    return _address(Reports(Path()).of_last_wave(family))


def _address(file: Path) -> str:
    return f"{SHELF_ADDRESS}/{file.parent.name}/{file.name}"


def _digest(text: str) -> str:
    """A short name of a text that may hold anything."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:_NAME]
