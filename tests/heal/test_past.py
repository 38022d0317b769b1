"""What the audit log says of a family's healing."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crawloop_assets.family import FamilyExample
from crawloop_assets.heal.novelty import HealEvidence, Novelty, declaration
from crawloop_assets.heal.past import heal_record, next_wave
from crawloop_assets.heal.wave import HealRecord
from crawloop_assets.store import (
    AuditKind,
    NewCrawler,
    NewQuestion,
    QuestionKind,
    QuestionState,
    Store,
)
from tests.heal.clock import Clock
from tests.heal.town import GOODS

HOUR = timedelta(hours=1)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "var", tmp_path / "crawloop.duckdb")


def note(store: Store, kind: AuditKind, **detail: str) -> None:
    store.audit(kind, GOODS.family, "run-1", {"wave": "w", **detail})


def failed(store: Store) -> bool:
    return heal_record(store, GOODS, HOUR).last_failed


def test_a_family_that_was_never_healed_has_no_past(store: Store) -> None:
    past = heal_record(store, GOODS, HOUR)
    assert (past.promoted_at, past.attempts, past.last_failed) == (None, (), False)


def test_attempts_within_the_cooldown_are_counted(store: Store) -> None:
    for kind in (AuditKind.HEAL_STARTED, AuditKind.HEAL_FAILED, AuditKind.HEAL_STARTED):
        note(store, kind)
    past = heal_record(store, GOODS, HOUR)
    assert len(past.attempts) == 2
    assert past.attempts[0] <= past.attempts[1] <= datetime.now(UTC)
    assert heal_record(store, GOODS, -HOUR).attempts == ()


def test_what_was_begun_outside_of_waves_is_no_attempt(store: Store) -> None:
    """A first version is tried with each look for urls, and by people: a wave that comes
    later had none of those attempts."""
    for _ in range(5):
        store.audit(AuditKind.HEAL_STARTED, GOODS.family, "run-1", {"wave": None})
    note(store, AuditKind.HEAL_STARTED)
    assert len(heal_record(store, GOODS, HOUR).attempts) == 1


def test_what_began_before_the_clock_was_set_back_is_over(store: Store) -> None:
    clock = Clock()
    with clock.running():
        note(store, AuditKind.HEAL_STARTED)
        clock.go_on(-2 * HOUR)
        assert heal_record(store, GOODS, HOUR).attempts == ()
        assert len(heal_record(store, GOODS, 3 * HOUR).attempts) == 1


@pytest.mark.parametrize(
    ("evidence", "hours", "says"),
    [
        (Novelty.SAME_PAGES, (3,), "once a refresh brings other pages"),
        (Novelty.SAME_SIGNS, (), "with the next tick of the heal sensor"),
        (
            Novelty.SAME_SIGNS,
            (1, 3, 2),
            "after 2026-11-21 09:00 UTC (heal.cooldown), or",
        ),
    ],
)
def test_who_waits_for_a_wave_is_told_when_it_begins(
    evidence: Novelty, hours: tuple[int, ...], says: str
) -> None:
    attempts = tuple(datetime(2026, 11, 21, hour, tzinfo=UTC) for hour in hours)
    past = HealRecord(attempts=attempts, evidence=evidence)
    assert says in next_wave(past, 6 * HOUR)


def test_the_last_end_says_whether_it_failed(store: Store) -> None:
    assert not failed(store)
    note(store, AuditKind.HEAL_FAILED)
    assert failed(store)
    note(store, AuditKind.HEAL_FINISHED, outcome="promoted")
    assert not failed(store)
    note(store, AuditKind.HEAL_STARTED)
    assert not failed(store)
    note(store, AuditKind.HEAL_FINISHED, outcome="awaiting_review")
    assert failed(store), "it serves nothing until somebody promotes it"


def test_a_version_that_was_approved_has_not_failed(store: Store) -> None:
    version = store.add_crawler(NewCrawler(family=GOODS.family, body="any"))
    other = store.add_crawler(NewCrawler(family=GOODS.family, body="other"))
    end = {"wave": None, "outcome": "awaiting_review", "version": version}
    store.audit(AuditKind.HEAL_FINISHED, GOODS.family, "run-1", end)
    assert failed(store)
    store.promote(GOODS.family, other, why="a test")
    assert failed(store), "another one serves"
    store.promote(GOODS.family, version, why="a person looked")
    assert not failed(store)


def test_what_made_nothing_outside_of_a_wave_keeps_no_wave_from_asking(
    store: Store,
) -> None:
    note(store, AuditKind.HEAL_FAILED, wave="")
    assert not failed(store)
    note(store, AuditKind.HEAL_FAILED)
    note(store, AuditKind.HEAL_FAILED, wave="")
    assert failed(store), "what a wave ended in stays"
    note(store, AuditKind.HEAL_FINISHED, wave="", outcome="promoted")
    assert not failed(store)


def test_what_stood_against_the_last_one_is_known_until_another_ends(
    store: Store,
) -> None:
    why = {"wave": "", "why": ["stock: nothing reads it"]}
    store.audit(AuditKind.HEAL_FAILED, GOODS.family, "run-1", why)
    past = heal_record(store, GOODS, HOUR)
    assert past.against == ("stock: nothing reads it",)
    note(store, AuditKind.HEAL_FINISHED, outcome="promoted")
    assert heal_record(store, GOODS, HOUR).against == ()


def test_what_was_made_of_another_file_decides_nothing_of_this_one(
    store: Store,
) -> None:
    declared = declaration(GOODS)
    tried = HealEvidence.of(store, GOODS.family, declared)
    store.audit(
        AuditKind.HEAL_STARTED, GOODS.family, "run-1", {"wave": "w", **tried.detail}
    )
    note(store, AuditKind.HEAL_FAILED)
    assert heal_record(store, GOODS, HOUR).evidence is Novelty.SAME_PAGES
    example = FamilyExample.model_validate(
        {"url": "http://town.test/p/1", "record": {"title": "Walnut lamp"}}
    )
    corrected = GOODS.model_copy(update={"examples": (*GOODS.examples, example)})
    assert heal_record(store, corrected, HOUR).evidence is Novelty.OTHER


def test_a_version_of_another_file_that_waits_keeps_no_wave_from_this_one(
    store: Store,
) -> None:
    """A person adds examples to a first version that nobody has let through."""
    made_of = HealEvidence.of(store, GOODS.family, declaration(GOODS))
    store.audit(AuditKind.HEAL_STARTED, GOODS.family, "run-1", made_of.detail)
    note(store, AuditKind.HEAL_FINISHED, wave="", outcome="awaiting_review")
    assert heal_record(store, GOODS, HOUR).last_failed
    corrected = GOODS.model_copy(update={"key": ("title",)})
    assert not heal_record(store, corrected, HOUR).last_failed


def test_other_families_are_another_matter(store: Store) -> None:
    store.audit(AuditKind.HEAL_FAILED, "town/other", "run-1", {"wave": "w"})
    assert not failed(store)


def test_the_promotion_is_that_of_the_active_version(store: Store) -> None:
    version = store.add_crawler(NewCrawler(family=GOODS.family, body="any"))
    store.promote(GOODS.family, version, why="a test")
    active = store.active(GOODS.family)
    assert active is not None and active.promoted_at is not None
    assert heal_record(store, GOODS, HOUR).promoted_at == active.promoted_at


def test_pages_are_judged_anew_since_a_person_answered(store: Store) -> None:
    new = NewQuestion(
        family=GOODS.family,
        kind=QuestionKind.NEWS,
        fields=("price",),
        sentence="price says something else",
        since=datetime.now(UTC),
    )
    asked = store.questions.ask(new)
    assert asked is not None and heal_record(store, GOODS, HOUR).promoted_at is None
    store.questions.decide(asked, QuestionState.TAUGHT, {"who": "ada"})
    (taught,) = store.questions.all(GOODS.family)
    assert heal_record(store, GOODS, HOUR).promoted_at == taught.decided_at is not None


def test_a_site_that_goes_to_and_fro_is_no_other_redesign_each_time(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, beyond = (
        HealEvidence(f"pages {name}", (), ((at,) * 3,))
        for at, name in ((1, "a"), (2**40, "b"), (2**62 - 1, "c"))
    )

    def evidence(red: HealEvidence) -> Novelty:
        monkeypatch.setattr(HealEvidence, "of", lambda *_: red)
        return heal_record(store, GOODS, HOUR).evidence

    def tried(red: HealEvidence, outcome: str = "rejected") -> None:
        store.audit(
            AuditKind.HEAL_STARTED, GOODS.family, "run-1", {"wave": "w", **red.detail}
        )
        note(store, AuditKind.HEAL_FINISHED, outcome=outcome)

    monkeypatch.setattr(
        "crawloop_assets.heal.novelty._is_new", lambda one, known: one not in known
    )
    tried(here)
    assert evidence(there) is Novelty.OTHER
    tried(there)
    again = HealEvidence("pages d", (), here.layouts)
    assert evidence(again) is Novelty.SAME_SIGNS, "it was tried before the last one"
    assert evidence(beyond) is Novelty.OTHER
    tried(there, "promoted")
    assert evidence(again) is Novelty.OTHER, "what was tried before that is over"
