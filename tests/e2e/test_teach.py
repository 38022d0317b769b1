"""A redesign that nothing heals, a real daemon, and one value that a person gives over GraphQL."""

from collections.abc import Iterator

import pytest

from crawloop_assets.demo.witness import Witness
from crawloop_assets.pipeline.verbs import launchpad
from crawloop_assets.store import QuestionState
from tests.e2e.test_heal_wave import PATIENCE_S, running, story, wait_green
from tests.pipeline.puzzle import hide_prices
from tests.world import PRODUCT, World

__all__ = ["story"]

pytestmark = pytest.mark.e2e


@pytest.fixture
def witness(story: World) -> Witness:
    """Somebody who knows what the shop shows, now and later."""
    return story.witness()


@pytest.fixture
def puzzled(story: World, witness: Witness) -> Iterator[World]:
    """A healthy project whose shop shows prices that nothing names."""
    with pytest.MonkeyPatch.context() as patch:
        hide_prices(story.shop, patch)
        witness.note()
        yield story


def test_one_taught_value_turns_the_family_green_in_one_run(
    puzzled: World, witness: Witness
) -> None:
    questions = puzzled.store.questions
    with running(puzzled) as (_, ui):
        ui.drive.refresh(puzzled.family)
        ui.drive.until(lambda: bool(questions.all()), "a question", PATIENCE_S)
        ui.drive.until(lambda: ui.drive.idle(puzzled.family), "the wave", PATIENCE_S)
        assert ui.shown() == {"failed": puzzled.batches}
        (question,) = questions.all()
        item = next(
            item for item in puzzled.shop.items if question.url.endswith(item.path)
        )
        value = f"{item.price:.2f}"
        said = {"who": "ada", "family": PRODUCT, "field": "price", "value": value}
        config = launchpad("teach", said)
        lesson = ui.drive.launch("teach", {}, config)
        ui.drive.wait([lesson], PATIENCE_S)
        wait_green(puzzled, ui)
        assert len(ui.waves()) == 1
        assert len(ui.runs(mode="regenerate")) == 1, "the one that ended in a question"
    (question,) = questions.all()
    assert question.state is QuestionState.TAUGHT
    active = puzzled.store.active(PRODUCT)
    assert active is not None and active.run_id == lesson
    prices = {
        str(row["sku"]): float(str(row["price"]))
        for rows in puzzled.store.known(puzzled.family).values()
        for row in rows
    }
    assert prices == {
        item.sku: float(item.price) for item in puzzled.shop.items if item.sku in prices
    }
    assert list(witness.faults(complete=False)) == []
