"""Who is told, of what, and when not: `notify.yaml` of a project.

Addresses are secrets: the file names the environment variable that has one, in the
form in which Apprise writes them (`slack://…`, `workflows://…` for Teams, `mailtos://…`,
`jsons://…` for a webhook), and nothing ever logs or shows it.
"""

import os
import re
from collections.abc import Mapping
from datetime import datetime, time
from enum import StrEnum
from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import StrictModel
from crawloop_assets.project import Project
from crawloop_assets.yaml_file import load_yaml
from crawloop_assets.zones import time_zone


class NewsKind(StrEnum):
    """What people are told of."""

    DRIFT = "drift"
    HEALED = "healed"
    REFUSED = "refused"
    NEEDS_PERSON = "needs_person"
    BUDGET = "budget"
    BLOCKED = "blocked"
    STALE = "stale"
    STORE = "store"
    SCHEMA = "schema"
    CONTRACT = "contract"


class QuietHours(StrictModel):
    """When nobody is told anything, but of `but`; what happens meanwhile is told at
    their end."""

    begin: time = Field(alias="from")
    until: time
    zone: Annotated[str, AfterValidator(time_zone)] = "UTC"
    but: tuple[NewsKind, ...] = (NewsKind.STORE,)

    def holds(self, kind: NewsKind, moment: datetime) -> bool:
        """Whether something of a kind waits at a moment."""
        at = moment.astimezone(ZoneInfo(self.zone)).time()
        inside = self.begin <= at < self.until
        if self.until <= self.begin:
            inside = at >= self.begin or at < self.until
        return inside and kind not in self.but


class Receiver(StrictModel):
    """Somebody who is told: all kinds of all families, unless it says which."""

    url_env: str = Field(pattern=r"^[A-Z_][A-Z0-9_]*$")
    kinds: tuple[NewsKind, ...] = tuple(NewsKind)
    families: tuple[str, ...] = ("*",)

    def wants(self, kind: NewsKind, family: str) -> bool:
        """Whether it is told something of a kind and a family ("": of the project)."""
        is_wanted = any(fnmatch(family, pattern) for pattern in self.families)
        return kind in self.kinds and (is_wanted or not family)

    def address(self, environ: Mapping[str, str] | None = None) -> str:
        """Where it is reached; ConfigError if the environment does not say."""
        known = os.environ if environ is None else environ
        found = known.get(self.url_env, "").strip()
        if not re.match(r"^[a-z]+://\S+$", found):
            raise ConfigError(
                f"{self.url_env} is not set to an address",
                hint="such as slack://…, workflows://…, mailtos://… or jsons://…",
            )
        return found


class NotifyFile(StrictModel):
    """All of notify.yaml; `ui` is where the Dagster UI is, for the links."""

    ui: str = Field("http://127.0.0.1:3000", pattern=r"^https?://\S+$")
    quiet: QuietHours | None = None
    receivers: dict[str, Receiver] = Field(default_factory=dict)


def notify_file(project: Project) -> Path:
    """Where it is."""
    return project.root / "notify.yaml"


def load_receivers(project: Project) -> NotifyFile:
    """What the file says, nobody if there is none; ConfigError with file, line and
    field if it is wrong."""
    file = notify_file(project)
    return load_yaml(file, NotifyFile) if file.exists() else NotifyFile()
