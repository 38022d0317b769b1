"""What the rows of a family show of what it promises."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.family import FamilyContract
from crawloop_assets.store import AuditKind, Store
from crawloop_assets.store.contracts import ContractFigures, promises
from tests.models import Numbered
from tests.store.conftest import commit, family, served

FAMILY = family(schema="tests.models:Numbered")


def good(sku: str) -> Numbered:
    """A product by its number."""
    return Numbered(sku=sku, title="kettle", price=Decimal(1))


def test_fresh_rows_and_single_keys_keep_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    assert store.contracts.figures(FAMILY) == ContractFigures()
    pages = [served(f"http://shop.test/{n}", good(str(n))) for n in range(3)]
    store.commit_batch(commit("r1", pages, FAMILY))
    found = store.contracts.figures(FAMILY)
    assert (found.rows, found.fresh, found.twice, found.unnamed) == (3, 3, 0, 0)
    assert found.oldest is not None and list(found.broken(FAMILY)) == []


def test_rows_that_are_not_found_in_time_break_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    store.commit_batch(commit("r1", [served("http://shop.test/1", good("1"))], FAMILY))
    promised = FamilyContract(fresh_within=timedelta(microseconds=1))
    soon = FAMILY.model_copy(update={"contract": promised})
    found = store.contracts.figures(soon)
    assert (found.rows, found.fresh) == (1, 0)
    (said,) = found.broken(soon)
    assert said.startswith("0.0% of 1 rows were found on their page within")


def test_what_is_broken_and_kept_again_is_audited_once_each(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    store.commit_batch(commit("r1", [served("http://shop.test/1", good("1"))], FAMILY))
    promised = FamilyContract(fresh_within=timedelta(microseconds=1))
    soon = FAMILY.model_copy(update={"contract": promised})
    for judged in (FAMILY, soon, soon, FAMILY, FAMILY, soon):
        store.contracts.judge(judged)
    said = [event.kind for event in store.audits(FAMILY.family)]
    broken, kept = AuditKind.CONTRACT_BROKEN, AuditKind.CONTRACT_KEPT
    assert [kind for kind in said if kind in (broken, kept)] == [broken, kept, broken]


def test_who_finds_what_was_found_before_changes_nothing(tmp_path: Path) -> None:
    """Or every run would be news, which have to be published."""
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    store.commit_batch(commit("r1", [served("http://shop.test/1", good("1"))], FAMILY))
    promised = FamilyContract(fresh_within=timedelta(microseconds=1))
    late = FAMILY.model_copy(update={"contract": promised})
    states = []
    for judged in (FAMILY, late, late, FAMILY):
        store.contracts.judge(judged)
        states.append(store.publisher.database.state())
    first, news, again, other = states
    assert news == again and len({first, news, other}) == 3


def test_a_page_whose_record_gets_another_key_breaks_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    by_sku = FAMILY.model_copy(update={"key": ("sku",)})
    for run, sku in (("r1", "1"), ("r2", "2")):
        pages = [served("http://shop.test/1", good(sku))]
        store.commit_batch(commit(run, pages, by_sku))
    found = store.contracts.figures(by_sku)
    assert found.renamed == 1
    (said,) = found.broken(by_sku)
    assert "another key" in said


def test_a_list_of_json_whose_rows_change_keeps_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    api = FAMILY.model_copy(update={"key": ("sku",), "kind": FamilyKind.JSON})
    for run, shown in (
        ("r1", "12"),
        ("r2", "23"),
        ("r3", "3"),
        ("r4", "3"),
        ("r5", "4"),
    ):
        pages = [served("http://shop.test/api", *map(good, shown))]
        store.commit_batch(commit(run, pages, api))
    assert store.contracts.figures(api).renamed == 0


def test_what_is_promised_is_said_in_sentences() -> None:
    said = "\n".join(promises(FAMILY.model_copy(update={"owner": "data@shop.test"})))
    for word in ("95%", "14 days", "_stale_since", "Keys", "Schema", "data@shop.test"):
        assert word in said
    words = {
        "14d": "14 days",
        "36h": "36 hours",
        "4m": "4 minutes",
        "40s": "40 seconds",
    }
    for fresh, within in words.items():
        promised = {"contract": {"fresh_within": fresh}}
        family = FAMILY.model_validate({**FAMILY.model_dump(by_alias=True), **promised})
        assert any(within in line for line in promises(family)), within
    assert list(replace(ContractFigures(), twice=1).broken(FAMILY)) != []
