"""The kinds of prompts: what each is asked about our own pages, and what has to come of it."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from crawloop_assets.cli.scout_model import ScoutModel
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.family import Family
from crawloop_assets.heal.first_by_model import FirstByModel
from crawloop_assets.heal.oracle import ModelOracle
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.llm.question import Purpose
from crawloop_assets.llm.readiness import tried
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.store import Store
from tests.llm.recorded import repairs
from tests.llm.recorded.repairs import Values, extracted
from tests.llm.recorded.world import Lamp, Room, Talk, family, page, talks

_WISH = "each lamp with its name, what it costs now, how tall it is and what it is filed under"
_FIRST = ("amber", "basalt", "cedar")
_NOTHING = Regeneration(RegenerationOutcome.REJECTED, "nothing is known")


@dataclass(frozen=True)
class Kind:
    """A kind of prompt: what is asked, and what is right."""

    run: Callable[[ModelSettings, Path], Any]
    right: Any


def _store(folder: Path) -> Store:
    """A store of its own."""
    return Store(folder / "var", folder / "crawloop.duckdb")


def _reader(
    settings: ModelSettings, folder: Path, of: Family, purpose: Purpose
) -> ModelReader:
    """What reads pages of a family for a purpose."""
    schema, calls = of.schema_spec(), _store(folder).calls
    return ModelReader(of, schema, calls, default_pool(), settings, "recorded", purpose)


def read_page(
    of: Family,
    purpose: Purpose,
    shown: Page,
    *right: Values,
    example: Values | None = None,
) -> Kind:
    """One page is read for a purpose."""

    def run(settings: ModelSettings, folder: Path) -> list[Values]:
        reader = _reader(settings, folder, of, purpose)
        return list(asyncio.run(reader.read(shown, example=example)).records)

    return Kind(run, list(right))


def _first_crawler(settings: ModelSettings, folder: Path) -> list[Values]:
    """Three lamps are read by the model, and a fourth by what is compiled from them."""
    of, store = family(Lamp), _store(folder)
    reader = _reader(settings, folder, of, Purpose.ORACLE)
    oracle = ModelOracle(reader, store, most_read=len(_FIRST))
    regenerator = Regenerator(of, store, default_pool(), "recorded")
    pages = [page(name) for name in (*_FIRST, "dune")]
    made = FirstByModel(oracle).first(regenerator, pages, _NOTHING)
    return extracted(Program.from_json(made.program), ["dune"])


def _scout(settings: ModelSettings, folder: Path) -> ScoutModel:
    """What a newcomer asks."""
    return ScoutModel(_store(folder), default_pool(), settings, _WISH)


def _described(settings: ModelSettings, folder: Path) -> list[tuple[str, str, str]]:
    """The fields of a wish in prose."""
    found = asyncio.run(_scout(settings, folder).wished("lamps", page("amber")))
    return [
        (spec.name, spec.kind.value, spec.shape.value) for spec in found.schema.fields
    ]


def _asked(settings: ModelSettings, folder: Path) -> list[Values]:
    """What scout has read where structure leaves doubt."""
    schema = family(Lamp).schema_spec()
    wanted = tuple(
        spec for spec in schema.fields if spec.name in ("name", "price", "made_since")
    )
    fields = schema.model_copy(update={"fields": wanted})
    pages = list(map(page, _FIRST))
    scout = _scout(settings, folder)
    said = asyncio.run(scout.answered("lamps", fields, FamilyKind.DETAIL, pages))
    return [record for one in said.known for record in one.records]


def _tried(settings: ModelSettings, folder: Path) -> str:
    """The word that a model has to copy."""
    return tried(settings, _store(folder).calls)


def _lamp(name: str, **more: Any) -> Values:
    """A lamp that the shop has, filed under what it is made of."""
    slug = name.split()[0].lower()
    picture = f"https://lamps.test/img/{slug}-1280.jpg"
    return {"name": name, "availability": "InStock", "picture": picture} | more


def _talk(at: int) -> Values:
    """One of the twenty-four talks."""
    subjects = ("bridges", "tides", "clay", "moss", "glass", "bells", "rope", "salt")
    return {
        "title": f"On {subjects[at % 8]}, part {at // 8 + 1}",
        "speaker": ("Ada Brook", "Milo Hart", "Noor Vance", "Ines Calder")[at % 4],
        "day": f"{2019 + at // 12}-03-{at + 1:02}",
    }


_AMBER = {"name": "Amber reading lamp", "price": "64.50", "made_since": "2019-03-07"}
_BASALT = {"name": "Basalt desk lamp", "price": "112.00", "made_since": "2016-10-21"}
_CEDAR = {"name": "Cedar floor lamp", "price": "188.00", "made_since": "2021-05-02"}
_DUNE = {"name": "Dune night light", "price": "22.90", "made_since": "2020-01-30"}
_DUNE |= {"picture": "https://lamps.test/img/dune-1280.jpg", "tags": ["Clay"]}

KINDS: dict[str, Kind] = {
    "serve_record": read_page(
        family(Lamp),
        Purpose.SERVE,
        page("cedar"),
        _lamp(**_CEDAR, dimmable=True, tags=["Wood", "Linen", "Oil"]),
    ),
    "serve_list": read_page(
        family(Talk, FamilyKind.LISTING), Purpose.SERVE, talks(), *map(_talk, range(24))
    ),
    "first_crawler": Kind(_first_crawler, [_DUNE]),
    "sampled_judge": read_page(
        family(Lamp),
        Purpose.JUDGE,
        page("basalt"),
        _lamp(**_BASALT, dimmable=False, tags=["Stone", "Steel"])
        | {"availability": "OutOfStock"},
        example=_lamp(**_AMBER, tags=["Glass", "Brass"]),
    ),
    "model_fields": read_page(
        family(Room), Purpose.FIELDS, page("amber"), {"room": "by the bed"}
    ),
    "repair_readers": Kind(
        repairs.readers,
        [
            {"name": "Amber reading lamp", "price": "66.00", "height": "41 cm"},
            {"name": "Basalt desk lamp", "price": "112.00", "height": "52 cm"},
            {"name": "Cedar floor lamp", "price": "174.00", "height": "148 cm"},
            {"name": "Ember lantern", "price": "37.20", "height": "26 cm"},
        ],
    ),
    "repair_program": Kind(
        repairs.whole_program,
        [
            {"name": name, "price": price, "url": f"https://lamps.test/l/{slug}"}
            for name, price, slug in (
                ("Amber reading lamp", "66.00", "amber"),
                ("Basalt desk lamp", "112.00", "basalt"),
                ("Cedar floor lamp", "174.00", "cedar"),
                ("Ember lantern", "37.20", "ember"),
                ("Fern clip light", "19.50", "fern"),
                ("Garnet spot", "58.00", "garnet"),
            )
        ],
    ),
    "repair_code": Kind(
        repairs.code,
        [
            {"name": "Amber reading lamp", "price": "66.00"},
            {"name": "Basalt desk lamp", "price": "112.0"},
            {"name": "Ember lantern", "price": "37.20"},
        ],
    ),
    "scout_describe": Kind(
        _described,
        [
            ("name", "text", "one"),
            ("price", "number", "one"),
            ("height", "text", "one"),
            ("tags", "text", "list"),
        ],
    ),
    "scout_ask": Kind(_asked, [_AMBER, _BASALT, _CEDAR]),
    "test": Kind(_tried, ""),
}
