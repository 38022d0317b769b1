"""A redesign of a site with two families: what healed one is evidence for the other."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from crawloop_assets.heal.past import heal_record
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.heal.siblings import healed_siblings
from crawloop_assets.store import AuditKind
from tests.heal.town import CRAFTS, GOODS, Town, craft, good, new, old

PAGES = 6
MOVED = [
    new(CRAFTS, at, craft(at, maker=f"The house of {letter}"))
    for at, letter in enumerate("abcdef")
]
"""Redesigned crafts whose makers all have another name now: nothing known of them is left on any page."""


def crawled(folder: Path) -> Town:
    """Both families as they were before the redesign, all published."""
    town = Town(folder)
    for family, known in ((GOODS, good), (CRAFTS, craft)):
        pages = [old(family, at, known(at)) for at in range(PAGES)]
        assert (
            town.learn(family, pages[:3], [known(at) for at in range(3)]).outcome
            is RegenerationOutcome.PROMOTED
        )
        town.read(family, pages)
        assert len(town.published(family)) == PAGES
    return town


def heal_goods(town: Town) -> None:
    town.read(GOODS, [new(GOODS, at, good(at)) for at in range(PAGES)])
    assert town.regenerate(GOODS).outcome is RegenerationOutcome.PROMOTED


def makers(town: Town) -> set[str]:
    return {str(row["maker"]) for row in town.published(CRAFTS).values()}


def test_alone_one_label_is_a_guess_and_nothing_of_it_is_published(
    tmp_path: Path,
) -> None:
    town = crawled(tmp_path)
    before = makers(town)
    town.read(CRAFTS, MOVED)
    town.regenerate(CRAFTS)
    town.read(CRAFTS, MOVED)
    assert makers(town) == before


def test_a_sibling_that_was_healed_is_the_second_witness(tmp_path: Path) -> None:
    town = crawled(tmp_path)
    town.read(CRAFTS, MOVED)
    heal_goods(town)
    assert town.regenerate(CRAFTS).outcome is RegenerationOutcome.PROMOTED
    town.read(CRAFTS, MOVED)
    assert makers(town) == {f"The house of {letter}" for letter in "abcdef"}


def test_only_what_known_values_proved_since_the_last_promotion_is_evidence(
    tmp_path: Path,
) -> None:
    town = crawled(tmp_path)
    active = town.store.active(CRAFTS.family)
    assert active is not None
    assert healed_siblings(town.store, CRAFTS.family, active.promoted_at) == []
    pages = [new(GOODS, at, good(at, maker=f"New name {at}")) for at in range(PAGES)]
    town.read(GOODS, pages)
    assert town.regenerate(GOODS).outcome is RegenerationOutcome.PROMOTED
    (sibling,) = healed_siblings(town.store, CRAFTS.family, active.promoted_at)
    assert {field.spec.name for field in sibling.after.fields} == {"title", "price"}
    assert healed_siblings(town.store, CRAFTS.family, datetime.now(UTC)) == []


def test_a_failed_regeneration_may_be_tried_again_once_a_sibling_was_healed(
    tmp_path: Path,
) -> None:
    town = crawled(tmp_path)
    refused = {"wave": "heal0", "reason": "nothing to go by"}
    town.store.audit(AuditKind.HEAL_FAILED, CRAFTS.family, "run-x", refused)
    assert heal_record(town.store, CRAFTS, timedelta(hours=6)).last_failed
    heal_goods(town)
    assert not heal_record(town.store, CRAFTS, timedelta(hours=6)).last_failed
    town.store.audit(AuditKind.HEAL_FAILED, CRAFTS.family, "run-y", refused)
    assert heal_record(town.store, CRAFTS, timedelta(hours=6)).last_failed
