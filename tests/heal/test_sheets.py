"""Score sheets put together from two looks at a version."""

from crawloop_assets.heal.sheets import first_scores, without_named
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet


def sheet(**changes: object) -> ScoreSheet:
    return ScoreSheet(fields=(FieldScore(field="price", **changes),))  # type: ignore[arg-type]


def test_a_first_version_that_something_speaks_against_is_on_probation() -> None:
    made = first_scores(
        sheet(held_out=0.5), sheet().model_copy(update={"passed": False})
    )
    assert made.probation
    assert made.fields[0].held_out == 0.5


def test_what_is_still_named_is_not_gone() -> None:
    proof = sheet(gone=True)
    assert without_named(proof, sheet(gone=True)).fields[0].gone
    assert not without_named(proof, sheet(gone=False)).fields[0].gone
