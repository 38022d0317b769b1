"""`crawloop prune`, and what `status` says of kept pages."""

import json

from typer.testing import CliRunner

from crawloop_assets.cli.app import app
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from tests.cli.conftest import Say
from tests.page_bodies import put_long_ago


def test_a_dry_run_says_what_would_go_and_status_when_it_went(
    project: Project, say: Say
) -> None:
    store = Store(project.var, project.published)
    orphan = put_long_ago(store.bodies, b"orphan")
    assert "old ones forgotten: never" in CliRunner().invoke(app, ["status"]).output
    told = json.loads(say("prune", "--dry-run", "--json"))
    assert told == {"versions": 0, "bodies": 1, "dry_run": True} and store.bodies.has(
        orphan
    )
    assert "1 document(s) deleted" in say("prune") and not store.bodies.has(orphan)
    assert "old ones forgotten: 0 s ago" in CliRunner().invoke(app, ["status"]).output
