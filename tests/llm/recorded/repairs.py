"""What a model is asked about pages that nothing reads any more: readers, a whole program, code."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from crawloop_assets.crawler.program import (
    Boundary,
    BoundaryMode,
    FamilyKind,
    FieldProgram,
    Program,
)
from crawloop_assets.document.trim import WHOLE
from crawloop_assets.family import Family
from crawloop_assets.llm.repair import (
    ReaderAnswer,
    RepairCalls,
    RepairPage,
    RepairQuestion,
)
from crawloop_assets.llm.settings import ModelSettings
from crawloop_assets.sandbox import (
    ExtractJob,
    ReadByCodeJob,
    TrimJob,
    default_pool,
)
from crawloop_assets.serve.showing import sought_of
from crawloop_assets.store import Store
from tests.llm.recorded.world import Offer, Ware, family, page

Values = dict[str, Any]
_OFFERS = family(Offer)
_WARES = family(Ware, FamilyKind.LISTING)
_LIST = Boundary(mode=BoundaryMode.NODES, at="table.all tr", keep_if=("name",))
_KNOWN: dict[str, list[Values]] = {
    "amber": [{"name": "Amber reading lamp", "price": "64.5", "height": "41 cm"}],
    "basalt": [{"name": "Basalt desk lamp", "price": "112", "height": "52 cm"}],
    "cedar": [{"name": "Cedar floor lamp", "price": "188", "height": "148 cm"}],
    "list": [
        {"name": "Amber reading lamp", "price": "64.5"},
        {"name": "Basalt desk lamp", "price": "112"},
    ],
}
"""What was known before the redesign, by the end of a page's name."""


def readers(settings: ModelSettings, folder: Path) -> list[Values]:
    """Readers are written for three redesigned pages, and read a fourth."""
    names = [f"redesigned-{name}" for name in ("amber", "basalt", "cedar")]
    answer = _calls(settings, folder, _OFFERS).readers(_question(_OFFERS, names, 3))
    return extracted(_program(answer), [*names, "redesigned-ember"])


def whole_program(settings: ModelSettings, folder: Path) -> list[Values]:
    """A list whose rows have gone elsewhere gets a program anew."""
    question = _question(_WARES, ["redesigned-list"], WHOLE, _LIST)
    answer = _calls(settings, folder, _WARES).readers(question)
    return extracted(_program(answer), ["redesigned-list"])


def code(settings: ModelSettings, folder: Path) -> list[Values]:
    """Code is written for two pages that no reader reads, and reads a third."""
    names = ["scattered-amber", "scattered-basalt"]
    question = _question(_OFFERS, names, 9)
    written = _calls(settings, folder, _OFFERS).code(question)
    schema, found = _OFFERS.schema_spec(), []
    for name in (*names, "scattered-ember"):
        job = ReadByCodeJob(page=page(name), schema=schema, code=written)
        found += [one.values for one in default_pool().run(job).extraction.records]
    return found


def extracted(program: Program, names: Sequence[str]) -> list[Values]:
    """What a program reads on pages."""
    found: list[Values] = []
    for name in names:
        job = ExtractJob(program=program.to_json(), page=page(name))
        found += [one.values for one in default_pool().run(job).extraction.records]
    return found


def _question(
    of: Family, names: Sequence[str], levels: int, boundary: Boundary | None = None
) -> RepairQuestion:
    """What is asked: all fields, of pages shown around what was known of them."""
    schema, pages = of.schema_spec(), []
    for name in names:
        shown, known = page(name), _KNOWN[name.rpartition("-")[2]]
        job = TrimJob(page=shown, fields=sought_of(schema, known), levels=levels)
        evidence = default_pool().run(job)
        pages.append(RepairPage(shown.url, [("html", evidence.html)], known))
    before = Program(kind=of.kind, record=boundary, fields=())
    is_whole = boundary is not None
    return RepairQuestion(schema.name, schema.fields, pages, before, boundary, is_whole)


def _calls(settings: ModelSettings, folder: Path, of: Family) -> RepairCalls:
    """What asks for a family."""
    store = Store(folder / "var", folder / "crawloop.duckdb")
    return RepairCalls(of, store.calls, settings, "recorded")


def _program(answer: ReaderAnswer) -> Program:
    """What was written, as a program."""
    of = _WARES if answer.boundary else _OFFERS
    specs = {spec.name: spec for spec in of.schema_spec().fields}
    fields = [
        FieldProgram(spec=specs[name], readers=found)
        for name, found in answer.readers.items()
    ]
    return Program(kind=of.kind, record=answer.boundary, fields=tuple(fields))
