"""What speaks against a candidate is mended before it is given up."""

from pathlib import Path

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.heal.regenerate import Regenerator
from crawloop_assets.heal.repair import Repair
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.sandbox import default_pool
from tests.heal.town import GOODS, Town, good, old

PAGES = 6
SAMPLE = HealSample(
    tuple(old(GOODS, at, good(at)) for at in range(PAGES)),
    tuple(Example(page=at, records=(dict(good(at)),)) for at in range(PAGES)),
)


def repair(folder: Path) -> tuple[Repair, Program]:
    """The mends of a family whose version reads its pages, and that version."""
    town = Town(folder)
    made = town.learn(GOODS, SAMPLE.pages, [good(at) for at in range(3)])
    program = Program.from_json(made.program)
    regenerator = Regenerator(GOODS, town.store, default_pool(), "run-9")
    return Repair(regenerator, SAMPLE, 3, program), program


def reading(program: Program, name: str, at: str) -> Program:
    """The program with one field that is read elsewhere."""
    fields = tuple(
        field.model_copy(update={"readers": (Reader(src=Source.CSS, at=at),)})
        if field.spec.name == name
        else field
        for field in program.fields
    )
    return program.model_copy(update={"fields": fields})


def fields(program: Program) -> dict[str, FieldProgram]:
    return {field.spec.name: field for field in program.fields}


def test_a_sound_candidate_is_left_as_it_is(tmp_path: Path) -> None:
    mends, program = repair(tmp_path)
    made, proof = mends.proved(program)
    assert made == program and proof.passed
    assert proof.reason == f"proved on {PAGES} page(s)"


def test_an_optional_field_that_is_read_wrong_is_read_as_before(tmp_path: Path) -> None:
    mends, program = repair(tmp_path)
    made, proof = mends.proved(reading(program, "maker", "h1"))
    assert proof.passed and "with maker as before" in proof.reason
    assert fields(made)["maker"] == fields(program)["maker"]


def test_a_required_field_is_not_mended_away(tmp_path: Path) -> None:
    mends, program = repair(tmp_path)
    wrong = reading(program, "title", "dd")
    made, proof = mends.proved(wrong)
    assert made == wrong and not proof.passed
