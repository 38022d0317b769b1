"""What a first version reads of the fields that it is in doubt of."""

from collections.abc import Iterator

from crawloop_assets.induce.proof.scores import PreviewRow, ScoreSheet
from crawloop_assets.store import CrawlerVersion, ShadowRow


def rows_in_doubt(version: CrawlerVersion) -> list[ShadowRow]:
    """One row for each value of a field in doubt that the preview of a version shows, with
    what tells its record apart: of several records on a page the address does not."""
    sheet = ScoreSheet.model_validate(version.score_sheet or {})
    found: dict[tuple[str, str], ShadowRow] = {}
    for row in sheet.preview:
        for one in _rows(row, sheet.unnamed):
            found.setdefault((one.field, row.cells[one.field]), one)
    return list(found.values())


def _rows(row: PreviewRow, doubted: tuple[str, ...]) -> Iterator[ShadowRow]:
    """The values in doubt of one record."""
    for name in filter(row.cells.__contains__, doubted):
        others = (each for each in row.cells.items() if each[0] not in doubted)
        beside = "".join(f" ({field} {text})" for field, text in list(others)[:1])
        value = row.cells[name] or "none"
        yield ShadowRow(url=row.url, field=name, after=f"{value}{beside}")
