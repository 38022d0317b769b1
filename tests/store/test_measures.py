"""Every instrument is observed in the store."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from crawloop_assets.page import Verdict
from crawloop_assets.store import AccessOutcome, LlmCall, Store
from crawloop_assets.store.measures import INSTRUMENTS, Measured
from tests.store.conftest import family

FAMILY = family()
PAGE = Path(__file__).parents[2] / "docs" / "programs.md"


def readings(store: Store) -> dict[str, list[Measured]]:
    """What every instrument shows."""
    return {one.name: store.measures.readings(one, [FAMILY]) for one in INSTRUMENTS}


def test_an_instrument_has_a_name_of_its_own_a_unit_and_says_what_it_is() -> None:
    assert len({one.name for one in INSTRUMENTS}) == len(INSTRUMENTS)
    for one in INSTRUMENTS:
        assert one.name.startswith("crawloop.") and one.unit and one.says.endswith(".")
        row = f"| `{one.name}` | {one.kind.value}, `{one.unit}` | {one.says} |"
        assert row in PAGE.read_text(encoding="utf-8")


def test_what_the_ledgers_hold_is_counted_by_a_store_that_is_new(
    tmp_path: Path,
) -> None:
    store = Store(tmp_path / "var", tmp_path / "crawloop.duckdb")
    assert all(
        one.value in (0, 1) for found in readings(store).values() for one in found
    )
    long_ago = datetime.now(UTC) - timedelta(hours=1)
    for verdict, at in (
        (Verdict.OK, None),
        (Verdict.OK, long_ago),
        (Verdict.BLOCKED, None),
    ):
        store.record_access(
            AccessOutcome(
                domain="shop.test",
                rung="plain",
                outcome=verdict.value,
                family=FAMILY.family,
                created_at=at,
            )
        )
    store.record_calls(
        LlmCall(family=FAMILY.family, purpose="serve", model="m", usd=0.25)
    )
    again = readings(Store(tmp_path / "var", tmp_path / "crawloop.duckdb"))
    fetches = {one.of["verdict"]: one.value for one in again["crawloop.fetches"]}
    assert fetches == {"ok": 2, "blocked": 1}
    assert again["crawloop.model.cost"] == [
        Measured(0.25, {"family": FAMILY.family, "model": "m"})
    ]
    (rate,) = again["crawloop.pages.rate"]
    assert rate.value in (1 / 300, 2 / 300)
