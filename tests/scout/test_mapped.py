from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from crawloop_assets.scout.mapped import lacking, mapped
from crawloop_assets.scout.proposal import Proposal, ProposedField

_FOUND = Proposal(
    kind=FamilyKind.DETAIL,
    fields=tuple(
        ProposedField(spec=FieldSpec(name=name))
        for name in ("headline", "byline", "count", "banner")
    ),
    examples=(
        Example(
            page=0,
            records=(
                {"headline": "A", "byline": "Jo", "count": "12", "banner": "x"},
                {"headline": "B", "byline": "Al", "count": "many"},
            ),
        ),
    ),
    key=("headline",),
)
_SCHEMA = RecordSchema(
    name="Story",
    fields=(
        FieldSpec(name="title", required=True),
        FieldSpec(name="author"),
        FieldSpec(name="count", kind=FieldKind.INTEGER),
        FieldSpec(name="published", kind=FieldKind.DATE, required=True),
    ),
)


def test_only_the_fields_of_the_model_are_left_in_its_names_and_types() -> None:
    story = mapped(_FOUND, _SCHEMA)
    assert [one.spec for one in story.fields] == list(_SCHEMA.fields[:3])
    assert story.key == ("title",)
    assert story.examples[0].records == (
        {"title": "A", "author": "Jo", "count": 12},
        {"title": "B", "author": "Al"},
    )


def test_a_required_field_that_was_not_found_is_named() -> None:
    assert lacking(mapped(_FOUND, _SCHEMA), _SCHEMA) == ["published"]


def test_a_place_that_the_field_cannot_hold_is_none() -> None:
    dated = FieldSpec(name="headline", kind=FieldKind.DATE)
    schema = RecordSchema(name="Story", fields=(dated,))
    assert not mapped(_FOUND, schema).fields
