"""What a project of an older version needs to be read by this one.

A store is brought up to date by the first command that opens it; programs and published
columns of every version are read for ever; what a person wrote is changed by nobody but
a person. This module only says which of it applies to a project.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from crawloop_assets.crawler.program import Program
from crawloop_assets.errors import ConfigError, SchemaConflict
from crawloop_assets.family import Family
from crawloop_assets.project import Project
from crawloop_assets.store import CrawlerKind, Store
from crawloop_assets.store.migrate import LAYOUT, steps_from


class Need(StrEnum):
    """Who has to do something."""

    NOBODY = "as it is"
    UPGRADE = "by the upgrade"
    PERSON = "by hand"


@dataclass(frozen=True)
class UpgradeFinding:
    """One thing of a project: what it is, what is or would be done, and by whom."""

    about: str
    says: str
    need: Need


def upgrade_findings(project: Project) -> list[UpgradeFinding]:
    """What would change in a project; nothing is written.

    StoreBusy or StoreFailed as for every reading of the store.
    """
    store = Store(project.var, project.published)
    layout = store.layout()
    families, findings = _files(project)
    findings += _layout(layout)
    if layout == LAYOUT:  # to open an older store is to bring it up to date
        findings += _programs(store, families)
        findings += filter(None, map(partial(_columns, store), families))
    return findings


def upgrade(project: Project) -> None:
    """Bring the store of a project to the present layout, in one transaction, then each
    table to what is declared, and publish that.

    A table whose declared types do not fit is left as it is.
    """
    store = Store(project.var, project.published)
    families, _ = _files(project)
    for family in families:
        with suppress(SchemaConflict):
            store.families.adapt(family)
    if store.layout():
        store.publish()


def _columns(store: Store, family: Family) -> UpgradeFinding | None:
    """What of a family's table is not as its model declares it; None if all is."""
    about = f"columns of {family.family}"
    try:
        leaving = store.families.leaving(family)
    except SchemaConflict as error:
        return UpgradeFinding(about, str(error), Need.PERSON)
    if not leaving:
        return None
    says = f"no longer declared, the history keeps them: {', '.join(leaving)}"
    return UpgradeFinding(about, says, Need.UPGRADE)


def _layout(found: int) -> Iterator[UpgradeFinding]:
    """What the store's layout needs; `found` is its number, 0 without a store."""
    if found == 0:
        yield UpgradeFinding("store", "there is none yet", Need.NOBODY)
        return
    if found > LAYOUT:
        says = f"layout {found}: install the version that wrote it, or a newer one"
        yield UpgradeFinding("store", says, Need.PERSON)
    if found == LAYOUT:
        yield UpgradeFinding("store", f"layout {found}", Need.NOBODY)
    for step in steps_from(found):
        says = f"layout {step.layout}: {step.says}"
        yield UpgradeFinding("store", says, Need.UPGRADE)


def _programs(store: Store, families: Sequence[Family]) -> Iterator[UpgradeFinding]:
    """Stored programs that cannot be read, and how many can."""
    readable = 0
    for family in families:
        for version in store.crawlers(family.family):
            if version.kind is not CrawlerKind.PROGRAM:
                continue  # code has no format of ours
            try:
                Program.from_json(version.body)
            except (ConfigError, ValueError) as error:
                about = f"{family.family} v{version.version}"
                yield UpgradeFinding(about, str(error), Need.PERSON)
            else:
                readable += 1
    yield UpgradeFinding("programs", f"{readable} can be read", Need.NOBODY)


def _files(project: Project) -> tuple[Sequence[Family], list[UpgradeFinding]]:
    """The families whose files can be read, and what is to be said of all files."""
    families, broken = project.read_families()
    findings = [
        UpgradeFinding(Path(str(one.error.file)).name, str(one.error), Need.PERSON)
        for one in broken
    ]
    readable = f"{len(families)} can be read"
    findings.append(UpgradeFinding("family files", readable, Need.NOBODY))
    try:
        project.load_domains()
    except ConfigError as error:
        findings.append(UpgradeFinding("domains.yaml", str(error), Need.PERSON))
    return families, findings
