"""What is stored of a first version: its proof, and whether it is full."""

from pathlib import Path

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import Program
from crawloop_assets.family import Family, Promotion
from crawloop_assets.heal.refusal import failure
from crawloop_assets.heal.regenerate import (
    RegenerationOutcome,
    Regenerator,
)
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.sandbox import default_pool
from crawloop_assets.serve.versions import as_program
from crawloop_assets.store import AuditKind, ByWhom, CrawlerStatus, CrawlerVersion
from tests.heal.town import CRAFTS, GOODS, MAKERS, Town, craft, good, new, old


def first_version(
    town: Town, pages: int, known: int, stranger: bool = False
) -> tuple[CrawlerVersion, ScoreSheet]:
    """The version that is made of some pages with known records, with or without a page of another family."""
    sample = [old(GOODS, at, good(at)) for at in range(pages)]
    sample += [old(CRAFTS, pages, craft(pages))] if stranger else []
    assert (
        town.learn(GOODS, sample, [good(at) for at in range(known)]).outcome
        is RegenerationOutcome.PROMOTED
    )
    (version,) = town.store.crawlers(GOODS.family)
    return version, ScoreSheet.model_validate(version.score_sheet)


def test_a_first_version_is_proved_on_changed_copies_and_on_pages_it_was_not_made_from(
    tmp_path: Path,
) -> None:
    version, sheet = first_version(Town(tmp_path), pages=5, known=3)
    assert sheet.passed and not version.probation
    assert (sheet.pages, sheet.records, sheet.oracle) == (5, 3, "examples")
    for name in ("title", "price", "maker"):
        score = sheet.field(name)
        assert score is not None
        assert (score.right, score.wrong, score.held_out) == (3, 0, 1.0), name
        assert score.robust is not None


def test_a_first_version_made_from_all_pages_there_are_is_on_probation(
    tmp_path: Path,
) -> None:
    version, sheet = first_version(Town(tmp_path), pages=3, known=3)
    assert sheet.passed and sheet.probation and version.probation


def test_what_speaks_against_a_first_version_puts_it_on_probation(
    tmp_path: Path,
) -> None:
    version, sheet = first_version(Town(tmp_path), pages=5, known=3, stranger=True)
    assert version.probation and not sheet.passed
    against, note = sheet.reason.split("; ")
    assert against == "required price missing on http://town.test/m/5"
    assert note.startswith("stock is in no example and read nowhere")


def test_rows_that_hold_several_records_reject_the_first_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    town = Town(tmp_path)
    monkeypatch.setattr(Regenerator, "prove_first", _crowded)
    rows = [good(0), good(1), good(2)]
    made = town.learn(GOODS, [old(GOODS, at, good(at)) for at in range(5)], rows)
    assert made.outcome is RegenerationOutcome.REJECTED
    assert made.reason == "a row has several values of price each"


def _crowded(*_: object) -> ScoreSheet:
    return ScoreSheet(
        passed=True,
        reason="",
        fields=(),
        crowded="a row has several values of price each",
    )


def test_a_value_of_an_example_that_is_not_read_rejects_the_first_version(
    tmp_path: Path,
) -> None:
    town = Town(tmp_path)
    rows = [good(0, maker="Somebody Else"), good(1), good(2)]
    made = town.learn(GOODS, [old(GOODS, at, good(at)) for at in range(5)], rows)
    assert made.outcome is RegenerationOutcome.REJECTED
    assert made.reason == "the examples are not read as they say"
    assert town.store.crawlers(GOODS.family) == []
    assert made.scores is not None and not made.scores.passed
    (unread,) = made.scores.unread
    assert (unread.field, unread.expected) == ("maker", "Somebody Else")
    error = str(failure(made))
    assert "maker: the example of http://town.test/p/0 says" in error
    assert "write what the page shows, or leave the field out" in error
    (event,) = town.store.audits(GOODS.family, AuditKind.HEAL_FAILED)
    assert event.detail["reason"] == made.reason


def test_a_required_field_that_nothing_names_waits_for_a_person(tmp_path: Path) -> None:
    town = Town(tmp_path)
    pages = [hashed(at) for at in range(5)]
    made = town.learn(GOODS, pages, [nameless(at) for at in range(3)])
    assert made.outcome is RegenerationOutcome.AWAITING_REVIEW, made.reason
    said = "required price rests on one reader that nothing on the page names"
    assert said in made.reason
    assert made.scores is not None and made.scores.preview
    (version,) = town.store.crawlers(GOODS.family)
    assert version.status is CrawlerStatus.AWAITING_REVIEW and version.probation
    assert town.store.active(GOODS.family) is None, "nothing is published"
    town.store.reviews.approve(GOODS.family, 1, ByWhom("ada"))
    active = town.store.active(GOODS.family)
    assert active is not None and active.version == 1


def nameless(at: int) -> dict[str, str]:
    return {"title": good(at)["title"], "price": good(at)["price"]}


def hashed(at: int) -> Page:
    """A good whose price a build's class alone tells from the rest."""
    shown = good(at)
    body = f"""<html><head><title>The town</title></head><body><div class="css-1aaa2b"><h1 class="css-9xy8z7">
    {shown["title"]}</h1><div class="css-3xdbjc">${shown["price"]}</div></div></body></html>"""
    return Page(
        url=f"http://town.test/p/{at}",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


def test_a_first_version_shows_what_it_would_publish(tmp_path: Path) -> None:
    _, sheet = first_version(Town(tmp_path), pages=5, known=3)
    shown = [row.cells for row in sheet.preview]
    # First of pages that no example is of.
    assert shown == [dict(good(at)) for at in (3, 4, 0, 1, 2)]


def test_a_version_that_waits_for_a_person_is_not_active(tmp_path: Path) -> None:
    town = Town(tmp_path)
    town.learn(GOODS, [old(GOODS, at, good(at)) for at in range(5)], known(3))
    reviewed = with_promotion(Promotion.REVIEW)
    sample = HealSample(tuple(new(GOODS, at, good(at)) for at in range(5)), examples(5))
    made = Regenerator(reviewed, town.store, default_pool(), "run-9", "heal9").heal(
        sample
    )
    assert (made.outcome, made.version, made.previous) == (
        RegenerationOutcome.AWAITING_REVIEW,
        2,
        1,
    )
    first, second = town.store.crawlers(GOODS.family)
    assert (first.status, second.status) == (
        CrawlerStatus.ACTIVE,
        CrawlerStatus.AWAITING_REVIEW,
    )
    assert (second.reason, second.wave, second.run_id) == (
        "healed after v1",
        "heal9",
        "run-9",
    )
    assert made.program == second.body
    assert made.diff.startswith("--- old")
    (event,) = town.store.audits(GOODS.family, AuditKind.HEAL_FINISHED)[-1:]
    assert event.detail == {
        "wave": "heal9",
        "outcome": "awaiting_review",
        "version": 2,
        "previous": 1,
    }


def known(count: int) -> list[dict[str, str]]:
    return [good(at) for at in range(count)]


def examples(count: int) -> tuple[Example, ...]:
    return tuple(Example(page=at, records=(dict(good(at)),)) for at in range(count))


def with_promotion(promotion: Promotion) -> Family:
    heal = GOODS.heal.model_copy(update={"promotion": promotion})
    return GOODS.model_copy(update={"heal": heal})


def healer(town: Town, wave: str | None = None) -> Regenerator:
    """What heals the goods, which have a version of the first design."""
    pages = [old(GOODS, at, good(at)) for at in range(5)]
    made = town.learn(GOODS, pages, known(3))
    assert made.previous is None
    assert made.diff.startswith("--- nothing")
    return Regenerator(GOODS, town.store, default_pool(), "run-9", wave)


def test_pages_of_something_else_heal_nothing(tmp_path: Path) -> None:
    town = Town(tmp_path)
    regenerator = healer(town, "heal9")
    pages = [page_without_goods(at) for at in range(4)]
    ended = regenerator.heal(HealSample(tuple(pages), ()))
    assert (ended.outcome, ended.version) == (RegenerationOutcome.REJECTED, None)
    assert ended.reason == "no field evidence was strong enough to heal without a model"
    (event,) = town.store.audits(GOODS.family, AuditKind.HEAL_FAILED)
    assert event.detail["reason"] == ended.reason
    assert event.detail["wave"] == "heal9"
    (start,) = town.store.audits(GOODS.family, AuditKind.HEAL_STARTED)[-1:]
    assert start.detail["pages"] == [page.url for page in pages]
    error = failure(ended)
    assert str(error).startswith(ended.reason)


def page_without_goods(at: int) -> Page:
    body = "<html><body><h1>Sign in</h1><form><input name='q'></form></body></html>"
    return Page(
        url=f"http://town.test/p/{at}",
        body=body.encode(),
        headers={"content-type": "text/html"},
    )


def test_a_candidate_that_is_the_active_version_is_rejected(tmp_path: Path) -> None:
    town = Town(tmp_path)
    regenerator = healer(town)
    same = tuple(old(GOODS, at, good(at)) for at in range(5))
    ended = regenerator.heal(HealSample(same, examples(5)))
    if ended.outcome is RegenerationOutcome.REJECTED:
        assert "is the active version" in ended.reason
        assert len(town.store.crawlers(GOODS.family)) == 1
    else:
        assert ended.version == 2, "healing found more readers than the first design"


def test_a_version_that_was_tried_before_is_not_promoted_again(tmp_path: Path) -> None:
    """Two versions took turns on the same pages, wave after wave."""
    town = Town(tmp_path)
    regenerator = healer(town)
    pages = tuple(new(GOODS, at, good(at)) for at in range(5))
    assert regenerator.heal(HealSample(pages, examples(5))).version == 2
    first, active = town.store.crawlers(GOODS.family)
    ended = regenerator.decide(as_program(first), ScoreSheet(passed=True), active)
    assert ended.outcome is RegenerationOutcome.REJECTED
    assert ended.reason == "the candidate is v1, which reads these pages no better"


def test_what_no_known_value_confirms_waits_for_a_person(tmp_path: Path) -> None:
    town = Town(tmp_path)
    regenerator = healer(town)
    pages = tuple(new(GOODS, at, good(at)) for at in range(5))
    others = tuple(
        Example(page=at, records=({"title": f"Nothing {at}", "price": "77.25"},))
        for at in range(5)
    )
    ended = regenerator.heal(HealSample(pages, others))
    assert ended.outcome in (
        RegenerationOutcome.AWAITING_REVIEW,
        RegenerationOutcome.REJECTED,
    )
    active = town.store.active(GOODS.family)
    assert active is not None and active.version == 1


def test_an_optional_field_that_contradicts_known_values_is_left_out(
    tmp_path: Path,
) -> None:
    town = Town(tmp_path)
    plain = [
        {name: value for name, value in row.items() if name != "maker"}
        for row in known(5)
    ]
    town.learn(GOODS, [old(GOODS, at, good(at)) for at in range(5)], plain)
    regenerator = Regenerator(GOODS, town.store, default_pool(), "run-9")
    known_now = [
        good(at, maker=MAKERS[at] if at < 4 else "Brand Xylo") for at in range(7)
    ]
    shown = [mentioning(new(GOODS, at, good(at)), "Brand Xylo") for at in range(7)]
    records = [
        Example(page=at, records=(dict(row),)) for at, row in enumerate(known_now)
    ]
    ended = regenerator.heal(HealSample(tuple(shown), tuple(records)))
    assert ended.outcome is RegenerationOutcome.PROMOTED
    assert "without maker, which contradicted known values" in ended.reason
    healed = Program.from_json(ended.program)
    assert {field.spec.name for field in healed.fields} == {"title", "price"}


def test_a_candidate_that_cannot_tell_records_apart_is_rejected(tmp_path: Path) -> None:
    town = Town(tmp_path)
    town.learn(GOODS, [old(GOODS, at, good(at)) for at in range(5)], known(5))
    keyed = GOODS.model_copy(update={"key": ("maker",)})
    nameless = [{"title": row["title"], "price": row["price"]} for row in known(5)]
    pages = tuple(new(GOODS, at, row) for at, row in enumerate(nameless))
    sample = HealSample(
        pages,
        tuple(Example(page=at, records=(row,)) for at, row in enumerate(known(5))),
    )
    ended = Regenerator(keyed, town.store, default_pool(), "run-8").heal(sample)
    assert ended.outcome is RegenerationOutcome.REJECTED
    assert ended.reason == (
        "no reader was found for maker, by which records are told apart"
    )
    made = Regenerator(GOODS, town.store, default_pool(), "run-9").heal(sample)
    assert made.outcome is RegenerationOutcome.PROMOTED


def mentioning(page: Page, words: str) -> Page:
    body = page.body.decode().replace(
        "</section>", f"</section><p>Also by {words}.</p>"
    )
    return Page(url=page.url, body=body.encode(), headers=page.headers)


def test_a_field_is_gained_only_if_a_reader_of_it_is_found(tmp_path: Path) -> None:
    town = Town(tmp_path)
    regenerator = healer(town)
    pages = tuple(old(GOODS, at, good(at)) for at in range(4))
    ended = regenerator.heal(
        HealSample(pages, examples(4)), frozenset(("stock", "age"))
    )
    assert ended.outcome is RegenerationOutcome.NOTHING_TO_DO
    assert ended.reason == "no reader was found for age, stock"


def test_without_evidence_no_first_version_is_made(tmp_path: Path) -> None:
    town = Town(tmp_path)
    made = town.learn(GOODS, [page_without_goods(0)], [])
    assert made.outcome is RegenerationOutcome.REJECTED
    assert made.reason == "no crawler could be compiled"
    assert town.store.crawlers(GOODS.family) == []
