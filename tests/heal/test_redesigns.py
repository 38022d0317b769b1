"""Redesigns of a small shop, lived through day by day: each ends green, or with one question that a person answers."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawloop_assets.heal.past import heal_record
from tests.heal.redesign_kinds import REDESIGNS, Shown
from tests.heal.redesign_lives import Ending, Lives, ending_of
from tests.heal.redesign_pages import Design, Naming
from tests.heal.redesign_run import Life
from tests.heal.redesign_shop import Wares
from tests.heal.redesign_site import WareSite

DAYS = 3


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lives]:
    yield Lives(tmp_path_factory.mktemp("lives"))


def after(lives: Lives, shown: Shown, name: str) -> Life:
    """A family some days after a redesign, in which nothing untrue was published and nothing known emptied."""
    life = lives.after(shown, False, REDESIGNS[name], DAYS)
    assert (life.judge.wrong, life.judge.emptied) == ({}, {})
    return life


@pytest.mark.parametrize(
    ("shown", "name"),
    [
        (Shown.DETAIL, "definition_list"),
        pytest.param(Shown.DETAIL, "stock_sentence", marks=pytest.mark.long),
        # A label that few pages have goes not before a place that all have.
        pytest.param(Shown.DETAIL, "bare", marks=pytest.mark.long),
        (Shown.LISTING, "cards_relabelled"),
        pytest.param(Shown.JSON, "keys_renamed", marks=pytest.mark.long),
        (Shown.JSON, "stock_null_a_day"),
        # What a wave proved gone, the next refresh says again.
        pytest.param(Shown.JSON, "optional_gone", marks=pytest.mark.long),
        (Shown.DETAIL, "optional_gone"),
        pytest.param(Shown.DETAIL, "optional_gone_a_day", marks=pytest.mark.long),
        pytest.param(Shown.LISTING, "optional_gone_redesigned", marks=pytest.mark.long),
        (Shown.LISTING, "in_cents"),
        pytest.param(Shown.JSON, "in_cents_redesigned", marks=pytest.mark.long),
    ],
)
def test_a_redesign_is_healed_by_no_more_waves_than_it_needs(
    lives: Lives, shown: Shown, name: str
) -> None:
    life = after(lives, shown, name)
    assert ending_of(REDESIGNS[name], life) is Ending.GREEN, life.checks
    assert life.waves <= REDESIGNS[name].waves
    assert not any(day.is_red for day in life.days[1:])


def test_what_was_proved_gone_is_no_reason_not_to_heal_anything_else(
    lives: Lives, monkeypatch: pytest.MonkeyPatch
) -> None:
    life = lives.after(Shown.JSON, False, REDESIGNS["optional_gone"], 1)
    family, store = life.family.family, life.store

    def gone() -> frozenset[str]:
        return heal_record(store, life.family, timedelta(0)).proved_gone

    assert life.red and gone() == {"material"}
    (version,) = [one for one in store.crawlers(family) if one.status == "active"]
    # The pages are of another refresh, or of who knows which, as the clock was set back.
    for at in (
        datetime(2026, 1, 1, tzinfo=UTC),
        datetime.now(UTC) + timedelta(hours=1),
    ):
        moved = replace(version, promoted_at=at)
        with monkeypatch.context() as patch:
            patch.setattr(store, "active", lambda _, moved=moved: moved)
            assert gone() == frozenset()
    (red,) = store.past.red(family)
    for other in (
        red._replace(fields=("material", "price")),
        red._replace(others=True),
    ):
        monkeypatch.setattr(store.past, "red", lambda _, all_=(other,): all_)
        assert gone() == frozenset(), other


def test_what_a_version_of_a_list_never_read_is_kept_and_asked_for(
    lives: Lives,
) -> None:
    life = after(lives, Shown.LISTING, "price_rise_redesigned")
    last = life.days[-1]
    assert not last.is_red and last.right == last.rows
    (was,) = life.person.said
    assert "`was` is on no page" in was


def test_a_label_that_means_another_price_is_healed_by_what_is_known(
    lives: Lives,
) -> None:
    """What is known stands behind another label, on all pages that still show it."""
    life = after(lives, Shown.DETAIL, "meaning_changed")
    assert ending_of(REDESIGNS["meaning_changed"], life) is Ending.GREEN, life.checks
    assert life.questions == 0 and life.judge.wrong == {}


def test_a_key_that_means_another_price_is_one_question(lives: Lives) -> None:
    life = after(lives, Shown.JSON, "meaning_changed")
    assert ending_of(REDESIGNS["meaning_changed"], life) is Ending.ASKED, life.checks
    (said,) = life.person.said
    assert "`price`" in said and "taught price" in said


def test_what_nobody_answers_stays_red_and_is_never_believed(lives: Lives) -> None:
    life = lives.after(Shown.JSON, False, REDESIGNS["meaning_changed"], 0)
    life.person.is_away = True
    for _ in range(5):
        life.live()
    assert life.judge.wrong == {}
    assert all(day.is_red for day in life.days)
    assert life.questions == 1


@pytest.mark.parametrize(
    ("shown", "waves"),
    [
        pytest.param(Shown.DETAIL, 0, marks=pytest.mark.long),
        pytest.param(Shown.LISTING, 1, marks=pytest.mark.long),
        pytest.param(Shown.ROWS, 0, marks=pytest.mark.long),
    ],
)
def test_names_of_a_build_that_changes_every_day_are_healed_once(
    tmp_path: Path, shown: Shown, waves: int
) -> None:
    site = WareSite(shown, False, Wares(24), design=_built_daily, day=0)
    life = Life(site, tmp_path / "life")
    life.begin()
    for _ in range(10):
        life.live()
    assert (life.judge.wrong, life.judge.emptied, life.questions) == ({}, {}, 0)
    assert life.waves == waves
    assert not any(day.is_red for day in life.days)
    assert life.days[-1].right >= 0.85 * life.days[-1].rows


def _built_daily(design: Design, day: int, at: int) -> Design:
    return replace(design, naming=Naming.BUILT, build=day)


@pytest.mark.long
def test_an_api_that_said_nothing_of_a_field_for_a_day_is_read_whole_the_day_after(
    tmp_path: Path,
) -> None:
    life = Life(WareSite(Shown.JSON, False, Wares(80)), tmp_path / "life")
    life.begin()
    life.site.design = REDESIGNS["stock_null_a_day"].change
    life.person.is_away = True
    life.live()
    life.live()
    assert (life.judge.wrong, life.judge.emptied) == ({}, {})
    assert (life.days[-1].right, life.days[-1].rows) == (80, 80)
    assert not life.days[-1].is_red
    (seen,) = life.store.families.overviews([life.site.family])
    assert seen.stale == 0
    assert life.store.questions.waiting(life.site.family.family) == []
