"""The explanation of a row as a static page: what is known of it, every reader, and the
stored page with the places marked."""

from collections.abc import Iterator

from crawloop_assets.crawler.trace import FieldTrace
from crawloop_assets.report.explained import (
    ExplainedRow,
    minute,
    one_line,
    reader_says,
    votes_say,
)
from crawloop_assets.report.html import (
    facts_html,
    frame_html,
    heading_html,
    note_html,
    page_html,
    table_html,
)


def explained_html(family: str, row: ExplainedRow) -> str:
    """The whole page."""
    what = f"{family}: {row.field}" if row.field else f"{family}: a row"
    value = one_line(row.row.values.get(row.field)) if row.field else row.row.key
    return page_html(
        f"{what} = {value}" if row.field else f"{what} {value}",
        row.row.url,
        _parts(row),
    )


def _parts(row: ExplainedRow) -> Iterator[str]:
    """The parts of the page, the page that was read first."""
    if row.seen:
        yield frame_html(row.seen.shown)
        yield note_html(
            "This is the stored page without its styles, scripts and links: what is read may be hidden on the site."
        )
    yield heading_html("Where it comes from")
    yield facts_html(row.facts())
    if not row.field:
        yield heading_html("Values")
        yield table_html(("field", "value", "votes", "changed"), _values(row))
    for field in row.fields:
        yield heading_html(f"Readers of {field.name}")
        yield table_html(
            ("reader", "kind", "weight", "steps", "agrees"), _readers(field)
        )
        yield note_html(votes_say(field))


def _values(row: ExplainedRow) -> Iterator[tuple[str, str, str, str]]:
    """Every value of the row, how it was voted on, and when it last changed."""
    votes = {one.name: votes_say(one) for one in row.fields}
    for name, value in row.row.values.items():
        changes = [change for change, _ in row.row.history(name)]
        changed = minute(changes[-1].changed_at) if changes else ""
        yield name, one_line(value), votes.get(name, ""), changed


def _readers(field: FieldTrace) -> Iterator[tuple[str, str, str, str, str]]:
    """Every reader of a field with its steps."""
    for reader in field.readers:
        silent = "silent" if reader.value is None else "no"
        yield (
            reader.line,
            reader.kind.value,
            f"{reader.weight:g}",
            "\n".join(reader_says(reader)),
            "yes" if reader.agrees else silent,
        )
