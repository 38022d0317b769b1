"""The decision of the heal sensor."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from crawloop_assets.heal.novelty import Novelty
from crawloop_assets.heal.wave import MAX_ATTEMPTS, HealRecord, Plan, RedBatch, plan

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def red(
    batch: str, event: int = 1, *, in_wave: bool = False, ago: timedelta = HOUR
) -> RedBatch:
    return RedBatch(batch, event, in_wave, NOW - ago)


def test_red_batches_of_one_refresh_are_one_wave() -> None:
    found = plan("f", [red("000002", 9), red("000001", 7)], HealRecord(), 6 * HOUR, NOW)
    assert found.wave is not None
    assert found.wave.batches == ("000002", "000001")
    assert len(found.wave.id) <= 32


def test_the_same_evaluations_are_the_same_wave_and_newer_ones_another() -> None:
    def wave_id(*batches: RedBatch) -> str:
        wave = plan("f", batches, HealRecord(), HOUR, NOW).wave
        assert wave is not None
        return wave.id

    assert wave_id(red("1", 5), red("2", 6)) == wave_id(red("2", 6), red("1", 5))
    assert wave_id(red("1", 5)) != wave_id(red("1", 8))


def test_batches_judged_before_the_promotion_are_made_again_instead() -> None:
    past = HealRecord(
        promoted_at=NOW - timedelta(minutes=5), attempts=(NOW - timedelta(minutes=6),)
    )
    found = plan(
        "f",
        [red("1", in_wave=True), red("2", ago=timedelta(minutes=1))],
        past,
        HOUR,
        NOW,
    )
    assert (found.wave, found.replay) == (None, ("1",))


def test_what_was_made_again_for_a_promotion_is_not_made_again_for_ever() -> None:
    # The clock was two hours ahead when the version was promoted, and was set back since.
    past = HealRecord(promoted_at=NOW + 2 * HOUR)
    assert plan("f", [red("1")], past, HOUR, NOW).replay == ("1",)
    again = replace(red("1", 2, ago=-HOUR), since=past.since)
    found = plan("f", [again], past, HOUR, NOW)
    assert found.replay == ()
    assert found.wave is not None, "it is as red as any other"
    # The next version is another matter.
    newer = HealRecord(promoted_at=NOW + 3 * HOUR)
    assert plan("f", [again], newer, HOUR, NOW).replay == ("1",)


def test_a_failed_regeneration_is_not_repeated_before_the_cooldown() -> None:
    past = HealRecord(attempts=(NOW - HOUR,), last_failed=True)
    assert plan("f", [red("1", in_wave=True)], past, 6 * HOUR, NOW).stuck == ("1",)
    assert plan("f", [red("1")], past, 6 * HOUR, NOW).wave is None
    later = plan("f", [red("1", in_wave=True)], past, 6 * HOUR, NOW + 6 * HOUR)
    assert later.wave is not None


def test_a_clock_that_was_set_back_starts_no_cooldown_of_hours() -> None:
    ahead = HealRecord(attempts=(NOW + 2 * HOUR,), last_failed=True)
    assert plan("f", [red("1", in_wave=True)], ahead, HOUR, NOW).wave is not None
    # Clocks of two machines differ by seconds.
    near = HealRecord(attempts=(NOW + timedelta(seconds=5),), last_failed=True)
    assert plan("f", [red("1", in_wave=True)], near, HOUR, NOW).stuck == ("1",)


def test_a_second_redesign_after_a_healed_one_does_not_wait() -> None:
    past = HealRecord(promoted_at=NOW - 2 * HOUR, attempts=(NOW - 2 * HOUR,))
    assert plan("f", [red("1")], past, 6 * HOUR, NOW).wave is not None


def test_a_batch_the_new_version_does_not_read_either_is_a_new_wave() -> None:
    past = HealRecord(promoted_at=NOW - 2 * HOUR, attempts=(NOW - 2 * HOUR,))
    assert plan("f", [red("1", in_wave=True)], past, 6 * HOUR, NOW).wave is not None


def test_waves_that_do_not_turn_anything_green_come_to_an_end() -> None:
    past = HealRecord(
        attempts=tuple(NOW - timedelta(minutes=n) for n in range(1, MAX_ATTEMPTS + 1))
    )
    assert plan("f", [red("1", ago=timedelta(0))], past, HOUR, NOW).stuck == ("1",)


reds = st.lists(
    st.builds(
        RedBatch,
        st.integers(1, 30).map(str),
        st.integers(1, 99),
        st.booleans(),
        st.integers(0, 600).map(lambda minutes: NOW - timedelta(minutes=minutes)),
    ),
    unique_by=lambda one: one.batch,
)
pasts = st.builds(
    HealRecord,
    st.none()
    | st.integers(0, 600).map(lambda minutes: NOW - timedelta(minutes=minutes)),
    st.lists(
        st.integers(0, 600).map(lambda minutes: NOW - timedelta(minutes=minutes)),
        max_size=7,
    ).map(tuple),
    st.booleans(),
)


@given(reds, pasts)
def test_no_batch_is_in_two_places_and_none_is_invented(
    batches: list[RedBatch], past: HealRecord
) -> None:
    found = plan("f", batches, past, HOUR, NOW)
    named = [*(found.wave.batches if found.wave else ()), *found.replay, *found.stuck]
    assert len(named) == len(set(named))
    assert set(named) <= {one.batch for one in batches}
    assert bool(named) == bool(batches)


def test_fresh_batches_make_a_wave_and_those_of_a_failed_one_are_stuck() -> None:
    batches = [red("1", in_wave=True), red("2"), red("3", in_wave=True)]
    found = plan("f", batches, HealRecord(), HOUR, NOW)
    assert found.wave is not None and found.wave.batches == ("2",)
    assert found.stuck == ("1", "3")


def test_after_the_cooldown_batches_of_a_wave_are_tried_once_more() -> None:
    batches = [red("1", in_wave=True), red("2", in_wave=True)]
    past = HealRecord(attempts=(NOW - HOUR,), last_failed=True)
    found = plan("f", batches, past, HOUR, NOW)
    assert found.wave is not None and found.wave.batches == ("1", "2")
    recent = HealRecord(attempts=(NOW - HOUR / 2,))
    assert plan("f", batches, recent, HOUR, NOW).stuck == ("1", "2")


def test_without_red_batches_there_is_nothing_to_do() -> None:
    assert plan("f", [], HealRecord(), HOUR, NOW) == Plan()


def test_a_batch_judged_at_the_moment_of_the_promotion_is_not_outdated() -> None:
    past = HealRecord(promoted_at=NOW - HOUR)
    assert plan("f", [red("1", ago=HOUR)], past, HOUR, NOW).replay == ()
    assert plan("f", [red("1", ago=2 * HOUR)], past, HOUR, NOW).replay == ("1",)


def test_a_replay_has_an_id_of_its_own() -> None:
    past = HealRecord(promoted_at=NOW)
    first = plan("f", [red("1", 5)], past, HOUR, NOW)
    assert first.replay_id == plan("f", [red("1", 5)], past, HOUR, NOW).replay_id
    assert first.replay_id != plan("g", [red("1", 5)], past, HOUR, NOW).replay_id
    assert first.replay_id.startswith("heal") and len(first.replay_id) == 24


def test_one_attempt_less_than_the_most_still_makes_a_wave() -> None:
    attempts = tuple(NOW - timedelta(minutes=n) for n in range(1, MAX_ATTEMPTS))
    past = HealRecord(attempts=attempts)
    assert plan("f", [red("1", ago=timedelta(0))], past, HOUR, NOW).wave is not None


def test_the_same_pages_are_not_tried_again_even_after_the_cooldown() -> None:
    past = HealRecord(
        attempts=(NOW - 9 * HOUR,), last_failed=True, evidence=Novelty.SAME_PAGES
    )
    assert plan("f", [red("1", in_wave=True)], past, HOUR, NOW).stuck == ("1",)
    known = HealRecord(attempts=(NOW - 9 * HOUR,), evidence=Novelty.SAME_SIGNS)
    assert plan("f", [red("1", in_wave=True)], known, HOUR, NOW).wave is not None


def test_what_a_new_version_leaves_red_is_tried_once_more_on_the_same_pages() -> None:
    promoted = HealRecord(
        promoted_at=NOW - 2 * HOUR,
        attempts=(NOW - 2 * HOUR,),
        evidence=Novelty.SAME_PAGES,
    )
    still = red("1", ago=HOUR)
    assert plan("f", [still], promoted, 6 * HOUR, NOW).stuck == ("1",)
    assert plan("f", [still], promoted, HOUR, NOW).wave is not None
    failed = replace(promoted, last_failed=True)
    assert plan("f", [still], failed, HOUR, NOW).stuck == ("1",)


def test_another_redesign_does_not_wait_for_what_was_refused() -> None:
    refused = HealRecord(
        attempts=(NOW - HOUR,), last_failed=True, evidence=Novelty.OTHER
    )
    assert plan("f", [red("1", in_wave=True)], refused, 6 * HOUR, NOW).wave is not None
    attempts = tuple(NOW - timedelta(minutes=n) for n in range(1, MAX_ATTEMPTS + 1))
    often = HealRecord(attempts=attempts, last_failed=True, evidence=Novelty.OTHER)
    assert plan("f", [red("1")], often, 6 * HOUR, NOW).stuck == ("1",)


def test_while_a_person_is_asked_nothing_is_tried_but_what_is_outdated() -> None:
    asked = HealRecord(asked="which one?")
    batches = [red("1"), red("2", in_wave=True)]
    assert plan("f", batches, HealRecord(), HOUR, NOW).wave is not None
    assert plan("f", batches, asked, HOUR, NOW) == Plan(stuck=("1", "2"))
    gone = HealRecord(proved_gone=frozenset({"stock"}))
    assert plan("f", batches, gone, HOUR, NOW) == Plan(stuck=("1", "2"))
    taught = HealRecord(promoted_at=NOW, asked="which one?")
    assert plan("f", batches, taught, HOUR, NOW).replay == ("1", "2")
