"""notify.yaml: who is told, of what, and when not."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from crawloop_assets.desk.receivers import (
    NewsKind,
    QuietHours,
    Receiver,
    load_receivers,
    notify_file,
)
from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project


@pytest.mark.parametrize(
    ("hours", "at", "quiet"),
    [
        (("22:00", "07:00"), 23, True),
        (("22:00", "07:00"), 6, True),
        (("22:00", "07:00"), 7, False),
        (("12:00", "14:00"), 13, True),
        (("12:00", "14:00"), 14, False),
    ],
)
def test_quiet_hours_may_go_over_midnight(
    hours: tuple[str, str], at: int, quiet: bool
) -> None:
    said = QuietHours.model_validate({"from": hours[0], "until": hours[1]})
    moment = datetime(2026, 11, 22, at, tzinfo=UTC)
    assert said.holds(NewsKind.DRIFT, moment) is quiet
    assert not said.holds(NewsKind.STORE, moment)


def test_quiet_hours_are_those_of_a_place() -> None:
    said = QuietHours.model_validate(
        {"from": "22:00", "until": "07:00", "zone": "Asia/Tokyo", "but": []}
    )
    assert said.holds(NewsKind.STORE, datetime(2026, 11, 22, 14, tzinfo=UTC))


def test_what_is_wrong_is_said_with_file_line_and_field(tmp_path: Path) -> None:
    project = Project.at(tmp_path)
    assert load_receivers(project).receivers == {}
    file = notify_file(project)
    file.write_text("receivers:\n  team:\n    url: slack://secret\n")
    with pytest.raises(ConfigError, match=r"notify\.yaml:3 .*url"):
        load_receivers(project)
    file.write_text("quiet: {from: '22:00', until: '7:00', zone: Mars/Base}\n")
    with pytest.raises(ConfigError, match=r"notify\.yaml:1 "):
        load_receivers(project)


def test_an_address_comes_from_the_environment_alone() -> None:
    receiver = Receiver(url_env="TEAM")
    assert receiver.address({"TEAM": " json://x/ "}) == "json://x/"
    for wrong in ({}, {"TEAM": "hooks.slack.com/x"}):
        with pytest.raises(ConfigError, match="TEAM is not set to an address") as error:
            receiver.address(wrong)
        assert "hooks.slack.com" not in str(error.value)


def test_what_is_of_no_family_is_told_to_all() -> None:
    receiver = Receiver(url_env="TEAM", families=("shop/*",))
    assert receiver.wants(NewsKind.STORE, "")
    assert receiver.wants(NewsKind.DRIFT, "shop/product")
    assert not receiver.wants(NewsKind.DRIFT, "town/good")
