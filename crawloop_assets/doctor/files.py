"""What the doctor says of the files of a project: the store, the published file, rights
and room on the disk."""

import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from crawloop_assets.errors import CommitsLost, CrawloopError
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from crawloop_assets.store.earlier import EarlierFiles
from crawloop_assets.store.generations import log_of
from crawloop_assets.store.restore import readable_copy

_LEAST_FREE = 200 * 1024 * 1024
_COPIES = 3  # a fold and a publication each make a copy of the store
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class Diagnosis(NamedTuple):
    """One thing that was looked at, what was found, and whether it is wrong; then the
    sentence says what to do."""

    about: str
    says: str
    is_wrong: bool = False


def about_store(project: Project) -> Iterator[Diagnosis]:
    """Whether every row of the store can be read, and every commit is there that was
    made."""
    store = Store(project.var, project.published)
    try:
        if not store.layout():
            yield _about_no_store(project)
            return
        tables = store.publisher.read_all()
        yield Diagnosis(
            "store", f"all of its {tables} tables can be read to their last row"
        )
        mark = store.publisher.check_whole()
    except CommitsLost as error:
        yield Diagnosis("commits", str(error), is_wrong=True)
    except CrawloopError as error:
        yield Diagnosis("store", str(error), is_wrong=True)
    else:
        yield Diagnosis("commits", f"all {mark.number if mark else 0} are there")


def _about_no_store(project: Project) -> Diagnosis:
    """There is no store: a new project, or one that had one."""
    traces = [project.published, *project.var.glob("committed.json")]
    traces += project.var.glob("store-*")
    if not any(file.exists() for file in traces):
        return Diagnosis("store", "there is none yet")
    says = f"it is gone from {project.var}; run `crawloop restore`"
    return Diagnosis("store", says, is_wrong=True)


def about_published(project: Project) -> Iterator[Diagnosis]:
    """Whether every row of the published file can be read, and what is kept of
    earlier ones."""
    about, file = "published file", project.published
    if not file.exists():
        yield Diagnosis(about, "there is none yet; the next run makes it")
        return
    found = readable_copy(file, time.monotonic() + 10)
    if found is None:
        says = f"{file} cannot be read; delete it, the next run makes it again from the store"
        yield Diagnosis(about, says, is_wrong=True)
    else:
        yield Diagnosis(about, f"of {found.made_at:%Y-%m-%d %H:%M} UTC, can be read")
    if log_of(file).exists():
        says = f"somebody has written to {file.name}; whoever has it open should open it with -readonly"
        yield Diagnosis(about, says, is_wrong=True)
    kept = len(EarlierFiles(project.var).newest_first())
    yield Diagnosis("earlier files", f"{kept} kept")


def about_disk(project: Project) -> Iterator[Diagnosis]:
    """Whether there is room for the next copies of the store."""
    folder = _present(project.var)
    free = shutil.disk_usage(folder).free
    files = [*project.var.glob("store-*"), project.published]
    size = sum(file.stat().st_size for file in files if file.exists())
    needed = max(_LEAST_FREE, _COPIES * size)
    says = f"{free >> 20} MB free under {folder}"
    if free < needed:
        says += f", {needed >> 20} MB are needed; free some space"
    yield Diagnosis("disk", says, is_wrong=free < needed)


def about_rights(project: Project) -> Iterator[Diagnosis]:
    """Whether this user may write what has to be written, and nobody else may."""
    about = "rights"
    wrong = [
        f"{folder} may not be written by this user; give it the right to"
        for folder in dict.fromkeys(map(_present, (project.root, project.var)))
        if not os.access(folder, os.W_OK)
    ]
    if project.var.exists() and project.var.stat().st_mode & _OTHERS:
        wrong.append(
            f"others may look into {project.var}; run `chmod -R go-rwx {project.var}`"
        )
    yield from (Diagnosis(about, says, is_wrong=True) for says in wrong)
    if not wrong:
        yield Diagnosis(about, f"{project.var} is this user's alone")


def _present(folder: Path) -> Path:
    """A folder, or the nearest above it that is there."""
    while not folder.exists():
        folder = folder.parent
    return folder
