"""The project of one replay: a folder with a family file and an allowlist, as an
operator would write them."""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from crawloop_assets.errors import ConfigError
from crawloop_assets.eval.schemas import CORE, SINGLE
from crawloop_assets.family import Family
from crawloop_assets.project import Project
from crawloop_assets.replay.server import ReplayFamily

MARK = ".crawloop-replay"
CORE_COVERAGE = 0.9
#: What tells the rows of a listing apart, by model; a model that is not here is told by its content.
KEYS = {"Opinion": ["url"], "Quote": ["text"]}


@dataclass(frozen=True)
class ReplayFolder:
    """A project made from a replayed family.

    `name` is the family's name in the project.
    """

    project: Project
    name: str
    replayed: ReplayFamily

    @classmethod
    def make(cls, parent: Path, replayed: ReplayFamily, port: int) -> "ReplayFolder":
        """Start afresh in `<parent>/<family slug>`.

        ConfigError if that folder is there and no replay's.
        """
        name = family_name(replayed.name)
        home = parent / name.replace("/", "__")
        if home.exists():
            if not (home / MARK).exists():
                raise ConfigError(
                    "is not the folder of a replay and is left alone", file=home
                )
            shutil.rmtree(home)
        folder = cls(Project.at(home.resolve()), name, replayed)
        folder.project.families.mkdir(parents=True)
        (home / MARK).touch()
        folder.project.domains.write_text(
            _yaml({"domains": [_domain(host, port) for host in replayed.hosts]})
        )
        folder.declare(after=False)
        return folder

    def declare(self, *, after: bool) -> None:
        """Write the family file.

        After the switch the urls that are new then are seeds as well.
        """
        file = self.project.families / f"{self.name.replace('/', '__')}.yaml"
        file.write_text(_yaml(self._family(after)), encoding="utf-8")

    @property
    def family(self) -> Family:
        """The family as its file declares it."""
        return self.project.family(self.name)

    def _family(self, after: bool) -> dict[str, Any]:
        replayed, model = self.replayed, self.replayed.model.__name__
        listing = replayed.kind == "listing" and model not in SINGLE
        known = {
            url: records
            for url, records in replayed.known(after=False).items()
            if records
        }
        fields = {
            name for records in known.values() for record in records for name in record
        }
        core = sorted(CORE.get(model, frozenset()) & fields)
        urls = [page.url for page in replayed.pages if page.before or after]
        return {
            "family": self.name,
            "schema": f"{replayed.model.__module__}:{model}",
            "key": KEYS.get(model, ["url"]) if listing else ["url"],
            "kind": "listing"
            if listing
            else "json"
            if replayed.kind == "json"
            else "detail",
            # Pages the pack does not hold would only be 404s: the urls are the seeds and nothing else.
            "discover": {"seeds": urls, "max_urls": len(urls)},
            "drift": {"coverage": dict.fromkeys(core, CORE_COVERAGE)},
            "examples": [
                {"url": url, "records": list(records)}
                if listing
                else {"url": url, "record": records[0]}
                for url, records in known.items()
            ],
        }


def family_name(name: str) -> str:
    """A pack's family name in the letters a family file allows."""
    parts = [
        re.sub(r"[^a-z0-9_]+", "_", part.lower()).strip("_") for part in name.split("/")
    ]
    return "/".join(part for part in parts if part)


def _domain(host: str, port: int) -> dict[str, Any]:
    name = urlsplit(f"//{host}").hostname or host
    return {
        "host": name,
        "scheme": "http",
        "resolve": f"127.0.0.1:{port}",
        "max_rps": 500.0,
        "concurrency": 8,
    }


def _yaml(data: Any) -> str:
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120)
