"""What an import may cost: heavy libraries are loaded where they are used, not before."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("dagster", "duckdb", "httpx", "litellm", "playwright")
NOT_FOR_HELP = (*HEAVY, "pydantic", "lxml", "yaml", "crawloop_assets.family")


def loaded_by(code: str, heavy: tuple[str, ...] = HEAVY) -> set[str]:
    """Which heavy libraries a new interpreter has loaded after running `code`."""
    script = f"{code}\nimport sys, json; print(json.dumps([m for m in {heavy!r} if m in sys.modules]))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "code",
    [
        "import crawloop_assets",
        "from crawloop_assets import Page, compile_crawler, extract, heal_crawler",
        "import crawloop_assets.sandbox.worker",
        "import crawloop_assets.cli.app",
    ],
)
def test_the_library_the_workers_and_the_command_load_no_engine_and_no_network(
    code: str,
) -> None:
    assert loaded_by(code) == set()


NOT_FOR_DEFINITIONS = (
    *("litellm", "playwright", "aiohttp", "httpx", "alembic", "rich", "pygments"),
    *("crawloop_assets.induce.locate", "crawloop_assets.induce.detail"),
    *("crawloop_assets.heal.regenerate", "crawloop_assets.scout.survey"),
    *("crawloop_assets.access.fetcher", "crawloop_assets.serve.batch"),
    "crawloop_assets.desk.acts",
)
NOT_FOR_A_REFRESH = (
    *("litellm", "playwright", "alembic", "httpx", "rich", "pygments"),
    *("crawloop_assets.induce.locate", "crawloop_assets.induce.detail"),
    *("crawloop_assets.heal.regenerate", "crawloop_assets.scout.survey"),
)


def test_definitions_load_nothing_that_only_a_run_needs() -> None:
    code = "import crawloop_assets.definitions"
    assert loaded_by(code, NOT_FOR_DEFINITIONS) == set()


def test_a_refresh_loads_nothing_of_how_crawlers_are_made() -> None:
    code = (
        "import crawloop_assets.definitions, crawloop_assets.serve.stream, "
        "crawloop_assets.access.fetcher, crawloop_assets.report.wave"
    )
    assert loaded_by(code, NOT_FOR_A_REFRESH) == set()


def test_nothing_listens_to_every_event_of_the_interpreter() -> None:
    """Such a listener makes `id()` cost ten times as much, and a deep copy twice."""
    code = (
        "import sys; sys.addaudithook = None\n"
        "import crawloop_assets.definitions, crawloop_assets.serve.stream, "
        "crawloop_assets.access.fetcher, crawloop_assets.report.wave"
    )
    assert "dagster" in loaded_by(code)


def test_how_many_modules_a_start_loads() -> None:
    """Each is a part of a millisecond: 2,085 before, 1,503 now."""
    code = "import crawloop_assets.definitions, sys; assert len(sys.modules) < 1_560"
    assert loaded_by(code) == {"dagster", "duckdb"}


def test_a_command_that_only_says_what_would_go_loads_no_dagster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    code = "from crawloop_assets.cli.prune import prune_command; prune_command(dry_run=True)"
    assert "dagster" not in loaded_by(code)


def test_the_command_line_answers_before_anything_is_loaded() -> None:
    assert loaded_by("import crawloop_assets.cli.app", NOT_FOR_HELP) == set()


def test_a_test_of_numbers_loads_no_dagster() -> None:
    collected = (
        "import pytest\n"
        "pytest.main(['--collect-only', '-q', '-p', 'no:cacheprovider', 'tests/values'])"
    )
    assert "dagster" not in loaded_by(collected)
