"""The site of the shop: what it answers today in one family, and what is true of each page."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Protocol

from pydantic import BaseModel

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.family import Family
from crawloop_assets.page import Page
from crawloop_assets.record import to_values
from tests.heal.redesign_kinds import FIRST, LISTS, Shown
from tests.heal.redesign_pages import Design, address, api_answer, detail_page
from tests.heal.redesign_rows import rows_page
from tests.heal.redesign_shop import BASE, ShelfWare, Truth, Ware, Wares

QUIET_DAYS = 4
ROWS = 6
"""Rows of a page."""
Rows = list[dict[str, Any]]


class LivedSite(Protocol):
    """What a family of a site is served from day after day."""

    day: int

    @property
    def is_list(self) -> bool:
        """Whether a page holds many records."""

    @property
    def family(self) -> Family:
        """As an operator would declare it."""

    @property
    def key(self) -> str:
        """The field by which records are told apart: of a page of one its url, which the
        record need not have."""
        return self.family.key[0]

    def pages(self, now: datetime) -> list[Page]:
        """What the site answers today."""

    def truth(self) -> dict[str, Rows]:
        """Url -> the true records of its page today."""

    def shown_truth(self) -> dict[str, Rows]:
        """The same without what no page shows any more: here all of it is shown."""
        return self.truth()

    def hides(self, at: int, name: str) -> bool:
        """Whether a page says nothing of a field: here none does."""
        return False

    def night(self, rise: Any = 1) -> None:
        """What moves from one day to the next."""


@dataclass
class WareSite(LivedSite):
    """The pages of one family; `design` says how they look from day 0 on, `cooldown` how long the family waits."""

    shown: Shown
    is_linked: bool
    wares: Wares
    design: Any = None
    day: int = -QUIET_DAYS
    cooldown: str = "6h"

    @property
    def is_list(self) -> bool:
        """Whether a page holds many wares."""
        return self.shown in LISTS

    @property
    def model(self) -> type[BaseModel]:
        """The user's record."""
        return ShelfWare if self.is_list else Ware

    @cached_property
    def family(self) -> Family:
        """The family as an operator would declare it."""
        kinds = {Shown.JSON: FamilyKind.JSON}
        kinds |= dict.fromkeys(LISTS, FamilyKind.LISTING)
        return Family.model_validate(
            {
                "family": f"wares/{self.shown.value}",
                "schema": f"tests.heal.redesign_shop:{self.model.__name__}",
                "key": ["url" if self.is_list else "sku"],
                "kind": kinds.get(self.shown, FamilyKind.DETAIL),
                "discover": {"seeds": [f"{BASE}/"]},
                "heal": {"cooldown": self.cooldown},
            }
        )

    def pages(self, now: datetime) -> list[Page]:
        """What the site answers today."""
        return [self._page(at, wares, now) for at, wares in enumerate(self._of_pages())]

    def truth(self) -> dict[str, Rows]:
        """Url -> the true records of its page today."""
        schema = self.family.schema_spec()
        names = {spec.name for spec in schema.fields}
        return {
            self._url(at): [
                to_values(
                    {name: value for name, value in ware.items() if name in names},
                    schema,
                )
                for ware in wares
            ]
            for at, wares in enumerate(self._of_pages())
        }

    def shown_truth(self) -> dict[str, Rows]:
        """The same without what no page shows any more."""
        return {
            url: [
                {name: one for name, one in row.items() if not self.hides(at, name)}
                for row in rows
            ]
            for at, (url, rows) in enumerate(self.truth().items())
        }

    def hides(self, at: int, name: str) -> bool:
        """Whether a page says nothing of a field."""
        design = self._design(at)
        return name in design.gone or name in design.nulls

    def night(self, rise: Any = 1) -> None:
        """Prices and stock move; all prices by the factor of a rise."""
        self.wares.night(rise)

    def _of_pages(self) -> list[list[Truth]]:
        today = self.wares.today
        if not self.is_list:
            return [[ware] for ware in today]
        return [today[at : at + ROWS] for at in range(0, len(today), ROWS)]

    def _url(self, at: int) -> str:
        if self.is_list:
            return f"{BASE}/all?page={at + 1}"
        return address(self.wares.today[at], self.shown is Shown.JSON)

    def _design(self, at: int) -> Design:
        first = FIRST[self.shown]
        if self.is_linked:
            first = Design(**{**first.__dict__, "linked": True})
        if self.design is None or self.day < 0:
            return first
        made: Design = self.design(first, self.day, at)
        return made

    def _page(self, at: int, wares: Sequence[Truth], now: datetime) -> Page:
        design, others = self._design(at), self._others(at)
        if self.is_list:
            body = rows_page(wares, design, "All wares")
        elif self.shown is Shown.JSON:
            body = api_answer(wares[0], design, others)
        else:
            body = detail_page(wares[0], design, others)
        content = "application/json" if self.shown is Shown.JSON else "text/html"
        return Page(
            url=self._url(at),
            body=body.encode(),
            headers={"content-type": content},
            fetched_at=now,
        )

    def _others(self, at: int) -> list[Truth]:
        today = self.wares.today
        return [today[(at + step) % len(today)] for step in (3, 5, 7)]
