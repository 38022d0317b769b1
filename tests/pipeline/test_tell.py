"""The sensor that tells people: nothing without a file, everything once with one, and trouble with the store too."""

from typing import Any

import dagster as dg
import pytest

from crawloop_assets.errors import CommitsLost
from crawloop_assets.pipeline.tell import build_tell
from crawloop_assets.resources import StoreResource
from crawloop_assets.store import AuditKind
from tests.desk.conftest import NAME, Office, office, waiting
from tests.heal.town import GOODS

__all__ = ["office", "waiting"]

FILE = "receivers: {team: {url_env: TO_TEAM}}\n"


@pytest.fixture
def posted(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str, str]]:
    """What was sent: address, title, text."""
    sent: list[tuple[str, str, str]] = []
    monkeypatch.setenv("TO_TEAM", "json://team.test/")
    monkeypatch.setattr(
        "crawloop_assets.desk.telling.send_by_apprise",
        lambda *message: sent.append(message),
    )
    return sent


def tick() -> str:
    """What one look says."""
    with dg.DagsterInstance.ephemeral() as instance:
        context = dg.build_sensor_context(
            instance=instance, resources={"store": StoreResource()}
        )
        (sensor,) = build_tell([GOODS])
        found: Any = sensor.evaluate_tick(context)
    assert not found.run_requests
    return str(found.skip_message)


def test_nothing_is_told_without_a_file_and_everything_once_with_one(
    office: Office, posted: list[tuple[str, str, str]]
) -> None:
    assert "there is no notify.yaml" in tick()
    (office.project.root / "notify.yaml").write_text(FILE)
    assert tick() == "nothing new to tell", "what was before is no news"
    run = office.store.quarantine(NAME)[0].run_id
    detail = {"wave": "heal9", "batches": {"000001": run}}
    office.store.audit(AuditKind.WAVE_STARTED, NAME, None, detail)
    assert tick() == "team: drift: town/good"
    assert tick() == "nothing new to tell"
    ((address, title, text),) = posted
    assert (address, title) == ("json://team.test/", "drift: town/good")
    assert "crawloop inbox town/good" in text


def test_a_store_that_cannot_be_used_is_told_without_it(
    office: Office,
    posted: list[tuple[str, str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lost(_: object) -> None:
        raise CommitsLost("commit 7 is lost; `crawloop restore` rebuilds it")

    (office.project.root / "notify.yaml").write_text(FILE)
    monkeypatch.setattr(StoreResource, "open", lost)
    assert tick() == "team: trouble with the store: the project"
    assert tick() == "nothing new to tell"
    assert "commit 7 is lost; 'crawloop restore' rebuilds it" in posted[0][2]


def test_a_file_that_is_wrong_is_said_where_the_sensor_is_looked_at(
    office: Office,
) -> None:
    (office.project.root / "notify.yaml").write_text("receivers: {team: {}}\n")
    assert "notify.yaml:1" in tick()
