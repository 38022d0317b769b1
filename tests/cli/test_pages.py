"""`crawloop pages`."""

import json

from crawloop_assets.project import Project
from crawloop_assets.store import Store
from crawloop_assets.store.bodies import FolderBodies
from tests.cli.conftest import Say
from tests.page_bodies import damage


def test_it_says_what_is_whole_and_takes_pages_in(project: Project, say: Say) -> None:
    store = Store(project.var, project.published)
    page, bad = store.bodies.put(b"page"), store.bodies.put(b"bad")
    damage(store.bodies, bad)
    other = FolderBodies(project.var / "other")
    taken = other.put(b"taken")
    told = json.loads(say("pages", "--take", str(other.folder), "--json"))
    assert told == {"whole": 2, "damaged": 1, "taken": 1}
    assert store.bodies.present([page, bad, taken]) == {page, taken}
    assert "2 page(s) are whole, 0 were damaged" in say("pages")
