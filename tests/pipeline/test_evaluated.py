"""Evaluations are made where Dagster finds nothing that it could keep."""

import subprocess
import sys
from pathlib import Path

import crawloop_assets.pipeline
from crawloop_assets.pipeline.evaluated import check_evaluation

_FIRST_IN_A_PROCESS = """\
import gc, weakref
import dagster as dg
from crawloop_assets.pipeline.evaluated import check_evaluation

class Batch: ...

def judged(make):
    batch = Batch()
    make(asset_key=dg.AssetKey("records"), check_name="drift", passed=True, metadata={})
    return weakref.ref(batch)

batch = judged({made_by})
gc.collect()
print(batch() is None)
"""


def _is_let_go(made_by: str) -> bool:
    """Whether what stood where the first evaluation of a process was asked for is gone
    after it."""
    code = _FIRST_IN_A_PROCESS.replace("{made_by}", made_by)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.strip() == "True"


def test_a_batch_is_let_go_once_it_has_been_judged() -> None:
    assert _is_let_go("check_evaluation")


def test_dagster_itself_would_keep_it() -> None:
    """Else the module has become needless."""
    assert not _is_let_go("dg.AssetCheckEvaluation")


def test_all_evaluations_are_made_there() -> None:
    (package,) = crawloop_assets.pipeline.__path__
    makers = [
        file.stem
        for file in Path(package).parent.rglob("*.py")
        if "AssetCheckEvaluation(" in file.read_text()
    ]
    assert makers == [check_evaluation.__module__.rpartition(".")[2]]
