"""The fuzzer finds what is planted, and the parsers hold for as long as CI has."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bench.fuzz import Engine, TooCostly, Watch, fuzz, main
from bench.fuzz_inputs import changed
from bench.fuzz_law import MOST_BYTES, Target
from bench.fuzz_targets import TARGETS

PLANTED = "tests.bench.planted"


def test_a_planted_bug_is_found_and_its_input_saved_shrunken(tmp_path: Path) -> None:
    (found,) = fuzz(
        ["bug"], 3, keep=tmp_path, targets=PLANTED, engine=Engine.HYPOTHESIS
    )
    assert found.finding.startswith("ZeroDivisionError in planted.py:")
    assert Path(found.saved).read_bytes() == b"null"


def test_what_costs_too_much_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spin(data: bytes) -> None:
        sum(range(2_000_000))

    monkeypatch.setattr("bench.fuzz.MOST_SECONDS", 0.001)
    watch = Watch(spin, tmp_path)
    with pytest.raises(TooCostly, match="s of work"):
        watch.attempt(b"x")
    assert (tmp_path / "now").read_bytes() == watch.failing == b"x"
    assert "TooCostly" in watch.outcome.finding


def test_where_nothing_is_found_the_inputs_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--seconds", "0.3", "--engine", "hypothesis", "--targets", PLANTED]
    assert main([*options, "--target", "fine", "--keep", str(tmp_path)]) == 0
    engine, _, row = capsys.readouterr().out.splitlines()
    assert engine == "engine: hypothesis, seed 1"
    assert row.split()[0] == "fine"
    assert int(row.split()[1].replace(",", "")) > 5
    assert row.endswith(" -")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", TARGETS)
def test_a_parser_holds_its_law(name: str) -> None:
    target: Target = TARGETS[name]
    tried = 0
    for seed in target.seeds:
        target.check(seed)

    @settings(
        max_examples=15,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(changed(target.seeds, MOST_BYTES))
    def holds(data: bytes) -> None:
        nonlocal tried
        target.check(data)
        tried += 1

    holds()
    assert tried >= 15, "a law holds of what was tried"


@given(changed([b"abc"], 50), st.just(50))
def test_no_input_is_longer_than_said(data: bytes, most: int) -> None:
    assert len(data) <= most
