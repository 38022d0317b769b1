"""Every kind of prompt is answered as a strong reader once answered it, and comes to what its pages say."""

from pathlib import Path

import pytest

from crawloop_assets.llm.prompts import Prompt
from crawloop_assets.page import Page
from tests.llm.recorded import kinds, world
from tests.llm.recorded.kinds import KINDS
from tests.llm.recorded.tape import AGAIN, ANSWERS, Tape


@pytest.mark.parametrize("name", KINDS)
def test_what_was_answered_still_fits_what_is_asked(name: str, tmp_path: Path) -> None:
    tape = Tape(name)
    with tape.played() as settings:
        came = KINDS[name].run(settings, tmp_path)
    assert not tape.changed, f"{tape.changed[0]}: have it read anew by\n{AGAIN} {name}"
    assert came == KINDS[name].right, "what is shown lacks what the answer needs"


def test_there_is_a_tape_for_every_kind_and_no_other() -> None:
    assert {file.stem for file in ANSWERS.glob("*.json")} == KINDS.keys()


def test_another_prompt_turns_a_tape_red(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorter = Prompt("serve", "Copy the values of the page.")
    monkeypatch.setattr("crawloop_assets.llm.serve.prompt", lambda _: shorter)
    tape = Tape("serve_record")
    with tape.played() as settings:
        KINDS["serve_record"].run(settings, tmp_path)
    assert tape.changed == ["question 1 asks for something else"]


def test_a_page_that_is_shown_without_a_value_loses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def less(name: str) -> Page:
        shown = world.page(name)
        return shown.model_copy(update={"body": shown.body.replace(b"by the bed", b"")})

    kind = kinds.read_page(
        world.family(world.Room), kinds.Purpose.FIELDS, less("amber")
    )
    tape = Tape("model_fields")
    with tape.played() as settings:
        assert kind.run(settings, tmp_path) == []
    assert not tape.changed
