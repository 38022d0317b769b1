"""Choices that pages say and the model does not know."""

import pytest

from crawloop_assets.crawler.extraction import NO_VOTE, ExtractedRecord, Extraction
from crawloop_assets.drift.batch import judge_batch
from crawloop_assets.drift.check import CheckName, Severity
from crawloop_assets.drift.outcome import PageOutcome
from crawloop_assets.drift.unlisted import assess_unlisted
from crawloop_assets.family import Family
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema
from tests.drift import small

FAMILY = Family.model_validate(
    {"family": "rail/train", "schema": "tests.models:Item", "discover": {}}
)


def schema(*, required: bool = False) -> RecordSchema:
    status = FieldSpec(
        name="status",
        kind=FieldKind.CHOICE,
        choices=("on time", "late"),
        required=required,
    )
    return RecordSchema(name="Train", fields=(FieldSpec(name="number"), status))


def page(at: int, unlisted: str) -> PageOutcome:
    """A train that says what is no choice, or nothing at all."""
    values = {"number": f"RE{at}"}
    votes = {"status": NO_VOTE.model_copy(update={"unlisted": unlisted})}
    read = ExtractedRecord(values=dict(values), votes=votes)
    return PageOutcome(
        url=f"http://rail.test/{at}",
        values=(values,),
        extraction=Extraction(records=(read,)),
        facts=small.facts(),
    )


def test_what_is_no_choice_is_a_warning_that_names_it_and_holds_nothing() -> None:
    pages = [page(0, ""), page(1, "Diverted"), page(2, "Diverted")]
    judged = judge_batch(schema(), FAMILY, pages)
    (said,) = (one for one in judged.checks if one.name is CheckName.SCHEMA)
    assert (said.passed, said.severity) == (False, Severity.WARN)
    assert said.sentence == (
        'status says "Diverted", which is none of its choices: 2 records, in which it is nothing; add it to the model'
    )
    assert [(one.url[-1], one.got) for one in said.examples] == [
        ("1", "Diverted"),
        ("2", "Diverted"),
    ]
    assert not judged.held
    assert not judged.drifted


@pytest.mark.parametrize(
    ("required", "said"), [(True, "Diverted"), (False, "")], ids=["required", "nothing"]
)
def test_what_says_so_itself_or_nothing_is_none(required: bool, said: str) -> None:
    assert not list(assess_unlisted(schema(required=required), [page(0, said)]))
