"""A pack: a folder of captured pages with known values, described by its
`index.json`."""

from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from crawloop_assets.errors import ConfigError


class OwnField(StrEnum):
    """What a field holds that a family brings itself: one text, or several in any
    order."""

    TEXT = "text"
    TEXTS = "texts"

    @property
    def type(self) -> Any:
        """What a record has of it."""
        return list[str] if self is OwnField.TEXTS else str


class Capture(BaseModel):
    """One captured page.

    `records` are gold records in the pack's own conventions (see `gold`); `in_dom` maps
    a field to the share (0..1) of its value's parts that stand verbatim in the page
    once its scripts are removed; `alternatives` are other texts by which the page states
    a value, any of which is right.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    file: str
    url: str
    captured: str | None = None
    layout: str | int | None = None
    records: tuple[dict[str, Any], ...] = ()
    in_dom: dict[str, float | None] = {}
    alternatives: dict[str, tuple[str, ...]] = {}


class Redesign(BaseModel):
    """Captures before and after a change of layout; `same_page` pairs show one page on
    both sides."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    before: tuple[str, ...]
    after: tuple[str, ...]
    same_page: tuple[tuple[str, str], ...] = ()


class PackFamily(BaseModel):
    """One family of a pack.

    `kind` says what its pages hold; `unchanged` pairs share a layout. `fields` are those
    of a family whose schema the benchmark has no model of; of these all is known.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    family: str
    schema_name: str = Field(alias="schema")
    kind: Literal["detail", "listing", "document", "json"]
    fields: dict[str, OwnField] = {}
    pages: tuple[Capture, ...]
    redesigns: tuple[Redesign, ...] = ()
    unchanged: tuple[tuple[str, str], ...] = ()


def load_pack(folder: Path) -> tuple[PackFamily, ...]:
    """The families of a pack, ordered by name.

    Raises ConfigError when the folder is not a pack.
    """
    index = folder / "index.json"
    try:
        raw = _Index.model_validate_json(index.read_bytes())
    except OSError as error:
        raise ConfigError(
            "not a pack of captured pages", file=index, hint="it needs an index.json"
        ) from error
    except ValidationError as error:
        raise ConfigError(
            f"index.json does not fit: {error.errors()[0]['msg']}", file=index
        ) from error
    return tuple(sorted(raw.families, key=lambda family: family.family))


class _Index(BaseModel):
    format: Literal[1]
    families: tuple[PackFamily, ...]
