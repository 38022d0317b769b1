"""A small magazine whose stories are read more often every day: one to a page, or many in a list."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import Any, ClassVar

from pydantic import BaseModel, Field

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.family import Family
from crawloop_assets.page import Page
from crawloop_assets.record import to_values
from tests.heal.redesign_site import QUIET_DAYS, Rows

BASE = "http://gazette.example"
ROWS = 8
_FIRST = ("New", "Old", "Quiet", "Late", "Open", "Lost", "Bright", "Broken")
_THINGS = ("ferry", "market hall", "school kitchen", "river walk", "tram depot")
_AUTHORS = ("Ada Brandt", "Ivo Kessel", "Mira Lund", "Noor Haas", "Tove Aalto")
_TAGS = ("Harbour", "Council", "Weather", "Schools", "Trains", "Books", "Gardens")


class Story(BaseModel):
    """A story; how often it was read changes every night."""

    VOLATILE: ClassVar = {"reads"}

    title: str = Field(min_length=3)
    author: str | None = None
    day: date | None = None
    tags: list[str] = []
    reads: int | None = None


@dataclass
class Stories:
    """So many stories; all are read in a `night`."""

    size: int
    today: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._rng = random.Random(3)
        self.today = list(map(self._story, range(self.size)))

    def _story(self, at: int) -> dict[str, Any]:
        rng = self._rng
        return {
            "title": f"{rng.choice(_FIRST)} {rng.choice(_THINGS)} {chr(65 + at)}{at + 11}",
            "author": rng.choice(_AUTHORS),
            "day": date(2025, 1, 1) + timedelta(days=rng.randrange(400)),
            "tags": rng.sample(_TAGS, rng.randrange(1, 5)),
            "reads": rng.randrange(100, 5000),
        }

    def night(self, rise: Any = 1) -> None:
        """Every story is read a few times more."""
        for story in self.today:
            story["reads"] += self._rng.randrange(1, 40)


Look = Callable[[Mapping[str, Any]], str]
"""How a story is written."""


def first(story: Mapping[str, Any]) -> str:
    """As it was."""
    tags = "".join(f"<li>{tag}</li>" for tag in story["tags"])
    return (
        f"<h2 class='title'>{story['title']}</h2><p>By <span class='author'>{story['author']}</span> on "
        f"<time class='day'>{story['day']:%d %B %Y}</time></p><ul class='tags'>{tags}</ul>"
        f"<p><span class='reads'>{story['reads']}</span> reads</p>"
    )


def labelled(story: Mapping[str, Any], sign: str = " | ") -> str:
    """Each thing behind its label, the tags in one text with theirs."""
    return (
        f"<h3 class='xh'>{story['title']}</h3><p>By: <i>{story['author']}</i></p>"
        f"<p>Published: <i>{story['day']:%d %B %Y}</i></p><p>Reads: <i>{story['reads']}</i></p>"
        f"<p class='xg'>Topics: {sign.join(story['tags'])}</p>"
    )


def merged(story: Mapping[str, Any]) -> str:
    """Author, day and reads in one text."""
    said = f"{story['author']} · {story['day']:%d %B %Y} · {story['reads']} reads"
    tags = ", ".join(story["tags"])
    return f"<h3>{story['title']}</h3><p class='m'>{said}</p><p class='g'>{tags}</p>"


def split(story: Mapping[str, Any]) -> str:
    """The title in two elements."""
    start, _, rest = story["title"].partition(" ")
    body = labelled(story).partition("</h3>")[2]
    return f"<h3>{start}</h3><h4>{rest}</h4>{body}"


def cut(story: Mapping[str, Any]) -> str:
    """The title without its first word, which stands nowhere else."""
    start = story["title"].split(" ")[0]
    return split(story).replace(f"<h3>{start}</h3>", "").replace("h4", "h3")


@dataclass
class Gazette:
    """The pages of one family; `look` is how stories are written from day 0 on."""

    is_list: bool
    wares: Stories
    look: Look
    day: int = -QUIET_DAYS

    @cached_property
    def family(self) -> Family:
        """The family as an operator would declare it."""
        kind = FamilyKind.LISTING if self.is_list else FamilyKind.DETAIL
        return Family.model_validate(
            {
                "family": f"gazette/{kind.value}",
                "schema": "tests.heal.gazette:Story",
                "key": ["title"],
                "kind": kind,
                "discover": {"seeds": [f"{BASE}/"]},
            }
        )

    def pages(self, now: datetime) -> list[Page]:
        """What the site answers today."""
        return [
            Page(
                url=self._url(at),
                body=self._page(stories).encode(),
                headers={"content-type": "text/html"},
                fetched_at=now,
            )
            for at, stories in enumerate(self._of_pages())
        ]

    def truth(self) -> dict[str, Rows]:
        """Url -> the true records of its page today."""
        schema = self.family.schema_spec()
        return {
            self._url(at): [to_values(story, schema) for story in stories]
            for at, stories in enumerate(self._of_pages())
        }

    def shown_truth(self) -> dict[str, Rows]:
        """The same: every page says everything."""
        return self.truth()

    def hides(self, at: int, name: str) -> bool:
        """Whether a page says nothing of a field."""
        return False

    @property
    def key(self) -> str:
        """By which stories are told apart."""
        return self.family.key[0]

    def night(self, rise: Any = 1) -> None:
        """What moves from one day to the next."""
        self.wares.night(rise)

    def _of_pages(self) -> list[list[dict[str, Any]]]:
        size = ROWS if self.is_list else 1
        today = self.wares.today
        return [today[at : at + size] for at in range(0, len(today), size)]

    def _url(self, at: int) -> str:
        return f"{BASE}/{'all' if self.is_list else 'story'}/{at + 1}"

    def _page(self, stories: Sequence[Mapping[str, Any]]) -> str:
        look, tag = (first, "article") if self.day < 0 else (self.look, "section")
        body = "".join(f"<{tag}>{look(story)}</{tag}>" for story in stories)
        filler = "Stories from the town by those who live in it, every week. " * 8
        return (
            f"<!doctype html><html lang='en'><head><title>The Gazette</title></head>"
            f"<body><main>{body}</main><footer><p>{filler}</p></footer></body></html>"
        )
