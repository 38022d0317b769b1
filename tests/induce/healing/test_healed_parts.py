"""What becomes of a record inside a record of which a part is lost."""

from typing import Any

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.induce.healing.decision import HealDecision
from crawloop_assets.induce.healing.heal import heal_program
from tests.induce.test_folded import (
    ROWS,
    SCHEMA,
    api,
    as_it_is,
    compiled,
    flattened,
    read,
)


def after(row: Any) -> dict[str, Any]:
    """A row whose pay says no currency any more, and whose company is called otherwise."""
    one = as_it_is(row)
    pay = one["salary"]
    return {
        **one,
        "company": None,
        "employer": {"label": one["company"]["name"], "town": one["company"]["city"]},
        "salary": pay and {"min": pay["min"], "max": pay["max"]},
    }


def test_a_record_of_which_a_part_is_lost_is_not_read_as_another_one() -> None:
    program = compiled(api(map(as_it_is, ROWS)), 3)
    page = api(map(after, ROWS))
    known = [Example(page=0, records=tuple(ROWS))]
    healed = heal_program(SCHEMA, program, [page.page], known)
    assert healed.program is not None, healed.scores.reason
    without = [{k: row[k] for k in ("id", "title", "company")} for row in ROWS]
    assert read(healed.program, page) == without
    assert healed.fields["company"].decision is HealDecision.REALIGNED
    assert healed.fields["salary"].decision is HealDecision.ABSTAINED
    assert healed.fields["salary"].reason.startswith("salary.currency: ")
    score = healed.scores.field("salary")
    assert score is not None
    assert (score.readers, score.healed) == (0, False)


def test_nor_is_it_without_a_part_that_it_need_not_have() -> None:
    program = compiled(api(map(as_it_is, ROWS)), 3)

    def without_most(row: Any) -> dict[str, Any]:
        one = flattened(row)
        return {name: one[name] for name in one if name != "salaryMax"}

    page = api(map(without_most, ROWS))
    known = [Example(page=0, records=tuple(ROWS))]
    healed = heal_program(SCHEMA, program, [page.page], known)
    assert healed.program is not None, healed.scores.reason
    assert all("salary" not in row for row in read(healed.program, page))


def test_a_part_that_a_short_last_page_does_not_have_is_read_all_the_same() -> None:
    program = compiled(api(map(as_it_is, ROWS)), 3)
    pages = [api(map(flattened, ROWS)), api([flattened(ROWS[3])])]
    known = [Example(page=0, records=tuple(ROWS)), Example(page=1, records=(ROWS[3],))]
    healed = heal_program(SCHEMA, program, [one.page for one in pages], known)
    assert healed.program is not None, healed.scores.reason
    assert read(healed.program, pages[0]) == ROWS
