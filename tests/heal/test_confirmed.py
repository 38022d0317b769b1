"""Known values that confirm what was made."""

import pytest

from crawloop_assets.heal.confirmed import unconfirmed
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.schema import FieldKind, FieldSpec, RecordSchema

SCHEMA = RecordSchema(
    name="Opinion",
    fields=(
        FieldSpec(name="number"),
        FieldSpec(name="decided", kind=FieldKind.DATE, required=True),
        FieldSpec(name="price", kind=FieldKind.NUMBER, required=True, volatile=True),
        FieldSpec(name="pdf", kind=FieldKind.URL, required=True),
        FieldSpec(name="court"),
    ),
)


def lost(field: str, key: tuple[str, ...] = (), **counts: int) -> list[str]:
    score = FieldScore(field=field, **{"readers": 1, **counts})
    return list(unconfirmed(SCHEMA, key, ScoreSheet(fields=(score,))))


def test_a_date_whose_known_values_are_all_gone_confirms_nothing() -> None:
    assert lost("decided", changed=4) == ["decided"]
    assert lost("decided", changed=4, right=1) == []
    assert lost("decided") == [], "nothing was known"
    assert lost("decided", changed=4, readers=0) == [], "it is asked for"


@pytest.mark.parametrize("field", ["price", "pdf", "court", "number"])
def test_what_moves_or_may_be_missing_need_not_be_right(field: str) -> None:
    assert lost(field, changed=4) == []


def test_what_tells_records_apart_has_to_be_right_somewhere() -> None:
    assert lost("number", key=("number", "pdf"), changed=4) == ["number"]
    assert lost("pdf", key=("number", "pdf"), changed=4) == [], "addresses move"


def test_a_few_words_more_or_less_confirm_what_tells_no_records_apart() -> None:
    assert lost("decided", changed=4, retold=1) == []
    assert lost("number", key=("number",), changed=4, retold=1) == ["number"]
