"""Families in processes of their own, and what is counted when one dies."""

from pathlib import Path

import pytest

from crawloop_assets.eval.pack import PackFamily, load_pack
from crawloop_assets.eval.pool import EvalJob, FamilyResult, evaluate, evaluate_family
from crawloop_assets.eval.score import Score
from crawloop_assets.eval.tasks import Input, Task


def job(pack: Path, name: str, *tasks: Task) -> EvalJob:
    (family,) = [family for family in load_pack(pack) if family.family == name]
    return EvalJob(pack, family, Input.AS_IS, tasks=frozenset(tasks))


def test_a_plan_has_only_the_tasks_that_were_chosen(pack: Path) -> None:
    chosen = job(pack, "shop", Task.COMPILE, Task.DRIFT).plan()
    assert {case.task for _, case in chosen} == {Task.COMPILE, Task.DRIFT}
    assert len(chosen) < len(job(pack, "shop").plan())


def test_a_schema_without_a_model_costs_no_process(tmp_path: Path) -> None:
    page = {"id": "a", "file": "a", "url": "https://a.example", "records": [{"x": 1}]}
    family = PackFamily.model_validate(
        {"family": "f", "schema": "Song", "kind": "detail", "pages": [page]}
    )
    result = evaluate_family(EvalJob(tmp_path, family, Input.AS_IS))
    assert result.results == []
    assert "Song" in result.failures[0]


@pytest.fixture
def halved(pack: Path) -> Path:
    """The pack without the page its second layout is learned from."""
    (pack / "new0.html").unlink()
    return pack


def test_a_case_that_dies_costs_only_its_own_fields(halved: Path) -> None:
    ended: list[FamilyResult] = []
    jobs = [job(halved, "shop", Task.COMPILE), job(halved, "quotes", Task.COMPILE)]
    shop, quotes = evaluate(jobs, 1, ended.append)
    assert sorted(result.family for result in ended) == ["quotes", "shop"]
    assert (shop.family, quotes.family) == ("shop", "quotes")
    assert quotes.results == quotes.failures == []
    good, dead = shop.results
    assert {seen.outcome for seen in good.observations} == {Score.RIGHT}
    assert {seen.outcome for seen in dead.observations} == {Score.NONE}
    (failure,) = shop.failures
    assert failure.startswith("compile new1: ") and "new0.html" in failure
