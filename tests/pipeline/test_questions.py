"""From a redesign that nothing heals to green: one wave, one question, one value."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawloop_assets.demo.witness import Witness
from crawloop_assets.heal.regenerate import RegenerationOutcome
from crawloop_assets.pipeline.dagster_private import (
    backfill_batches,
    end_backfill,
    open_backfills,
)
from crawloop_assets.pipeline.names import RunMode
from crawloop_assets.pipeline.verbs import launchpad
from crawloop_assets.project import Project
from crawloop_assets.store import (
    AuditKind,
    CrawlerStatus,
    NewCrawler,
    Question,
    QuestionState,
    Store,
)
from crawloop_assets.store.published import published_rows
from tests.pipeline.puzzle import hide_prices
from tests.world import PRODUCT, PRODUCTS, World, definitions_of, world


def waves(made: World) -> int:
    return len(made.store.audits(PRODUCT, AuditKind.WAVE_STARTED))


def heal(made: World) -> None:
    """What the daemons do with what one tick of the sensor asks for."""
    requests = made.tick().run_requests or ()
    for backfill in open_backfills(made.instance, made.names.tags()):
        batches = backfill_batches(backfill, made.names.records)
        tags = {**backfill.tags, **made.names.tags(batches=(batches[0], batches[-1]))}
        made.run("replay", tags)
        end_backfill(made.instance, backfill)
    for request in requests:
        is_new = request.tags["crawloop/mode"] == RunMode.REGENERATE
        verb = "regenerate" if is_new else "replay"
        made.run(verb, dict(request.tags), check=False)


def asked(made: World) -> Question:
    (question,) = made.store.questions.all(PRODUCT)
    return question


def decide(made: World, verb: str, **config: object) -> bool:
    """One decision, as the launchpad makes it."""
    job = definitions_of(made.project).resolve_job_def(verb)
    said = {"who": "ada", "family": PRODUCT, **config}
    run_config = launchpad(verb, said)
    result = job.execute_in_process(
        instance=made.instance, run_config=run_config, raise_on_error=False
    )
    return result.success


@pytest.fixture(scope="module")
def puzzled(crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose one wave ended in a question. Copy it, do not use it."""
    home = tmp_path_factory.mktemp("puzzled") / "project"
    shutil.copytree(crawled, home)
    with pytest.MonkeyPatch.context() as patch, world(Project.at(home), patch) as made:
        hide_prices(made.shop, patch)
        assert made.refresh().success
        assert made.shown() == {"failed": made.batches}
        heal(made)
    return home


@pytest.fixture
def as_it_was(
    puzzled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    """Such a project of one's own, with a shop that is as it was before."""
    home = tmp_path / "project"
    shutil.copytree(puzzled, home)
    with world(Project.at(home), monkeypatch) as made:
        yield made


@pytest.fixture
def witness(as_it_was: World) -> Witness:
    """Somebody who knows what the shop shows, now and later."""
    return as_it_was.witness()


@pytest.fixture
def stuck(as_it_was: World, witness: Witness, monkeypatch: pytest.MonkeyPatch) -> World:
    """A family whose one wave ended in a question, and its shop."""
    hide_prices(as_it_was.shop, monkeypatch)
    witness.note()
    return as_it_was


def price_of(made: World, url: str) -> str:
    """What a person sees on a page."""
    item = next(item for item in made.shop.items if url.endswith(item.path))
    return f"{item.price:.2f}"


def test_a_wave_ends_in_one_question_and_no_other_follows_it(
    stuck: World, witness: Witness
) -> None:
    question = asked(stuck)
    assert question.fields == ("price",)
    assert question.sentence == (
        "no version reads `price` from the new pages: show one value"
    )
    assert waves(stuck) == 1
    for _ in range(3):
        assert stuck.refresh().success
        tick = stuck.tick()
        assert not tick.run_requests
        assert "a person: no version reads `price`" in str(tick.skip_message)
    assert waves(stuck) == 1
    assert asked(stuck) == question
    assert list(witness.faults(complete=False)) == []


def test_one_taught_value_turns_everything_green_from_stored_pages(
    stuck: World, witness: Witness
) -> None:
    question, requests = asked(stuck), len(stuck.shop.hits)
    assert decide(stuck, "teach", field="price", value=price_of(stuck, question.url))
    heal(stuck)
    assert stuck.shown() == {"succeeded": stuck.batches}
    assert len(stuck.shop.hits) == requests, "nothing is asked of the site"
    assert list(witness.faults(complete=False)) == []
    rows = published_rows(stuck.project.published, "product", ["_stale_since"])
    assert [row["_stale_since"] for row in rows] == [None] * PRODUCTS
    assert asked(stuck).state is QuestionState.TAUGHT
    assert waves(stuck) == 1
    assert not stuck.tick().run_requests


def test_what_a_person_taught_wrongly_is_refused_and_changes_nothing(
    stuck: World,
) -> None:
    assert not decide(stuck, "teach", field="price", value="123456.78")
    (active,) = [one for one in stuck.store.crawlers(PRODUCT) if one.promoted_at]
    assert active.version == 1
    assert asked(stuck).state is QuestionState.OPEN
    assert RegenerationOutcome.REJECTED.value not in str(stuck.shown())


def test_the_question_is_withdrawn_when_the_site_is_as_it_was(
    as_it_was: World,
) -> None:
    assert asked(as_it_was).state is QuestionState.OPEN
    assert as_it_was.refresh().success
    assert as_it_was.shown() == {"succeeded": as_it_was.batches}
    assert not as_it_was.tick().run_requests
    assert asked(as_it_was).state is QuestionState.WITHDRAWN
    assert asked(as_it_was).why == "the family is green again"


def propose(store: Store, blanks: str, wave: str | None) -> int:
    """A version that waits for review, of a wave or made by hand; its number."""
    active = store.active(PRODUCT)
    assert active is not None
    return store.add_crawler(
        NewCrawler(
            family=PRODUCT,
            body=active.body.replace("{", f"{{{blanks}", 1),
            status=CrawlerStatus.AWAITING_REVIEW,
            wave=wave,
        )
    )


def test_a_version_of_a_wave_waits_as_long_as_the_family_is_red(stuck: World) -> None:
    assert stuck.refresh().success
    made = propose(stuck.store, " ", "wave-2")
    stuck.tick()
    assert [one.version for one in stuck.store.reviews.waiting()] == [made]


def test_a_version_of_a_wave_waits_no_more_when_the_site_is_as_it_was(
    as_it_was: World,
) -> None:
    by_hand = propose(as_it_was.store, " ", None)
    of_wave = propose(as_it_was.store, "  ", "wave-2")
    assert [one.version for one in as_it_was.store.reviews.waiting()] == [of_wave]
    assert as_it_was.refresh().success
    as_it_was.tick()
    assert [one.version for one in as_it_was.store.reviews.waiting()] == [by_hand]


def test_a_question_is_put_off_until_a_day(stuck: World) -> None:
    assert not decide(stuck, "ignore", until="tomorrow")
    assert decide(stuck, "ignore", until="2999-01-01", why="they are at it")
    question = asked(stuck)
    assert question.state is QuestionState.IGNORED
    assert (question.decided_by, question.why) == ("ada", "they are at it")
    assert not stuck.tick().run_requests


def test_a_required_field_is_not_accepted_as_gone(stuck: World) -> None:
    assert not decide(stuck, "accept")
    assert asked(stuck).state is QuestionState.OPEN


def test_a_lesson_is_taken_back(stuck: World) -> None:
    assert decide(
        stuck, "teach", field="price", value=price_of(stuck, asked(stuck).url)
    )
    heal(stuck)
    (lesson,) = stuck.store.questions.lessons(PRODUCT)
    assert decide(stuck, "undo", lesson=lesson.id, why="a typing error")
    assert stuck.store.questions.lessons(PRODUCT) == []
    active = stuck.store.active(PRODUCT)
    assert active is not None and active.version == 1
