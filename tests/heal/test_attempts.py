"""What few pages do not tell is learned from more of them."""

from pathlib import Path

from crawloop_assets.crawler.own_part import OwnPart
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.heal.attempts import Attempt, Attempts, _completed
from crawloop_assets.heal.job import _drifted_sample
from crawloop_assets.heal.regenerate import Regenerator
from crawloop_assets.induce.healing.healed import HealedProgram
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.sandbox import default_pool
from crawloop_assets.schema import FieldSpec
from tests.heal.town import GOODS, Town, good, new, old

PAGES = 8
STOCK = (41, 67, 23, 88, 35, 52, 96, 74)
MOVED = (0, 1, 3, 4)
"""Pages on which the stock is another one after the redesign; the first five are those a candidate is made from."""


def stocked(at: int, by: int = 0) -> dict[str, str]:
    return good(at, stock=str(STOCK[at] + by))


def attempts(folder: Path) -> Attempts:
    """Goods in a new design that names no stock, of which half has moved."""
    town = Town(folder)
    before = [old(GOODS, at, stocked(at)) for at in range(PAGES)]
    town.learn(GOODS, before, [stocked(at) for at in range(4)])
    town.read(GOODS, before)
    after = [new(GOODS, at, stocked(at, 5 * (at in MOVED))) for at in range(PAGES)]
    assert town.read(GOODS, after).judgement.drifted
    regenerator = Regenerator(GOODS, town.store, default_pool(), "run-9", "heal0")
    active = town.store.active(GOODS.family)
    assert active is not None
    return Attempts(regenerator, active, (), _drifted_sample(GOODS, town.store))


def test_a_field_that_few_pages_do_not_tell_is_learned_from_all(tmp_path: Path) -> None:
    tried = attempts(tmp_path)
    making, _ = tried.sample.split()
    first = tried._proved(tried._healed(making), len(making.pages))
    stock = first.proof.field("stock")
    assert stock is not None and stock.right == 0
    best = tried.best()
    stock = best.proof.field("stock")
    assert stock is not None and (stock.right, stock.silent) == (4, 0)
    assert best.proof.passed and not best.proof.probation


def attempt(passed: bool, silent: int, worded: int = 0) -> Attempt:
    scores = (FieldScore(field="stock", silent=silent, worded=worded),)
    healed = HealedProgram(program=None, fields={}, scores=ScoreSheet())
    return Attempt(healed, None, ScoreSheet(fields=scores, passed=passed))


def test_of_two_candidates_the_one_that_misses_less_is_worth_more() -> None:
    assert attempt(True, 1).worth > attempt(True, 3).worth
    assert attempt(True, 1).missed == 1
    assert attempt(True, 0, worded=2).missed == 2
    assert attempt(True, 0).proved == 0


def test_a_required_field_in_words_that_no_page_before_said_is_learned_again() -> None:
    score = FieldScore(field="colour", required=True, right=9, changed=1)
    optional = score.model_copy(update={"field": "shade", "required": False})
    healed = HealedProgram(program=None, fields={}, scores=ScoreSheet())

    def lacking(passed: bool) -> frozenset[str]:
        sheet = ScoreSheet(fields=(score, optional), passed=passed)
        return Attempt(healed, None, sheet).lacking

    assert lacking(passed=False) == {"colour"}
    assert lacking(passed=True) == frozenset(), "what passes is not made again"
    assert attempt(True, 1).lacking == {"stock"}


def reading(*names: str, part: OwnPart | None = None) -> Program:
    fields = (
        FieldProgram(
            spec=FieldSpec(name=name), readers=(Reader(src=Source.CSS, at=f".{name}"),)
        )
        for name in names
    )
    return Program(fields=tuple(fields), part=part)


def test_what_a_field_was_made_of_without_other_records_is_taken_along_with_it() -> (
    None
):
    part = OwnPart(at=".box", own=".box:nth-of-type(2)")
    healed = HealedProgram(program=reading("title"), fields={}, scores=ScoreSheet())
    sheet = ScoreSheet(fields=(FieldScore(field="stock", silent=1),), passed=True)
    first = Attempt(healed, reading("title"), sheet)
    made = _completed(first, reading("title", "stock", part=part)).program
    assert made is not None and made.part == part
    assert [one.spec.name for one in made.fields] == ["title", "stock"]
