"""`crawloop export`: the current rows of a family as CSV, safe to open in a
spreadsheet."""

import csv
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from crawloop_assets.cli.options import FamilyName, output

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a text must not begin with: a spreadsheet would execute the rest of it."""


def export_command(
    family: FamilyName,
    file: Annotated[Path, typer.Argument(dir_okay=False, help="The CSV file.")],
) -> None:
    """Write the published rows of a family as CSV; texts that a spreadsheet would take
    for a formula begin with an apostrophe."""
    from crawloop_assets.project import Project
    from crawloop_assets.store.published import family_rows

    project = Project.find()
    rows = family_rows(project.published, project.family(family).family)
    with file.open("w", encoding="utf-8", newline="") as target:
        written = csv.writer(target)
        if rows:
            written.writerow(rows[0])
        written.writerows(map(cells, rows))
    output().print(f"{len(rows)} row(s) in {file}", highlight=False, soft_wrap=True)


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
