from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.schema import FieldSpec
from crawloop_assets.scout.proposal import Proposal, ProposedField

PROPOSAL = Proposal(
    kind=FamilyKind.LISTING,
    fields=tuple(
        ProposedField(spec=FieldSpec(name=name)) for name in ("title", "price")
    ),
    examples=(Example(page=0, records=({"title": "A", "price": "1"}, {"title": "B"})),),
    key=("title",),
)


def test_a_field_is_left_out_everywhere() -> None:
    less = PROPOSAL.without(frozenset({"price"}))
    assert [one.spec.name for one in less.fields] == ["title"]
    assert less.examples[0].records == ({"title": "A"}, {"title": "B"})
    assert less.schema_named("Thing").name == "Thing"


def test_a_file_shows_the_first_rows() -> None:
    assert PROPOSAL.shown(1)[0].records == ({"title": "A", "price": "1"},)
