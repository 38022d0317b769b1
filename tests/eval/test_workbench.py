"""Pages, gold records and programs of a small shop."""

from pathlib import Path

import pytest

from crawloop_assets.crawler.extraction import Extraction
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.eval.pack import load_pack
from crawloop_assets.eval.plan import Case, Hint, units
from crawloop_assets.eval.results import CaseResult
from crawloop_assets.eval.tasks import Input, Task
from crawloop_assets.eval.workbench import Workbench


@pytest.fixture
def shop(pack: Path) -> Workbench:
    (family,) = [family for family in load_pack(pack) if family.family == "shop"]
    return Workbench(pack, units(family)[0], Input.BARE)


def test_pages_come_in_the_form_of_the_bench(shop: Workbench) -> None:
    page = shop.page("old0")
    assert page.url == "https://shop.example/old0"
    assert "Red kettle" in page.text and page.text.startswith("<!DOCTYPE html>")
    assert shop.page("old0") is page
    assert shop.kind is FamilyKind.DETAIL


def test_gold_records_are_typed(shop: Workbench) -> None:
    assert shop.gold("old0") == [{"brand": ("Acme",), "price": ("12.50",)}]
    example = shop.example(3, "old0")
    assert (example.page, example.records) == (
        3,
        ({"price": "12.50", "brand": "Acme"},),
    )
    assert shop.example(0, "old0", 0).records == ()


def test_a_program_is_made_once(shop: Workbench) -> None:
    result = CaseResult()
    program = shop.learned(("old0", "old1"), result)
    assert program is not None
    assert shop.learned(("old0", "old1"), result) is program
    assert len(result.times["induce_ms"]) == 1
    (record,) = shop.extract(program, "old2", result).records
    assert (record.values["price"], record.values["brand"]) == ("7.25", "Crux")


def test_a_page_is_timed_once_however_often_it_is_read(shop: Workbench) -> None:
    result = CaseResult()
    program = shop.learned(("old0",), result)
    shop.extract(program, "old1", result)
    shop.extract(program, "old1", result)
    assert len(result.times["parse_ms"]) == len(result.times["extract_ms"]) == 1


def test_without_a_program_nothing_is_read(shop: Workbench) -> None:
    result = CaseResult()
    assert shop.extract(None, "old1", result) == Extraction()
    assert result.times == {}


def test_healing_learns_from_the_known_record_of_the_page_before(
    shop: Workbench,
) -> None:
    result = CaseResult()
    old = shop.learned(("old0", "old1"), result)
    assert old is not None
    hints = (Hint("new0", "old0"), Hint("new1", "old1"))
    case = Case(Task.HEAL, ("old0", "old1"), ("new2",), hints)
    healed = shop.heal(case, old, result).program
    assert healed is not None and len(result.times["heal_ms"]) == 1
    (record,) = shop.extract(healed, "new2", result).records
    assert record.values["price"] == "7.25"
