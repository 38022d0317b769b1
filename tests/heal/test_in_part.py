"""A redesign that loses one required field: the rest is healed and served, and a person is asked for that field alone."""

from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel

from crawloop_assets.crawler.program import Program
from crawloop_assets.family import Family
from crawloop_assets.heal.in_part import as_required, with_optional
from crawloop_assets.heal.past import asked_about
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.store import QuestionKind
from tests.heal.stuck import wave
from tests.heal.town import MAKERS, NAMES, PLACES, Town, _page

PAGES = 8


class Lot(BaseModel):
    """What is sold by auction."""

    title: str
    maker: str
    place: str | None = None
    year: int
    bids: int | None = None
    VOLATILE: ClassVar = {"bids"}


class LotByAnybody(Lot):
    """The maker may be another one every day."""

    VOLATILE: ClassVar = {"bids", "maker"}


def family(model: type[BaseModel] = Lot, **more: Any) -> Family:
    schema = f"tests.heal.test_in_part:{model.__name__}"
    return Family.model_validate(
        {"family": "town/lot", "schema": schema, "discover": {}} | more
    )


def lot(at: int) -> dict[str, Any]:
    made = {"title": NAMES[at], "maker": MAKERS[at], "place": PLACES[at]}
    return made | {"year": 1951 + 7 * at, "bids": 12 + 5 * at}


def page(of: Family, at: int, values: dict[str, Any], design: str) -> Page:
    """In the first design terms and values in a list, in the second in rows of a table, without the maker."""
    shown = dict(values)
    title = shown.pop("title")
    if design == "old":
        rows = "".join(
            f"<dt>{name.title()}</dt><dd class='{name}-now'>{str(value).replace('&', '&amp;')}</dd>"
            for name, value in shown.items()
        )
        body = f"<main><h1 class='head-line'>{title}</h1><dl>{rows}</dl></main>"
        return _page(of, at, body)
    if design == "new":
        shown.pop("maker")
    rows = "".join(
        f"<tr><th>{name.title()}</th><td>{value}</td></tr>"
        for name, value in shown.items()
    )
    body = f"<section><h2 class='t1'>{title}</h2><table>{rows}</table></section>"
    return _page(of, at, body)


def redesigned(folder: Path, of: Family, known: int = PAGES) -> Town:
    """Lots that are published in the first design, and red in the second."""
    town = Town(folder)
    before = [page(of, at, lot(at), "old") for at in range(known)]
    made = town.learn(of, before, [lot(at) for at in range(4)])
    assert made.outcome is RegenerationOutcome.PROMOTED
    town.read(of, before)
    served = town.read(of, [page(of, at, lot(at), "new") for at in range(PAGES)])
    assert served.judgement.drifted
    return town


def healed(folder: Path, of: Family) -> tuple[Town, Regeneration]:
    town = redesigned(folder, of)
    return town, wave(town, family=of)


def test_the_rest_is_healed_and_served_and_one_field_is_asked_for(
    tmp_path: Path,
) -> None:
    of = family()
    town, ended = healed(tmp_path, of)
    assert ended.outcome is RegenerationOutcome.PROMOTED
    assert ended.reason.endswith("without maker, whose known values are kept")
    assert Program.from_json(ended.program).field("maker") is None
    assert ended.scores is not None
    score = ended.scores.field("maker")
    assert score is not None and (score.required, score.gone) == (True, False)
    now = [lot(at) | {"bids": 90 + at} for at in range(PAGES)]
    pages = [page(of, at, values, "new") for at, values in enumerate(now)]
    served = town.read(of, pages)
    assert served.judgement.drifted and served.kept["maker"] == PAGES
    known = town.store.known(of)
    for at, one in enumerate(pages):
        (row,) = known[one.url]
        assert {name: row[name] for name in ("maker", "year")} == {
            "maker": MAKERS[at],
            "year": 1951 + 7 * at,
        }
    wave(town, "heal1", of)
    (question,) = town.store.questions.waiting(of.family)
    assert (question.kind, question.fields) == (QuestionKind.UNREAD, ("maker",))


def test_a_page_of_which_nothing_is_known_waits(tmp_path: Path) -> None:
    of = family()
    town = redesigned(tmp_path, of, known=PAGES - 1)
    wave(town, family=of)
    pages = [page(of, at, lot(at), "new") for at in range(PAGES)]
    assert pages[-1].url not in town.read(of, pages).judgement.kept
    assert pages[-1].url not in town.store.known(of)


@pytest.mark.parametrize(
    ("model", "more"), [(LotByAnybody, {}), (Lot, {"key": ["maker"]})]
)
def test_neither_a_key_nor_what_moves_is_done_without(
    tmp_path: Path, model: type[BaseModel], more: dict[str, Any]
) -> None:
    of = family(model, **more)
    town, ended = healed(tmp_path, of)
    assert ended.outcome is RegenerationOutcome.REJECTED
    served = town.read(of, [page(of, at, lot(at), "new") for at in range(PAGES)])
    assert served.judgement.kept == {}


def test_what_is_lost_is_required_all_the_same() -> None:
    schema = family().schema_spec()
    free = with_optional(schema, {"maker"})
    assert [spec.name for spec in free.fields if spec.required] == ["title", "year"]
    scores = (
        FieldScore(field="maker", gone=True),
        FieldScore(field="place", gone=True),
    )
    maker, place = as_required(ScoreSheet(fields=scores), {"maker"}).fields
    assert (maker.required, maker.gone) == (True, False)
    assert (place.required, place.gone) == (False, True)


def test_where_pages_say_the_lost_field_again_nobody_has_to_answer(
    tmp_path: Path,
) -> None:
    """In another place than before, so that no version reads it."""
    of = family()
    town = redesigned(tmp_path, of)
    assert wave(town, family=of).outcome is RegenerationOutcome.PROMOTED
    town.read(of, [page(of, at, lot(at), "new") for at in range(PAGES)])
    wave(town, "heal1", of)
    assert asked_about(town.store, of)
    town.read(of, [page(of, at, lot(at), "again") for at in range(PAGES)])
    assert not asked_about(town.store, of)
    ended = wave(town, "heal2", of)
    assert ended.outcome is RegenerationOutcome.PROMOTED, ended.reason
    town.refresh(of, [page(of, at, lot(at), "again") for at in range(PAGES)])
    assert not town.store.past.red(of.family)
