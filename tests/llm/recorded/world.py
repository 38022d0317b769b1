"""A shop of lamps and a list of talks of our own: what their records are, and their pages."""

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from pydantic import AnyUrl, BaseModel, Field

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.family import Family
from crawloop_assets.page import Page

SITE = "https://lamps.test"
_PAGES = Path(__file__).parent / "pages"
_SPEAKERS = ("Ada Brook", "Milo Hart", "Noor Vance", "Ines Calder")
_SUBJECTS = ("bridges", "tides", "clay", "moss", "glass", "bells", "rope", "salt")
_ABSTRACT = (
    "It begins with what anybody can see from the bank, goes on with what had to be measured, and ends with a mistake "
    "that took nine years to be found. There will be tea. "
)


class Lamp(BaseModel):
    """What a page of the shop says."""

    name: str
    price: Decimal
    availability: Literal["InStock", "OutOfStock"] | None = None
    made_since: date | None = None
    dimmable: bool | None = None
    picture: AnyUrl | None = Field(None, description="the largest one")
    tags: list[str] | None = None


class Talk(BaseModel):
    """A row of a long list."""

    title: str
    speaker: str
    day: date


class Room(BaseModel):
    """What stands in a sentence, and in no place of its own."""

    room: str | None = Field(
        None, description="where it is to stand, in two or three words of the page"
    )


class Offer(BaseModel):
    """What is left to read once the shop was redesigned."""

    name: str
    price: Decimal
    height: str | None = None


class Ware(BaseModel):
    """A row of the shop's list."""

    name: str
    price: Decimal
    url: AnyUrl


def family(model: type[BaseModel], kind: FamilyKind = FamilyKind.DETAIL) -> Family:
    """The family of a record."""
    name = model.__name__
    said: dict[str, Any] = {"schema": f"{__name__}:{name}", "discover": {}}
    said |= {"family": f"recorded/{name.lower()}", "kind": kind.value}
    return Family.model_validate(said)


def page(name: str) -> Page:
    """A page of the shop."""
    return _page(name, (_PAGES / f"{name}.html").read_text(encoding="utf-8"))


def talks() -> Page:
    """Twenty-four talks of two years, more than one question shows."""
    found = []
    for at in range(24):
        head = f"<h3>On {_SUBJECTS[at % 8]}, part {1 + at // 8}</h3>"
        who = f"<p><b>{_SPEAKERS[at % 4]}</b> on {1 + at} March {2019 + at // 12}</p>"
        found.append(f"<section>{head}{who}<p>{_ABSTRACT * 6}</p></section>")
    return _page("talks", f"<html lang='en'><body>{''.join(found)}</body></html>")


def _page(name: str, text: str) -> Page:
    headers = {"content-type": "text/html; charset=utf-8"}
    return Page(url=f"{SITE}/l/{name}.html", body=text.encode(), headers=headers)
