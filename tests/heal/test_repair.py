"""What speaks against a candidate is mended before it is given up."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.family import Family
from crawloop_assets.heal.regenerate import Regenerator
from crawloop_assets.heal.repair import Repair
from crawloop_assets.heal.sample import HealSample
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.sandbox import default_pool
from crawloop_assets.schema import FieldSpec
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


def test_a_field_that_the_version_before_reads_on_more_pages_is_read_as_before(
    tmp_path: Path,
) -> None:
    mends, program = repair(tmp_path)
    silent = reading(program, "maker", ".nowhere")
    made, proof = mends.proved(silent)
    assert proof.passed and "maker as before, which reads more of it" in proof.reason
    assert fields(made)["maker"] == fields(program)["maker"]


def test_a_required_field_is_not_mended_away(tmp_path: Path) -> None:
    mends, program = repair(tmp_path)
    wrong = reading(program, "title", "dd")
    made, proof = mends.proved(wrong)
    assert made == wrong and not proof.passed


@dataclass
class Forgiving:
    """Proves what it is said to: a candidate, and the program that reads all as before."""

    family: Family
    price: FieldScore
    maker: FieldScore

    def prove(self, program: Program, *_rest: object) -> ScoreSheet:
        right = [FieldScore(field=name, right=9) for name in ("sku", "title")]
        is_mended = program.field("maker") is None
        scores = (*right, self.price, *([] if is_mended else [self.maker]))
        return ScoreSheet(fields=scores, passed=is_mended)


@pytest.mark.parametrize(
    ("price", "passed"),
    [
        (FieldScore(field="price", required=True, right=136, wrong=2), True),
        (FieldScore(field="price", required=True, right=136, wrong=2, cut=1), False),
        (FieldScore(field="price", required=True, right=84, wrong=8), False),
    ],
)
def test_what_the_proof_forgives_a_needed_field_stops_no_mend(
    price: FieldScore, *, passed: bool
) -> None:
    """Values of which a part is read are no chance, few as they are."""
    maker = FieldScore(field="maker", right=7, wrong=10)
    reader = (Reader(src=Source.CSS, at="p"),)
    names = ("sku", "title", "price", "maker")
    specs = [FieldSpec(name=name) for name in names]
    fields = tuple(FieldProgram(spec=spec, readers=reader) for spec in specs)
    before = Program(fields=fields[:-1])
    proving = Forgiving(GOODS, price, maker)
    mends = Repair(proving, SAMPLE, 3, before)  # type: ignore[arg-type]
    made, proof = mends.proved(Program(fields=fields))
    assert proof.passed is passed
    assert (made.field("maker") is None) is passed


def test_a_field_that_is_cut_is_read_as_before_though_it_is_needed() -> None:
    """As the version before reads all of what stands there."""
    spec = FieldSpec(name="maker", required=True)
    css = [Reader(src=Source.CSS, at=at) for at in ("p", "b")]
    whole, part = (FieldProgram(spec=spec, readers=(reader,)) for reader in css)
    cut = FieldScore(field="maker", required=True, right=9, cut=2)

    class Cutting(Forgiving):
        def prove(self, program: Program, *_rest: object) -> ScoreSheet:
            is_cut = program.field("maker") == part
            return ScoreSheet(fields=(cut,) if is_cut else (), passed=not is_cut)

    proving = Cutting(GOODS, cut, cut)
    mends = Repair(proving, SAMPLE, 3, Program(fields=(whole,)))  # type: ignore[arg-type]
    made, proof = mends.proved(Program(fields=(part,)))
    assert made.fields == (whole,)
    assert proof.passed and "maker whole, as before" in proof.reason


@pytest.mark.parametrize(
    ("wrong", "right", "passed"), [(4, 1, True), (3, 4, True), (1, 4, False)]
)
def test_what_the_version_before_reads_by_chance_is_no_loss(
    wrong: int, right: int, *, passed: bool
) -> None:
    """Of a field that it reads from another's place by now."""
    names = ("sku", "title", "price", "maker")
    reader = (Reader(src=Source.CSS, at="p"),)
    specs = [FieldSpec(name=name) for name in names]
    before = Program(
        fields=tuple(FieldProgram(spec=spec, readers=reader) for spec in specs)
    )

    class Losing(Forgiving):
        def prove(
            self, program: Program, *rest: HealSample | int | Program
        ) -> ScoreSheet:
            sheet = super().prove(program)
            previous = rest[2]
            assert isinstance(previous, Program)
            is_lost = previous.field("maker") is not None
            return sheet.model_copy(update={"passed": sheet.passed and not is_lost})

    maker = FieldScore(field="maker", right=right, wrong=wrong)
    proving = Losing(GOODS, FieldScore(field="price", right=9), maker)
    mends = Repair(proving, SAMPLE, 3, before)  # type: ignore[arg-type]
    made, proof = mends.proved(before)
    assert proof.passed is passed
    assert (made.field("maker") is None) is passed


def test_what_another_reader_gets_wrong_is_no_chance_of_the_version_before() -> None:
    names = ("sku", "title", "price", "maker")
    specs = [FieldSpec(name=name) for name in names]
    places = [(Reader(src=Source.CSS, at=at),) for at in ("p", "b")]
    before, other = (
        Program(fields=tuple(FieldProgram(spec=spec, readers=place) for spec in specs))
        for place in places
    )
    maker = FieldScore(field="maker", right=1, wrong=4)
    witnesses = []

    class Watching(Forgiving):
        def prove(
            self, program: Program, *rest: HealSample | int | Program
        ) -> ScoreSheet:
            witnesses.append(rest[2])
            return super().prove(program)

    proving = Watching(GOODS, FieldScore(field="price", right=9), maker)
    Repair(proving, SAMPLE, 3, before).proved(other)  # type: ignore[arg-type]
    # The first proof, as before, and without: when it was read as before, it was wrong.
    assert [bool(one.field("maker")) for one in witnesses] == [True, True, False]  # type: ignore[union-attr]


STOCKED = HealSample(
    tuple(old(GOODS, at, good(at, stock=f"{at + 2} left")) for at in range(PAGES)),
    tuple(
        Example(page=at, records=(dict(good(at, stock=f"{at + 2} left")),))
        for at in range(PAGES)
    ),
)
BOTH = {"maker": "Lumen & Sons", "stock": "2 left"}


@pytest.mark.parametrize("more", [{}, BOTH], ids=["asked for neither", "for both"])
def test_what_nobody_asked_for_is_left_out_whatever_else_is_right(
    tmp_path: Path, more: dict[str, str]
) -> None:
    """Two fields are read as the title, and two are right."""
    town = Town(tmp_path)
    known = [dict(one.records[0]) for one in STOCKED.known[:3]]
    made = town.learn(GOODS, STOCKED.pages, known)
    wrong = Program.from_json(made.program)
    for name in ("maker", "stock"):
        wrong = reading(wrong, name, "h1")
    record = {"title": "Walnut lamp", "price": "3.50"} | more
    example = {"url": STOCKED.pages[0].url, "record": record}
    family = Family.model_validate(
        GOODS.model_dump(by_alias=True) | {"examples": [example]}
    )
    regenerator = Regenerator(family, town.store, default_pool(), "run-9")
    found, proof = Repair(regenerator, STOCKED, 3, wrong).proved(wrong)
    assert proof.passed is (not more)
    left = BOTH.keys() - fields(found).keys()
    assert left == (frozenset() if more else BOTH.keys())
