"""What a first version reads of the fields that it is in doubt of."""

from collections.abc import Collection
from itertools import filterfalse, islice

from crawloop_assets.induce.proof.scores import PreviewRow, ScoreSheet
from crawloop_assets.store import CrawlerVersion, ShadowRow


def rows_in_doubt(version: CrawlerVersion) -> list[ShadowRow]:
    """One row for each value of a field in doubt that the preview of a version shows, with
    what tells its record apart: of several records on a page the address does not."""
    sheet = ScoreSheet.model_validate(version.score_sheet or {})
    doubted = frozenset(sheet.unnamed)
    found: dict[tuple[str, str], ShadowRow] = {}
    for row in sheet.preview:
        for name in sorted(doubted.intersection(row.cells)):
            shown = ShadowRow(url=row.url, field=name, after=_said(row, name, doubted))
            found.setdefault((name, row.cells[name]), shown)
    return list(found.values())


def _said(row: PreviewRow, name: str, doubted: Collection[str]) -> str:
    """What a record says of a field, with the first thing that it says beyond doubt."""
    value = row.cells[name] or "none"
    others = filterfalse(doubted.__contains__, row.cells)
    beside = [f" ({other} {row.cells[other]})" for other in islice(others, 1)]
    return "".join((value, *beside))
