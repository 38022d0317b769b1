"""The program that takes runs from a broker; what it does with them: tests/e2e/test_celery.py."""

import os
import subprocess
import sys
from pathlib import Path

from crawloop_assets.starter import shipped


def test_it_says_what_is_missing_where_no_broker_is_named(tmp_path: Path) -> None:
    (tmp_path / "dagster.yaml").write_text(shipped("dagster.yaml").read_text())
    home = {"DAGSTER_HOME": str(tmp_path), "CRAWLOOP_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "crawloop_assets.pipeline.worker", "1"],
        cwd=tmp_path,
        env=os.environ | home,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "take deploy/dagster-workers.yaml" in done.stderr
    assert "Traceback" not in done.stderr
