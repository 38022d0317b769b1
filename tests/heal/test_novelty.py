"""What a heal has to go by, and whether it is something else than the last time."""

from pathlib import Path

from crawloop_assets.family import Notation
from crawloop_assets.heal.novelty import HealEvidence, Novelty, declaration
from crawloop_assets.heal.past import heal_record
from crawloop_assets.page import Page
from crawloop_assets.store import AuditKind
from tests.heal.test_job import PAGES
from tests.heal.town import GOODS, Town, good, new, old

SEEN = HealEvidence("abc", ("schema: title",))


def test_nothing_noted_is_unknown() -> None:
    assert SEEN.beside(None) is Novelty.UNKNOWN
    assert SEEN.beside({"pages": []}) is Novelty.UNKNOWN


def test_pages_go_before_signs() -> None:
    assert SEEN.beside(SEEN.detail) is Novelty.SAME_PAGES
    other_bytes = HealEvidence("def", SEEN.signs)
    assert other_bytes.beside(SEEN.detail) is Novelty.SAME_SIGNS
    redesigned = HealEvidence("def", ("count: ",))
    assert redesigned.beside(SEEN.detail) is Novelty.OTHER


def test_pages_of_another_layout_are_another_redesign_whatever_fails() -> None:
    one, near, far = tuple(range(40)), tuple(range(1, 41)), tuple(range(500, 540))
    before = HealEvidence("abc", SEEN.signs, (one,)).detail
    for layout, expected in ((near, Novelty.SAME_SIGNS), (far, Novelty.OTHER)):
        now = HealEvidence("def", SEEN.signs, (layout,))
        assert now.beside(before) is expected
        assert now.beside(SEEN.detail) is Novelty.SAME_SIGNS, "nothing was noted then"


def test_what_is_declared_anew_is_tried_anew_on_the_same_pages() -> None:
    now = HealEvidence("abc", SEEN.signs, declared="1")
    assert now.beside(SEEN.detail) is Novelty.SAME_PAGES, "nothing was noted then"
    assert now.beside(now.detail) is Novelty.SAME_PAGES
    assert now.beside({**now.detail, "declared": "2"}) is Novelty.OTHER


def test_a_declaration_is_that_of_examples_and_schema() -> None:
    assert declaration(GOODS) == declaration(GOODS.model_copy())
    slower = GOODS.model_copy(update={"batch_size": GOODS.batch_size + 1})
    assert declaration(slower) == declaration(GOODS)
    keyed = GOODS.model_copy(update={"key": ("title",)})
    in_marks = GOODS.model_copy(update={"notation": Notation(currency="DEM")})
    assert len({declaration(one) for one in (GOODS, keyed, in_marks)}) == 3


def with_a_remark(at: int) -> Page:
    """A good of the second design in other bytes."""
    page = new(GOODS, at, good(at))
    return Page(url=page.url, body=page.body + b"<!-- 2 -->", headers=page.headers)


def test_a_wave_that_was_refused_is_not_tried_again_on_the_same_pages(
    tmp_path: Path,
) -> None:
    town = Town(tmp_path)
    pages = [old(GOODS, at, good(at)) for at in range(PAGES)]
    town.learn(GOODS, pages, [good(at) for at in range(3)])
    town.read(GOODS, pages)
    town.read(GOODS, [new(GOODS, at, good(at)) for at in range(PAGES)])
    evidence = HealEvidence.of(town.store, GOODS.family)
    assert evidence.signs
    note = {"wave": "heal0", **evidence.detail}
    town.store.audit(AuditKind.HEAL_STARTED, GOODS.family, "run-1", note)
    town.store.audit(AuditKind.HEAL_FAILED, GOODS.family, "run-1", {"wave": "heal0"})
    cooldown = GOODS.heal.cooldown
    past = heal_record(town.store, GOODS, cooldown)
    assert past.evidence is Novelty.SAME_PAGES
    town.read(GOODS, [with_a_remark(at) for at in range(PAGES)])
    assert heal_record(town.store, GOODS, cooldown).evidence is Novelty.SAME_SIGNS
