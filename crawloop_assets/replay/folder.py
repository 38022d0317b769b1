"""The project of one replay: a folder with a family file and an allowlist, as an
operator would write them."""

import re
import shutil
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from crawloop_assets.errors import ConfigError
from crawloop_assets.eval.schemas import CORE, SINGLE
from crawloop_assets.family import Family
from crawloop_assets.project import Project
from crawloop_assets.replay.server import ReplayFamily
from crawloop_assets.values.value import Value

_MARK = ".crawloop-replay"
_CORE_COVERAGE = 0.9
#: What tells the rows of a listing apart, by model; a model that is not here is told by its content.
_KEYS = {"Opinion": ["url"], "Quote": ["text"]}


def _clear(home: Path) -> None:
    """Delete what an earlier replay left; ConfigError for a folder without the mark that
    a replay makes, which may be anybody's."""
    if not home.exists():
        return
    if not (home / _MARK).exists():
        why = "is not the folder of a replay and is left alone"
        raise ConfigError(why, file=home)
    shutil.rmtree(home)


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
        _clear(home)
        folder = cls(Project.at(home.resolve()), name, replayed)
        folder.project.families.mkdir(parents=True)
        (home / _MARK).touch()
        folder.project.domains.write_text(
            _yaml({"domains": [_domain(host, port) for host in replayed.hosts]})
        )
        folder.declare(after=False)
        return folder

    def declare(self, *, after: bool, without: Set[str] = frozenset()) -> None:
        """Write the family file; its examples are `without` some fields.

        After the switch the urls that are new then are seeds as well.
        """
        self._write(self._family(after, without))

    def end_cooldown(self, *, without: Set[str] = frozenset()) -> None:
        """Write the family file after the switch once more, as if the time were over
        in which nothing is tried again."""
        self._write(self._family(True, without) | {"heal": {"cooldown": "0s"}})

    def _write(self, declared: Mapping[str, Any]) -> None:
        """Write the family file."""
        file = self.project.families / f"{self.name.replace('/', '__')}.yaml"
        file.write_text(_yaml(declared), encoding="utf-8")

    @property
    def family(self) -> Family:
        """The family as its file declares it."""
        return self.project.family(self.name)

    def _family(self, after: bool, without: Set[str]) -> dict[str, Any]:
        """The family file: its examples are what was known before, `without` some
        fields. `after` adds the urls that only the redesign has."""
        replayed, model = self.replayed, self.replayed.model.__name__
        listing = replayed.kind == "listing" and model not in SINGLE
        known = _left(replayed.known(after=False), without)
        urls = [page.url for page in replayed.pages if page.before or after]
        return {
            "family": self.name,
            "schema": f"{replayed.model.__module__}:{model}",
            "key": _key(model, known) if listing else ["url"],
            "kind": _family_kind(replayed.kind, listing),
            # Pages the pack does not hold would only be 404s: the urls are the seeds and nothing else.
            "discover": {"seeds": urls, "max_urls": len(urls)},
            "refresh": {"automatic": False},  # day by day, as the replay says
            "drift": {"coverage": dict.fromkeys(_core(model, known), _CORE_COVERAGE)},
            "examples": _examples(known, listing),
        }


_Known = Mapping[str, Sequence[Mapping[str, Value]]]


def _key(model: str, known: _Known) -> list[str]:
    """What tells the rows of a listing apart; where nothing is known of it, all that
    is: with a key that no row has they would be one."""
    shown = set(chain.from_iterable(chain.from_iterable(known.values())))
    key = _KEYS.get(model, ["url"])
    is_read = model not in _KEYS or not shown.isdisjoint(key)
    return key if is_read else sorted(shown) or key


def _left(known: _Known, without: Set[str]) -> dict[str, list[dict[str, Value]]]:
    """What is known of each page, without some fields."""
    return {
        url: [_lacking_fields(record, without) for record in records]
        for url, records in known.items()
    }


def _lacking_fields(record: Mapping[str, Value], names: Set[str]) -> dict[str, Value]:
    """A record without some of its fields."""
    return {name: value for name, value in record.items() if name not in names}


def _core(model: str, known: _Known) -> list[str]:
    """The core fields that any known record has."""
    fields: set[str] = set()
    for records in known.values():
        fields.update(*records)
    return sorted(CORE.get(model, frozenset()) & fields)


def _family_kind(kind: str, listing: bool) -> str:
    """A pack calls some pages listings that hold one record, and others documents."""
    if listing:
        return "listing"
    return "json" if kind == "json" else "detail"


def _examples(
    known: Mapping[str, Sequence[Mapping[str, Value]]], listing: bool
) -> list[dict[str, Any]]:
    """What is known of each page, as examples of the family file; a page of which nothing
    is known is none, for it would say that the page shows no record."""
    return [
        _example(url, records, listing)
        for url, records in known.items()
        if any(records)
    ]


def _example(
    url: str, records: Sequence[Mapping[str, Value]], listing: bool
) -> dict[str, Any]:
    """What is known of a page, as a family file has it: all records of a listing, else
    the one of the page."""
    if listing:
        return {"url": url, "records": list(records)}
    return {"url": url, "record": records[0]}


def family_name(name: str) -> str:
    """A pack's family name in the letters a family file allows."""
    parts = []
    for part in name.lower().split("/"):
        plain = re.sub(r"[^a-z0-9_]+", "_", part).strip("_")
        if plain:
            parts.append(plain)
    return "/".join(parts)


def _domain(host: str, port: int) -> dict[str, Any]:
    """A host of the pack as domains.yaml has it: led to the replay's server, and asked
    without pauses."""
    name = urlsplit(f"//{host}").hostname or host
    return {
        "host": name,
        "scheme": "http",
        "resolve": f"127.0.0.1:{port}",
        "max_rps": 500.0,
        "concurrency": 8,
    }


def _yaml(data: Any) -> str:
    """Data as YAML, in the order it is in."""
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=120)
