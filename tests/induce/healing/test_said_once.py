"""Known durations that stand in one place, of which nothing says that they are the field."""

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FieldProgram, Kin, Program, Reader
from crawloop_assets.document.document import Document
from crawloop_assets.induce.healing.decision import HealDecision, HealedField
from crawloop_assets.induce.healing.field import heal_field
from crawloop_assets.induce.healing.heal import heal_program
from crawloop_assets.induce.healing.said_once import said_once
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.values.value import Value
from tests.induce.healing.fields import css, document, witnesses
from tests.induce.pages import page

TOTAL = FieldSpec(name="total_time", kind=FieldKind.MINUTES)
COOK = FieldSpec(name="cook_time", kind=FieldKind.MINUTES)
PIECES = FieldSpec(name="yields", kind=FieldKind.NUMBER)
OLD = css(".total")
LINE = "<h1>Soup of leeks</h1><ul><li><b>Vreme</b> <i>{} min</i></li><li><b>Sol</b> <i>4 g</i></li></ul>"
STEP = "<p>Simmer the leeks for 35 min and stir.</p>"


def healed(body: str, spec: FieldSpec = TOTAL, known: Value = 35) -> HealedField:
    return heal_field(witnesses(spec, OLD, [body], [known]))


def read(made: HealedField, body: str) -> Value | None:
    program = Program(fields=(made.program,))
    return run(program, document(body, 1)).records[0].values.get(made.program.spec.name)


@pytest.mark.parametrize(
    "more",
    [
        "",
        STEP,
        "<p>35</p>",
        '<p data-x="35 min">soon</p>',
        "<p><b>Prep time</b> <i>10 min</i></p>",  # behind it, so not its own
    ],
)
def test_a_duration_that_stands_once_is_found_again_whatever_stands_before_it(
    more: str,
) -> None:
    made = healed(LINE.format(35) + more)
    assert made.decision.decision is HealDecision.REALIGNED
    assert read(made, LINE.format(50)) == 50


def test_nothing_names_it_so_that_it_is_one_guess() -> None:
    assert len(healed(LINE.format(35)).program.readers) == 1


@pytest.mark.parametrize(
    "body",
    [
        LINE.format(35) + "<p><b>Drugo</b> <i>35 min</i></p>",  # which of the two?
        LINE.replace("Vreme", "Cooking time").format(35),  # another one's name
        LINE.replace(" min", "").format(35),  # no unit: a number like any other
        LINE.format(40),  # it is not there
        STEP,  # in a sentence
        '<p class="c1" data-x="35 min">soon</p>',  # nobody reads it
    ],
)
def test_what_may_be_another_one_is_left(body: str) -> None:
    assert healed(body).decision.decision is HealDecision.ABSTAINED


def test_the_name_of_the_field_itself_is_no_other_ones() -> None:
    made = healed(LINE.replace("Vreme", "Cooking time").format(35), COOK)
    assert made.decision.decision is HealDecision.REALIGNED


def test_a_number_that_moves_and_one_that_is_no_duration_need_a_name() -> None:
    moving = TOTAL.model_copy(update={"volatile": True})
    count = FieldSpec(name="total_time", kind=FieldKind.NUMBER)
    body = LINE.replace("Vreme", "Total time").format(35)
    for spec in (moving, count):
        known = witnesses(spec, OLD, [body], [35])
        assert said_once(known.known(known.values), spec, proved=True) == []


def once(*bodies: str, values: tuple[int, ...] = (35,)) -> list[Reader]:
    found = witnesses(TOTAL, OLD, bodies, values)
    tried = said_once(found.known(found.values), TOTAL, proved=False)
    return [one.candidate.reader for one in tried]


def test_a_label_that_has_the_fields_own_name_too_is_its_own() -> None:
    assert once(LINE.replace("Vreme", "Total cooking time").format(35))


def test_a_label_goes_before_a_position() -> None:
    line = '<div id="facts"><p>{}<i>35 min</i></p></div>'
    assert Kin.PATH not in {one.kin for one in once(line.format("<b>Vreme</b>"))}
    assert {one.kin for one in once(line.format(""))} <= {Kin.PATH, Kin.TAG, Kin.ID}


def test_what_is_wrong_on_another_page_is_no_reader() -> None:
    first = LINE.replace("<i>", '<i class="amount">', 1).format(35)
    second = LINE.format(50) + '<p><b>Sol</b> <i class="amount">20 min</i></p>'
    readers = once(first, second, values=(35, 50))
    assert "vreme" in {one.at for one in readers}
    assert ".amount" in {one.at for one in once(first)} - {one.at for one in readers}


def test_a_reader_that_is_right_gets_the_label_of_its_place_beside_it() -> None:
    """Whatever that label says: the place is proved."""
    line = LINE.replace("Vreme", "Cooking time").replace("<i>", '<i class="{}">', 1)
    old = witnesses(TOTAL, css(".t3"), [line.format("t3", 35)], [35])
    made = heal_field(old)
    assert made.decision.decision is HealDecision.KEPT
    assert read(made, line.format("x7", 50)) == 50


def test_a_value_that_another_field_had_too_tells_neither() -> None:
    schema = RecordSchema(
        name="Recipe",
        fields=(FieldSpec(name="title", required=True), TOTAL, COOK, PIECES),
    )
    old = Program(
        fields=(
            FieldProgram(spec=schema.field("title"), readers=css("h1")),
            FieldProgram(spec=TOTAL, readers=OLD),
        )
    )
    now = page(0, f"<!DOCTYPE html><html><body>{LINE.format(35)}</body></html>")
    row: dict[str, Value] = {"title": "Soup of leeks", "total_time": 35}

    def total(row: dict[str, Value]) -> Value | None:
        made = heal_program(schema, old, [now], [Example(page=0, records=(row,))])
        program = made.program or made.partial
        assert program is not None
        return run(program, Document(now)).records[0].values.get("total_time")

    assert total(row) == 35
    assert total({**row, "cook_time": 35}) is None
    assert total({**row, "cook_time": 20}) == 35
    assert total({**row, "yields": "35"}) == 35  # of another kind
