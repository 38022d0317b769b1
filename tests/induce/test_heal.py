from crawloop_assets.crawler.document import Document
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import PageKind, Program
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.heal import Decision, heal_program
from crawloop_assets.record import same
from tests.induce.pages import PRODUCTS, SCHEMA, after, before, example, lost


def program() -> Program:
    made = compile_program(SCHEMA, [before(0), before(1)], [example(0, 0), example(1, 1)], PageKind.DETAIL).program
    assert made is not None
    return made


def test_a_redesign_is_healed_from_last_known_values_and_reads_pages_it_never_saw() -> None:
    healed = heal_program(SCHEMA, program(), [after(0), after(1)], [example(0, 0), example(1, 1)])
    assert healed.program is not None
    for at in (2, 3):
        values = run(healed.program, Document(after(at))).records[0].values
        for name, wanted in PRODUCTS[at].items():
            assert same(values.get(name), wanted, SCHEMA.field(name)), (name, values.get(name))


def test_what_still_works_is_kept() -> None:
    healed = heal_program(SCHEMA, program(), [before(2)], [example(0, 2)])
    assert {made.decision for made in healed.fields.values()} == {Decision.KEPT}


def test_a_value_that_changed_since_does_not_mislead() -> None:
    pages = [after(0, {"price": "39.90"}), after(1)]
    healed = heal_program(SCHEMA, program(), pages, [example(0, 0), example(1, 1)])
    assert healed.program is not None
    values = run(healed.program, Document(after(2))).records[0].values
    assert same(values["price"], PRODUCTS[2]["price"], SCHEMA.field("price"))


def test_a_page_that_is_not_the_page_heals_nothing() -> None:
    assert heal_program(SCHEMA, program(), [lost()], []).program is None
    assert heal_program(SCHEMA, program(), [lost()], [example(0, 0)]).program is None


def test_healing_twice_gives_the_same_program() -> None:
    first, second = (heal_program(SCHEMA, program(), [after(0)], [example(0, 0)]).program for _ in range(2))
    assert first == second
    assert first is not None
    assert first.to_json() == second.to_json()
