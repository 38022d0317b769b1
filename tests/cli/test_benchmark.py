import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from crawloop_assets.cli.benchmark import eval_command
from crawloop_assets.eval.pack import load_pack
from crawloop_assets.eval.pool import EvalJob, evaluate, evaluate_family
from crawloop_assets.eval.report import eval_report
from crawloop_assets.eval.tasks import Input

app = typer.Typer()
app.command()(eval_command)


def run(*args: str) -> str:
    result = CliRunner().invoke(app, list(args), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_the_report_measures_compile_heal_and_listing(
    pack: Path, tmp_path: Path
) -> None:
    output = run(str(pack), "--json", str(tmp_path / "report.json"))
    tree = json.loads((tmp_path / "report.json").read_text())
    assert tree["failures"] == {}
    assert tree["compile"]["right"] == 1.0
    assert tree["compile"]["n"] == {"families": 1, "pages": 4, "fields": 8}
    assert tree["listing"]["cells_right"] == 1.0
    assert tree["listing"]["count_exact"] == 1.0
    assert tree["heal"]["do_nothing"]["right"] < 1.0
    assert tree["heal"]["n"]["fields"] == 6
    assert tree["heal"]["n"]["broken_fields"] == 6, (
        "the redesign moved both fields of all three pages"
    )
    assert tree["heal"]["broken_do_nothing"] < tree["heal"]["broken_recovered"] == 1.0
    assert tree["drift"]["recall"] == 1.0
    assert tree["drift"]["n"]["broken_pages"] == 3
    assert set(tree["by_schema"]) == {"Product", "Quote"}
    assert tree["speed"]["parse_ms"]["n"] > 0
    assert "listing" in output


def test_every_field_that_is_not_right_is_written_for_reading(
    pack: Path, tmp_path: Path
) -> None:
    index = json.loads((pack / "index.json").read_text())
    told = next(page for page in index["families"][0]["pages"] if page["id"] == "old2")
    told["records"][0]["brand"] = "Nobody"
    (pack / "index.json").write_text(json.dumps(index))
    run(str(pack), "--task", "compile", "--errors", str(tmp_path / "errors.jsonl"))
    errors = [
        json.loads(line)
        for line in (tmp_path / "errors.jsonl").read_text().splitlines()
    ]
    assert {
        (one["page"], one["field"], one["expected"], one["got"]) for one in errors
    } == {("old2", "brand", "Nobody", "Crux")}
    assert {"family", "reader", "agreement"} <= set(errors[0])


def test_two_runs_and_any_number_of_jobs_give_the_same_figures(pack: Path) -> None:
    jobs = [EvalJob(pack, family, Input.AS_IS) for family in load_pack(pack)]

    def figures(workers: int) -> dict[str, object]:
        tree = eval_report(evaluate(jobs, workers, lambda _: None))
        drop_times(tree)
        return tree

    assert figures(1) == figures(2)


def drop_times(tree: dict[str, object]) -> None:
    tree.pop("speed", None)
    for part in tree.values():
        if isinstance(part, dict):
            drop_times(part)


def test_a_family_that_runs_out_of_time_is_named_and_counted_as_none(
    pack: Path,
) -> None:
    family = next(one for one in load_pack(pack) if one.family == "shop")
    result = evaluate_family(EvalJob(pack, family, Input.AS_IS, cpu_seconds=0))
    tree = eval_report([result])
    assert "timeout" in tree["failures"]["shop"][0]
    assert tree["failed_families"] == 1
    assert tree["compile"]["none"] == 1.0
    assert tree["compile"]["n"]["fields"] == 8
    assert tree["heal"]["policy"]["none"] == 1.0


def test_a_family_that_crashes_costs_only_the_cases_that_did(pack: Path) -> None:
    (pack / "old0.html").unlink()
    family = next(one for one in load_pack(pack) if one.family == "shop")
    tree = eval_report([evaluate_family(EvalJob(pack, family, Input.AS_IS))])
    assert "FileNotFoundError" in tree["failures"]["shop"][0]
    assert 0 < tree["compile"]["right"] < 1


def test_choosing_nothing_is_an_error(pack: Path) -> None:
    with pytest.raises(Exception, match="no family"):
        run(str(pack), "--families", "nowhere")


def test_a_family_of_an_unknown_schema_is_named_and_the_rest_still_runs(
    pack: Path,
) -> None:
    index = json.loads((pack / "index.json").read_text())
    index["families"][0]["schema"] = "Spaceship"
    (pack / "index.json").write_text(json.dumps(index))
    tree = eval_report(
        evaluate(
            [EvalJob(pack, family, Input.AS_IS) for family in load_pack(pack)],
            1,
            lambda _: None,
        )
    )
    assert "no model for schema 'Spaceship'" in tree["failures"]["shop"][0]
    assert tree["listing"]["cells_right"] == 1.0


def test_only_the_named_groups_are_run(pack: Path, tmp_path: Path) -> None:
    run(str(pack), "--task", "compile", "--json", str(tmp_path / "report.json"))
    tree = json.loads((tmp_path / "report.json").read_text())
    assert tree["compile"]["right"] == 1.0
    assert tree["heal"]["n"]["fields"] == tree["listing"]["n"]["fields"] == 0


def test_drift_is_measured_with_the_past_of_a_daily_refresh(
    pack: Path, tmp_path: Path
) -> None:
    index = json.loads((pack / "index.json").read_text())
    old = [page for page in index["families"][0]["pages"] if page["layout"] == "a"]
    pairs = [[old[0]["id"], page["id"]] for page in old[1:]]
    index["families"].append(
        {
            **index["families"][0],
            "family": "still",
            "pages": old,
            "redesigns": [],
            "unchanged": pairs,
        }
    )
    (pack / "index.json").write_text(json.dumps(index))
    run(str(pack), "--task", "drift", "--json", str(tmp_path / "report.json"))
    drift = json.loads((tmp_path / "report.json").read_text())["drift"]
    assert drift["recall"] == 1.0
    assert drift["silent_recall"] is None, (
        "the old program reads nothing of the new layout"
    )
    assert drift["false_alarms"] == 0.0
    assert drift["lost_refused"] == 1.0
    sizes = {
        name: drift["n"][name]
        for name in (
            "broken_pages",
            "silent_pages",
            "unchanged_right_pages",
            "lost_pages",
        )
    }
    assert sizes == {
        "broken_pages": 3,
        "silent_pages": 0,
        "unchanged_right_pages": 2,
        "lost_pages": 5,
    }


def test_a_value_that_is_silently_another_one_after_a_redesign_is_noticed(
    pack: Path, tmp_path: Path
) -> None:
    """The layout is new and the old reader still finds something: the price of a delivery."""
    index = json.loads((pack / "index.json").read_text())
    for page in index["families"][0]["pages"]:
        if page["layout"] == "b":
            file = pack / page["file"]
            file.write_text(
                file.read_text().replace(
                    "<main>",
                    "<div class='product'><span class='price'>$4.90</span></div><main>",
                )
            )
    (pack / "index.json").write_text(json.dumps(index))
    run(
        str(pack),
        "--task",
        "drift",
        "--json",
        str(tmp_path / "report.json"),
        "--errors",
        str(tmp_path / "errors.jsonl"),
    )
    drift = json.loads((tmp_path / "report.json").read_text())["drift"]
    assert (drift["n"]["silent_pages"], drift["silent_recall"]) == (3, 1.0)
    assert "missed" not in (tmp_path / "errors.jsonl").read_text()


def test_an_entry_of_the_trust_table_is_measured_with_another_value(
    pack: Path, tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    change = "boundary.least_hit=9"
    run(str(pack), "--task", "listing", "--vary", change, "--json", str(report))
    tree = json.loads(report.read_text())
    assert tree["vary"] == [change]
    assert tree["listing"]["cells_right"] == 0.0, "no selector hits all records"
