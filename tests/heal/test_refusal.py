"""What a regeneration that made nothing says as an error."""

from pathlib import Path

from crawloop_assets.heal.refusal import failure
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.induce.proof.scores import FieldScore, PreviewRow, ScoreSheet
from crawloop_assets.page import Page
from tests.heal.town import GOODS, Town, good

PAGE = Page(
    url="http://town.test/p/0",
    body=b"<html><body><p>Nothing is sold here.</p></body></html>",
    headers={"content-type": "text/html"},
)


def test_what_is_not_compiled_says_what_to_write(tmp_path: Path) -> None:
    """Of the first value of each field that nothing reads: whether its page shows it, and what to do."""
    town = Town(tmp_path)
    made = town.learn(GOODS, [PAGE], [good(0)])
    assert made.outcome is RegenerationOutcome.REJECTED
    error = failure(made)
    assert error.scores["title"] == (
        f'the example of {PAGE.url} says "Walnut lamp", but the page does not show it: '
        "write what the page shows, or leave the field out of the example"
    )
    assert "no crawler could be compiled: no reader for required title" in str(error)


def test_a_failure_says_of_every_field_what_stands_against_it() -> None:
    sheet = ScoreSheet(
        fields=(
            FieldScore(field="price", reason="gone"),
            FieldScore(field="title"),
            FieldScore(field="maker", right=3, readers=2),
        )
    )
    error = failure(
        Regeneration(RegenerationOutcome.REJECTED, "it did not pass", scores=sheet)
    )
    assert "it did not pass" in str(error)
    silent = "none of its known values stands on the pages, no reader was found"
    assert error.scores == {"price": "gone", "title": silent}
    assert failure(Regeneration(RegenerationOutcome.REJECTED, "no")).scores == {}


def test_a_failure_shows_a_row_of_what_would_be_read_of_all_else() -> None:
    cells = {"title": "Walnut lamp", "price": "3.50", "maker": ""}
    rows = tuple(
        PreviewRow(url=f"http://town.test/p/{at}", cells=cells) for at in (0, 1)
    )
    sheet = ScoreSheet(reason="no reader for required stock", preview=rows)
    made = Regeneration(RegenerationOutcome.REJECTED, "not compiled", scores=sheet)
    said = "of http://town.test/p/0 would be read title 'Walnut lamp', price '3.50'"
    assert str(failure(made)).count("would be read") == 1
    assert said in str(failure(made)) and "maker" not in str(failure(made))
