"""`crawloop quarantine` and `crawloop suspects`, on a real store."""

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from crawloop_assets.store import BatchCommit, HeldPage, HeldReason, HeldState, Store
from tests.cli.conftest import PRODUCT, Say

URL = "http://shop.test/product/lamp-1001"


@pytest.fixture
def held(project: Project) -> str:
    """The id of a page that was held back."""
    store = Store(project.var, project.published)
    page = HeldPage(
        url=URL,
        page_sha256=store.bodies.put(b"<h1>Lamp</h1>"),
        version=2,
        reasons=[
            HeldReason(check="history", field="price", message="100 times what it was")
        ],
        values=[
            {"title": "Lamp", "price": "9900.00", "sku": "LA-1", "url": URL, "stock": 3}
        ],
        votes=[{"price": {"live_readers": 2, "readers": 3, "agreement": 0.75}}],
    )
    commit = BatchCommit(
        family=project.family(PRODUCT), batch="000001", run_id="run-1", held=[page]
    )
    store.commit_batch(commit)
    (entry,) = store.quarantine(PRODUCT, HeldState.HELD)
    return entry.id


def test_a_new_project_holds_nothing(project: Project, say: Say) -> None:
    assert PRODUCT not in say("quarantine", "list")
    assert PRODUCT not in say("suspects")
    assert "lamp" not in say("suspects", PRODUCT)


def test_a_held_page_is_listed_and_shown_with_reasons_values_and_votes(
    held: str, say: Say
) -> None:
    line = next(line for line in say("quarantine", "list").splitlines() if held in line)
    assert URL in line and "100 times what it was" in line
    shown = say("quarantine", "show", held)
    assert "v2 in run run-1" in shown
    assert "price 100 times what it was" in shown
    assert "stored as" in shown
    assert "2 of 3 readers, 75% agree" in shown
    assert "9900.00" in shown and "3" in shown


def test_a_rejected_page_is_listed_with_the_decided_only(held: str, say: Say) -> None:
    assert "rejected 1 page(s)" in say(
        "quarantine", "reject", PRODUCT, held, "--who", "ada", "--why", "wrong price"
    )
    assert held not in say("quarantine", "list")
    assert held in say("quarantine", "list", "--decided")
    assert "by ada" in say("quarantine", "show", held)
    assert "wrong price" in say("audit", PRODUCT)


def test_an_unknown_id_says_where_to_look(held: str, say: Say) -> None:
    with pytest.raises(ConfigError, match="crawloop quarantine list --decided"):
        say("quarantine", "show", "nothing")
