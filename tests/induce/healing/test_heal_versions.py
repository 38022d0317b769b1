"""Which of several versions of a family is heard in a heal."""

from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.induce.healing.heal import FamilyPast, HealDecision, heal_program
from crawloop_assets.schema import FieldSpec, RecordSchema
from tests.induce.pages import SCHEMA, before, example


def reading(name: str, *places: str) -> FieldProgram:
    readers = tuple(Reader(src=Source.CSS, at=at) for at in places)
    return FieldProgram(spec=SCHEMA.field(name), readers=readers)


TWO = RecordSchema(
    name="Product", fields=(SCHEMA.field("title"), FieldSpec(name="brand"))
)


def test_readers_of_older_versions_are_tried_behind_the_fields_own() -> None:
    first = Program(fields=(reading("title", ".gone"), reading("brand", ".brand-link")))
    older = Program(fields=(reading("title", ".product-title", "h1", ".gone"),))
    other = Program(fields=(reading("brand", ".brand-link"),))
    healed = heal_program(
        TWO, first, [before(0)], [example(0, 0)], past=FamilyPast(older=[other, older])
    )
    assert healed.fields["title"].decision is HealDecision.KEPT
    assert healed.program is not None
    title = healed.program.field("title")
    assert title is not None
    assert [reader.at for reader in title.readers][:2] == [".product-title", "h1"]


def test_the_version_that_reads_what_is_known_speaks_before_others() -> None:
    taught = Program(fields=(reading("title", ".product-title"), reading("brand", "x")))
    heavy = Reader(src=Source.CSS, at="nav a", weight=9.0)
    wrong = FieldProgram(spec=SCHEMA.field("title"), readers=(heavy,))
    for first, older in (
        (taught, Program(fields=(wrong,))),
        (Program(fields=(wrong,)), taught),
    ):
        healed = heal_program(
            TWO, first, [before(0)], [example(0, 0)], past=FamilyPast(older=[older])
        )
        assert healed.fields["title"].reason.startswith("still right on 1"), first
        assert healed.program is not None
        assert healed.program.field("title").readers[0].at == ".product-title"
