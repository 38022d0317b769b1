"""The cases of a small shop and a small listing, run in this process."""

from pathlib import Path

import pytest

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.eval.pack import load_pack
from crawloop_assets.eval.plan import EXAMPLES, Case, cases, units
from crawloop_assets.eval.run import Bench
from crawloop_assets.eval.score import Score
from crawloop_assets.eval.tasks import Input, Task


def bench(pack: Path, name: str) -> Bench:
    (family,) = [family for family in load_pack(pack) if family.family == name]
    return Bench(pack, units(family)[0], Input.AS_IS)


def case(bench: Bench, task: Task) -> Case:
    return next(case for case in cases(bench.unit) if case.task is task)


@pytest.fixture
def shop(pack: Path) -> Bench:
    return bench(pack, "shop")


def test_a_program_is_scored_on_pages_it_did_not_learn_from(shop: Bench) -> None:
    result = shop.run(case(shop, Task.COMPILE))
    assert {(seen.page, seen.field) for seen in result.observations} == {
        (page, field) for page in ("old1", "old2") for field in ("price", "brand")
    }
    assert {seen.outcome for seen in result.observations} == {Score.RIGHT}
    assert {seen.task for seen in result.observations} == {Task.COMPILE}
    first = result.observations[0]
    assert (first.expected, first.got, first.grounded) == ("31.00", "31.00", True)
    assert first.reader and first.live_readers >= 1


def test_times_are_of_this_process_and_one_per_page(shop: Bench) -> None:
    result = shop.run(case(shop, Task.COMPILE))
    assert len(result.times["induce_ms"]) == 1
    assert len(result.times["parse_ms"]) == len(result.times["extract_ms"]) == 2
    again = shop.run(case(shop, Task.COMPILE))
    assert again.times == {}
    assert again.observations == result.observations


def test_healing_remembers_what_the_old_program_gave(shop: Bench) -> None:
    result = shop.run(case(shop, Task.HEAL))
    assert {seen.page for seen in result.observations} == {"new0"}
    assert all(seen.broken for seen in result.observations)
    assert Score.RIGHT not in {seen.before for seen in result.observations}
    assert {seen.outcome for seen in result.observations} == {Score.RIGHT}
    assert not any(seen.abstained for seen in result.observations)
    assert len(result.times["heal_ms"]) == 1


def test_a_redesign_raises_the_alarm_and_lost_pages_are_refused(shop: Bench) -> None:
    result = shop.run(case(shop, Task.DRIFT))
    assert [alarm.page for alarm in result.alarms] == ["new0", "new1", "new2"]
    assert all(alarm.broken and alarm.raised for alarm in result.alarms)
    assert not any(alarm.unchanged or alarm.right for alarm in result.alarms)
    assert all(refusal.refused for refusal in result.refusals)
    assert result.observations == []


def test_a_listing_is_scored_without_its_examples(pack: Path) -> None:
    quotes = bench(pack, "quotes")
    result = quotes.run(case(quotes, Task.LISTING))
    assert {seen.row for seen in result.observations} == set(range(EXAMPLES, 8))
    (count,) = result.counts
    assert (count.found, count.held) == (8, 8)
    assert quotes.kind is FamilyKind.LISTING


def test_without_examples_a_program_may_still_be_made(shop: Bench) -> None:
    result = shop.run(case(shop, Task.ZERO_EXAMPLES))
    assert {seen.page for seen in result.observations} == {"old0", "old1", "old2"}
    assert result.counts == []


@pytest.mark.parametrize("task", [Task.COMPILE, Task.HEAL])
def test_a_dead_case_has_the_fields_of_a_living_one(shop: Bench, task: Task) -> None:
    dead, living = shop.missing(case(shop, task)), shop.run(case(shop, task))
    places = [(seen.page, seen.row, seen.field) for seen in dead.observations]
    assert places == [(seen.page, seen.row, seen.field) for seen in living.observations]
    assert {seen.outcome for seen in dead.observations} == {Score.NONE}
    assert [seen.expected for seen in dead.observations] == [
        seen.expected for seen in living.observations
    ]
    healing = task is Task.HEAL
    assert {seen.before for seen in dead.observations} == {
        Score.NONE if healing else None
    }
    assert {seen.broken for seen in dead.observations} == {healing}


def test_a_dead_listing_counts_no_records(pack: Path) -> None:
    quotes = bench(pack, "quotes")
    result = quotes.missing(case(quotes, Task.LISTING))
    assert {seen.row for seen in result.observations} == set(range(EXAMPLES, 8))
    assert [(count.found, count.held) for count in result.counts] == [(-1, 8)]


def test_a_dead_drift_case_missed_every_page(shop: Bench) -> None:
    result = shop.missing(case(shop, Task.DRIFT))
    assert [alarm.page for alarm in result.alarms] == ["new0", "new1", "new2"]
    assert all(alarm.broken and not alarm.raised for alarm in result.alarms)
    assert result.observations == []
