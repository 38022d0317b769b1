"""Exports: the published rows of a family as CSV, JSON lines or Parquet; where they were
written is noted, so that what is forgotten leaves them, too."""

import csv
import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from crawloop_assets.store.destinations import load_postgres
from crawloop_assets.store.published import family_rows, write_parquet

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a text must not begin with: a spreadsheet would execute the rest of it."""


class ExportForm(StrEnum):
    """The forms of an export, by the ending of its file."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


def form_of(file: Path) -> ExportForm:
    """The form that a file's name asks for; ConfigError for another ending."""
    try:
        return ExportForm(file.suffix.removeprefix(".").lower())
    except ValueError as error:
        raise ConfigError(
            f"{file.name} does not say its form",
            hint=f"end it in {', '.join(f'.{form.value}' for form in ExportForm)}, or say --form",
        ) from error


class Exports:
    """The exports of a project, noted in `var/exports.jsonl`."""

    def __init__(self, project: Project):
        self._project = project
        self._notes = project.var / "exports.jsonl"

    def write(self, family: str, file: Path, form: ExportForm) -> int:
        """Write the published rows of a family; how many there were."""
        published = self._project.published
        if form is ExportForm.PARQUET:
            count = write_parquet(published, family, file)
        else:
            rows = family_rows(published, family)
            count = len(rows)
            _WRITERS[form](file, rows)
        self._note({"family": family, "file": str(file.absolute()), "form": form.value})
        return count

    def load(self, family: str, url_env: str, schema: str) -> int:
        """Load the published rows of a family into the Postgres that an environment variable
        names; how many there are."""
        url = os.environ.get(url_env, "")
        if not url.startswith(("postgres://", "postgresql://")):
            raise ConfigError(
                f"{url_env} is not set to an address",
                hint="such as postgresql://user:password@host/database",
            )
        count = load_postgres(self._project.published, family, url, schema)
        self._note({"family": family, "url_env": url_env, "schema": schema})
        return count

    def loaded(self, families: Collection[str]) -> Iterator[str]:
        """Where rows of these families were loaded to, in words."""
        for note in self._noted():
            if note["family"] in families and "url_env" in note:
                yield f"the Postgres of {note['url_env']}, schema {note['schema']}: crawloop load {note['family']}"

    def again(self, families: Collection[str]) -> int:
        """Write the noted exports of these families anew, as far as they are still
        there; how many."""
        count = 0
        for note in self._noted():
            file = Path(note.get("file", ""))
            if note["family"] in families and file.is_file():
                self.write(note["family"], file, ExportForm(note["form"]))
                count += 1
        return count

    def _noted(self) -> list[dict[str, str]]:
        """Every export once."""
        lines: list[str] = []
        with suppress(OSError):
            lines = self._notes.read_text().splitlines()
        return list(map(json.loads, dict.fromkeys(lines)))

    def _note(self, note: Mapping[str, str]) -> None:
        """Note where an export lies; a project that cannot be written notes nothing."""
        if note in self._noted():
            return
        with suppress(OSError), self._notes.open("a") as notes:
            notes.write(f"{json.dumps(note)}\n")


def _write_csv(file: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Texts that a spreadsheet would take for a formula begin with an apostrophe."""
    with file.open("w", encoding="utf-8", newline="") as target:
        written = csv.writer(target)
        if rows:
            written.writerow(rows[0])
        written.writerows(map(cells, rows))


def _write_jsonl(file: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """One object a line; numbers keep all their digits, as texts."""
    with file.open("w", encoding="utf-8") as target:
        for row in rows:
            target.write(f"{json.dumps(row, ensure_ascii=False, default=_plain)}\n")


_WRITERS = {ExportForm.CSV: _write_csv, ExportForm.JSONL: _write_jsonl}


def cells(row: Mapping[str, Any]) -> list[str]:
    """The values of a row as they are written, in order."""
    return list(map(_cell, row.values()))


def _cell(value: Any) -> str:
    """Text that may be a page's begins with no formula; numbers and moments are
    ours."""
    if value is None:
        return ""
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return str(value)


def _plain(value: Any) -> str:
    """A value that JSON does not have."""
    return value.isoformat() if isinstance(value, datetime) else str(value)
