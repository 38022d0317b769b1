"""What a person sees of the fields that a first version is in doubt of."""

from datetime import UTC, datetime

from crawloop_assets.desk.in_doubt import rows_in_doubt
from crawloop_assets.induce.proof.scores import PreviewRow, ScoreSheet
from crawloop_assets.store import CrawlerStatus, CrawlerVersion

PAGE = "http://town.test/lamps"


def version(*cells: dict[str, str], doubted: tuple[str, ...]) -> CrawlerVersion:
    rows = tuple(PreviewRow(url=PAGE, cells=one) for one in cells)
    sheet = ScoreSheet(unnamed=doubted, preview=rows)
    return CrawlerVersion(
        family="town/lamps",
        version=1,
        body="{}",
        sha256="",
        promoted_at=None,
        status=CrawlerStatus.AWAITING_REVIEW,
        reason="first version",
        score_sheet=sheet.model_dump(mode="json"),
        created_at=datetime.now(UTC),
    )


def test_each_value_is_shown_once_with_what_its_record_is_called() -> None:
    cells = [
        {"dimmed": "False", "number": "L1", "name": "Oak"},
        {"dimmed": "False", "number": "L2", "name": "Ash"},
        {"dimmed": "True", "number": "L3", "name": "Elm"},
        {"dimmed": "", "number": "L4", "name": "Yew"},
    ]
    rows = rows_in_doubt(version(*cells, doubted=("dimmed", "sold")))
    assert [(row.field, row.after) for row in rows] == [
        ("dimmed", "False (number L1)"),
        ("dimmed", "True (number L3)"),
        ("dimmed", "none (number L4)"),
    ]
    assert {row.url for row in rows} == {PAGE}


def test_nothing_is_shown_of_fields_without_doubt() -> None:
    assert rows_in_doubt(version({"name": "Oak"}, doubted=())) == []
    (alone,) = rows_in_doubt(version({"name": "Oak"}, doubted=("name",)))
    assert alone.after == "Oak"
