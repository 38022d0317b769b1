"""A heal wave that really happened, from red to green, in words, for programs and as a page."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from crawloop_assets.pipeline.names import RunMode
from crawloop_assets.report import wave as told_of
from crawloop_assets.report.shelf import Reports
from crawloop_assets.report.wave import differences, wave_report, write_last_wave
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.store import AuditKind
from tests.world import PRODUCT, World

WAVE = "heal-shop-product-1"


def test_a_wave_is_told_from_the_first_red_batch_to_the_records(red: World) -> None:
    failed = red.shown()["failed"]
    runs = {one.batch: one.run_id for one in red.store.quarantine(PRODUCT)}
    detail = {"wave": WAVE, "batches": {batch: runs[batch] for batch in failed}}
    red.store.audit(AuditKind.WAVE_STARTED, PRODUCT, None, detail)
    assert red.regenerate(WAVE).success
    early = Reports(red.project.var).of_wave(PRODUCT, WAVE)
    assert "v2" in early.read_text(), "written by the regeneration itself"
    last = Reports(red.project.var).of_last_wave(PRODUCT)
    assert last.read_text() == early.read_text()
    assert red.refresh(mode=RunMode.REPLAY).success

    with WorkerPool(1) as pool:
        report = wave_report(red.store, pool, red.family, WAVE)
    facts = dict(report.facts())
    assert (
        facts["red"].startswith(f"{len(failed)} batch(es)") and "check schema" in facts
    )
    assert facts["made"].startswith("v2, now active") and facts["cost"].startswith("$0")
    assert facts["what to do"].startswith("Nothing")
    said = "\n".join(report.program_says())
    assert "reader(s) new" in said and "price: " in said
    assert report.history.before and report.history.before.version == 1
    changed = [row for change in report.history.changes for row in differences(change)]
    assert len(changed) == len(report.records())
    told = json.loads(json.dumps(report.as_json(), default=str))
    assert told["version"] == 2 and told["score_sheet"]["passed"]
    page = report.as_html()
    assert (
        page.count("<iframe sandbox ") == 2
        and "as v1 reads it" in page
        and "as v2 reads it" in page
    )
    assert "crawloop-read" in page.partition("After, as v2")[2]
    assert "<img" not in page, "there is no browser"
    looked = replace(report, pictures=(b"before", b"after")).as_html()
    assert looked.count('<img src="data:image/jpeg;base64,') == 2


def test_only_a_wave_that_is_left_to_a_person_waits_for_pictures(
    red: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []

    def pictures_of(pages: Sequence[str]) -> list[bytes]:
        taken.append(len(pages))
        return [b"before", b"after"]

    monkeypatch.setattr(told_of, "pictures_of", pictures_of)
    shelf = Reports(red.project.var)
    runs = {one.batch: one.run_id for one in red.store.quarantine(PRODUCT)}
    for wave, end in (("healed", None), ("left", AuditKind.HEAL_FAILED)):
        detail = {"wave": wave, "batches": runs}
        red.store.audit(AuditKind.WAVE_STARTED, PRODUCT, None, detail)
        with WorkerPool(1) as pool:
            write_last_wave(red.store, pool, red.family)
            if end is None:
                assert red.regenerate(wave).success
            else:
                red.store.audit(end, PRODUCT, None, {"wave": wave})
            assert taken == [], "under way, or healed"
            write_last_wave(red.store, pool, red.family)
        has_pictures = "<img" in shelf.of_wave(PRODUCT, wave).read_text()
        assert has_pictures == (wave == "left")
    assert taken == [2]
