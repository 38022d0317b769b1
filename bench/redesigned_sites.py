"""What becomes of the tables of invented sites when the sites are redesigned?

python -m bench.redesigned_sites [--sites wine,lots] [--looks table,late+cards+first] [--days 3] [--seed 0] [--said]

Of each site of `bench/invented/` a first version is made from a few pages whose records are known, and its pages are
served for some quiet days. Then all of them come in another look (`bench/invented/designs.py`), and every night some
numbers move. It is lived through like the redesigns of `bench.redesigns`, and told like those: green, asked, partly or
red. Looks joined by "+" come one after the other, each for so many days; "first" is the site as it was, numbers and all.
Nothing was fitted to these looks when they were written. The exit status is 1 where a wrong value was published.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pydantic import BaseModel

from bench.first_versions import PAGES
from bench.invented import SITES
from bench.invented.designs import Look, Shop, sign_of
from bench.invented.site import Shown, Site
from crawloop_assets.family import Family
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.page import Page
from crawloop_assets.record import to_values
from tests.heal.redesign_kinds import Redesign
from tests.heal.redesign_lives import Ending, ending_of
from tests.heal.redesign_run import Life
from tests.heal.redesign_site import QUIET_DAYS, LivedSite

_MEMORY = Path("/dev/shm")
_MOVING = (
    "price",
    "rating",
    "reviews",
    "downloads",
    "seats",
    "votes",
    "score",
    "citations",
    "places",
    "fare",
    "rent",
)
_BEFORE = ("previous", "old", "former")
_MOVED_SHARE = 0.15
_EXAMPLES = 6
"""Pages of one record each that are known at first, of lists two."""
_DESIGNS: Mapping[str, Look | None] = {"first": None} | {one.value: one for one in Look}
_ONCE = Redesign("another look", lambda first, day, at: first, ())
Rows = list[dict[str, Any]]


def is_moving(name: str) -> bool:
    """Whether a field changes from day to day; a price that was stays as it was."""
    return not name.startswith(_BEFORE) and any(map(name.__contains__, _MOVING))


@dataclass
class RedesignedSite(LivedSite):
    """An invented site with its records as they are `today`, and as they were `before`; `design` is the look it has from
    day 0 on."""

    site: Site
    seed: int = 0
    design: Look | None = None
    day: int = -QUIET_DAYS
    today: list[list[BaseModel]] = field(default_factory=list)
    before: list[list[BaseModel]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._chance = Random(f"{self.site.name}{self.seed or ''}")
        numbers = range(PAGES[self.site.kind])
        self._first = [self.site.page(self._chance, number) for number in numbers]
        self.today = self.before = self._as_first()
        self._shop = Shop(self.site.name.capitalize(), sign_of(self._first[0].body))

    @property
    def is_list(self) -> bool:
        """Whether a page holds many records."""
        return self.site.kind != "detail"

    @cached_property
    def family(self) -> Family:
        """As an operator would declare it."""
        model = self.site.model
        moving = set(filter(is_moving, model.model_fields))
        setattr(model, "VOLATILE", moving)  # noqa: B010
        key = {"key": self.site.key} if self.site.key else {}
        return Family.model_validate(
            key
            | {
                "family": f"invented/{self.site.name}",
                "schema": f"{model.__module__}:{model.__name__}",
                "kind": self.site.kind,
                "discover": {"seeds": [self._first[0].url]},
                "heal": {"cooldown": "6h"},
            }
        )

    def pages(self, now: datetime) -> list[Page]:
        """What the site answers today."""
        return [self._page(at, shown, now) for at, shown in enumerate(self._first)]

    def truth(self) -> dict[str, Rows]:
        """Url -> the true records of its page today."""
        schema = self.family.schema_spec()
        return {
            shown.url: [to_values(record, schema) for record in records]
            for shown, records in zip(self._first, self.today, strict=True)
        }

    def night(self, *_: Any) -> None:
        """Some numbers move, once the redesign has come; without a design all are as they were."""
        self.before = self.today
        if not self.design:
            self.today = self._as_first()
        elif self.day >= -1:
            self.today = [list(map(self._moved, records)) for records in self.today]

    def _as_first(self) -> list[list[BaseModel]]:
        return [list(shown.records) for shown in self._first]

    def _moved(self, record: BaseModel) -> BaseModel:
        names = type(record).model_fields
        if any(getattr(record, name) for name in names if name.startswith(_BEFORE)):
            return record  # what it costs is less than before, and stays so
        moved = [name for name in filter(is_moving, names) if self._is_moved()]
        steps = {name: self._stepped(getattr(record, name)) for name in moved}
        return record.model_copy(update=steps)

    def _is_moved(self) -> bool:
        return self._chance.random() < _MOVED_SHARE

    def _stepped(self, value: Any) -> Any:
        """A number a little above or below; anything else as it is."""
        if isinstance(value, Decimal):
            factor = Decimal(str(round(self._chance.uniform(0.94, 1.06), 3)))
            return (value * factor).quantize(value)
        if type(value) is int:
            return max(1, value + self._chance.choice([-2, -1, 1, 2]))
        return value

    def _page(self, at: int, shown: Shown, now: datetime) -> Page:
        body, records = shown.body, self.today[at]
        if self.design and self.day >= 0:
            is_answer = self.site.kind == "json"
            shop = self._shop
            body = (
                shop.answered(records)
                if is_answer
                else shop.shown_as(
                    self.design, records, self._beside(at), self._stated(at)
                )
            )
        kind = "application/json" if body.startswith("{") else "text/html"
        headers = {"content-type": f"{kind}; charset=utf-8"}
        return Page(url=shown.url, body=body.encode(), headers=headers, fetched_at=now)

    def _stated(self, at: int) -> list[BaseModel]:
        """The records of a page as one look states them: as they were before."""
        return self.before[at]

    def _beside(self, at: int) -> list[BaseModel]:
        """The records of two to four other pages, others every day; none of a list."""
        steps = range(0 if self.is_list else 2 + at % 3)
        ahead = (1 + step + self.day % 3 for step in steps)
        return [self.today[(at + one) % len(self.today)][0] for one in ahead]


class Cell(NamedTuple):
    """What came of one look of one site."""

    site: str
    look: str
    ending: str
    red_days: int
    waves: int
    wrong: int
    emptied: int
    right: int
    rows: int
    questions: int
    said: tuple[str, ...]

    def __str__(self) -> str:
        return f"| {' | '.join(map(str, self[:6]))} | {self.emptied} | {self.right}/{self.rows} | {self.questions} |"


def lived(site: Site, looks: Iterable[str], days: int, seed: int) -> Iterator[Cell]:
    """The looks of one site, each for so many days; none of a site of which no first version is made."""
    memory = str(_MEMORY) if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory) as name:
        life = Life(
            RedesignedSite(site, seed), Path(name) / "first", examples=_EXAMPLES
        )
        if why := _hindrance(life):
            yield Cell(site.name, "-", "not begun", 0, 0, 0, 0, 0, 0, 0, (why,))
            return
        for look in looks:
            again = life.copied(Path(name) / look)
            yield _cell(again, look, days)


def _hindrance(life: Life) -> str:
    """Begins a life; why a site has no table that a redesign could hurt, "" if it has one. A first version that waits
    for a person is let through."""
    made = life.declare()
    if made.version is None or made.outcome is RegenerationOutcome.REJECTED:
        return made.reason
    if made.outcome is RegenerationOutcome.AWAITING_REVIEW:
        name = life.family.family
        with life.clock.running():
            life.store.promote(name, made.version, why="seen", expected_active=None)
    life.rest()
    said = [*map("red before: {}".format, life.checks), *map(str, life.judge.wrong)]
    return "; ".join(said)


def _cell(life: Life, looks: str, days: int) -> Cell:
    """What comes of looks one after the other."""
    life.days.clear()
    designs = list(map(_DESIGNS.__getitem__, looks.split("+")))
    for design in designs:
        life.site.design = design
        life.site.night()
        for _ in range(days):
            life.live()
    once = replace(_ONCE, waves=len(designs))
    last, judge = life.days[-1], life.judge
    said = [*life.person.said, *(life.checks if last.is_red else ())]
    said += [f"wrong: {key} {value}" for key, value in judge.wrong.items()]
    said += [f"emptied: {key} {value}" for key, value in judge.emptied.items()]
    return Cell(
        life.site.site.name,
        looks,
        ending_of(once, life).value,
        sum(map(attrgetter("is_red"), life.days)),
        life.waves,
        len(judge.wrong),
        len(judge.emptied),
        last.right,
        last.rows,
        life.questions,
        tuple(said),
    )


def totals(found: Sequence[Cell]) -> Iterator[str]:
    """The same in numbers."""
    begun = [one for one in found if one.look != "-"]
    yield f"{len(found) - len(begun)} sites have no first version; {len(begun)} looks of the others:"
    endings = Counter(map(attrgetter("ending"), begun))
    yield from (f"- {name.value}: {endings[name.value]}" for name in Ending)
    for name in ("wrong", "emptied", "questions", "right", "rows"):
        yield f"- {name}: {sum(map(attrgetter(name), begun))}"


def _chosen(names: str) -> list[Site]:
    by_name = {site.name: site for site in SITES}
    return list(map(by_name.__getitem__, names.split(",")))


def main() -> int:
    """Print the table; 1 where a wrong value was published."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sites", type=_chosen, default=list(SITES))
    parser.add_argument("--looks", default=",".join(Look))
    parser.add_argument("--days", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--said", action="store_true")
    asked = parser.parse_args()
    started = time.monotonic()
    print(
        "| site | look | end | days red | waves | wrong | emptied | rows right at the end | questions |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    found: list[Cell] = []
    for site in asked.sites:
        looks = [Look.STATE] if site.kind == "json" else asked.looks.split(",")
        for one in lived(site, looks, asked.days, asked.seed):
            found.append(one)
            print(one, flush=True)
            for said in one.said if asked.said else ():
                print(f"  - {said[:400]}", flush=True)
    print()
    print("\n".join(totals(found)))
    print(f"\n{time.monotonic() - started:.0f} s")
    return int(any(map(attrgetter("wrong"), found)))


if __name__ == "__main__":
    sys.exit(main())
