"""Which of several fields a person is asked of first."""

from dataclasses import replace

from crawloop_assets.heal.question import question_of
from crawloop_assets.heal.stuck import StuckFamily
from crawloop_assets.induce.proof.scores import FieldScore, ScoreSheet
from crawloop_assets.store import QuestionKind
from tests.heal.sights import SINCE, asked, sight


def test_a_field_without_a_reader_goes_before_news_of_optional_ones() -> None:
    news = {"held": 4, "news": 4}
    price, maker = sight("price", required=True, read=0), sight("maker", read=0)
    for sheet in (ScoreSheet(), ScoreSheet(fields=(FieldScore(field="price"),))):
        sights = [sight("rating", **news), price, maker]
        question = question_of(StuckFamily(SINCE, sights, sheet))
        assert question.fields == ("price", "rating")
        assert question.sentence.endswith(
            "`price` was not found on these pages: show that first"
        )
    read = StuckFamily(SINCE, [sight("rating", **news), replace(price, read=5)])
    assert question_of(read).fields == ("rating",)


def test_a_field_that_keeps_back_all_that_was_found_again_goes_first() -> None:
    brand, code = sight("brand", read=0), sight("code", required=True, read=0)
    scores = (
        FieldScore(field="brand", readers=3, right=5),
        FieldScore(field="code", required=True, readers=2, right=3, silent=2),
    )
    kind, sentence = asked(brand, code, sheet=ScoreSheet(fields=scores))
    assert kind == QuestionKind.UNREAD and "no version reads `code` from" in sentence
    read = scores[1].model_copy(update={"silent": 0})
    _, sentence = asked(brand, code, sheet=ScoreSheet(fields=(scores[0], read)))
    assert "known values of `brand`" in sentence
