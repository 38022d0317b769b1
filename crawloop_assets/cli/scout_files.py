"""Files that are shown as a diff before they are written: whole or not at all."""

import difflib
from collections.abc import Iterable, Mapping
from pathlib import Path

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import create_whole


def diff_of(root: Path, files: Mapping[Path, str]) -> str:
    """What would change in a folder, as a unified diff."""
    lines: list[str] = []
    for path, text in files.items():
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        name = str(path.relative_to(root))
        old = name if before else "nothing"
        lines += difflib.unified_diff(
            before.splitlines(), text.splitlines(), old, name, lineterm="", n=2
        )
    return "\n".join(lines)


def refuse_existing(root: Path, paths: Iterable[Path]) -> None:
    """ConfigError if one of the files is there: nothing is ever written over."""
    for path in paths:
        if path.exists():
            raise ConfigError(
                f"{path.relative_to(root)} is there already",
                hint="choose another name with --family, or delete the file",
            )


def write_new(files: Mapping[Path, str]) -> None:
    """Write files that are not there yet; ConfigError if one appeared meanwhile, and
    then none of them stays."""
    written: list[Path] = []
    try:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            create_whole(path, text.encode("utf-8"))
            written.append(path)
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        raise ConfigError(f"cannot be written ({error.strerror})", file=path) from error
