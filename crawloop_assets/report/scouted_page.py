"""What scout found as a page: its tables, and the stored pages beside them. A click on a
cell and then on the element that is right gives the line that corrects it."""

from collections.abc import Iterator, Sequence
from html import escape

from pydantic import BaseModel, ConfigDict

from crawloop_assets.report.html import (
    asked_frame_html,
    heading_html,
    note_html,
    page_html,
)

_HOW = (
    "Cells with a ? are not sure. Is one wrong? Click it, then what is right on the page below. "
    "The lines that appear here are the answers that `crawloop scout` waits for in the terminal: paste them one by one."
)
_LOOKS = """<style>
td[data-cell] { cursor: pointer } td[data-cell]:hover { background: #eef4ff }
td.chosen { outline: 2px solid #2b62c9 } td.unsure { background: #fff6da } td.said { background: #d8ecd4 }
#said { position: sticky; top: 0; z-index: 1; min-height: 1.5rem } tr:target, details[open] { scroll-margin: 5rem }
</style>"""
_SCRIPT = """(() => {
  const said = document.getElementById("said"), lines = new Map();
  const words = (element) => (element.dataset.shows || element.innerText).trim().replace(/\\s+/g, " ")
    .replace(/^\\[\\w+: (.*)\\]$/, "$1");
  let cell = null;
  const correct = (frame, element) => {
    if (!cell || cell.dataset.page !== frame.dataset.page) return;
    cell.textContent = words(element);
    cell.className = "chosen said";
    lines.set(cell.dataset.cell, words(element));
    said.textContent = Array.from(lines, ([at, text]) => at + " = " + text).join("\\n");
  };
  for (const each of document.querySelectorAll("td[data-cell]")) each.addEventListener("click", () => {
    if (cell) cell.classList.remove("chosen");
    cell = each;
    cell.classList.add("chosen");
    const frame = document.querySelector(`iframe[data-page="${cell.dataset.page}"]`);
    if (!frame) return;
    frame.parentElement.open = true;
    frame.scrollIntoView({block: "nearest"});
  });
  for (const frame of document.querySelectorAll("iframe")) {
    const hear = () => { frame.contentDocument.onclick = (event) => correct(frame, event.target); };
    frame.addEventListener("load", hear);
    hear();
  }
})();"""


class ScoutedCell(BaseModel):
    """The text of a cell, and whether it is sure."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    is_sure: bool


class ScoutedTable(BaseModel):
    """The rows of a family: each with its number, its page (a url) and its cells, in the
    order of the names. `pages` are the stored pages, made harmless, by their url."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    family: str
    notes: tuple[str, ...]
    names: tuple[str, ...]
    rows: tuple[tuple[int, str, tuple[ScoutedCell, ...]], ...]
    pages: dict[str, str]


def scouted_html(url: str, tables: Sequence[ScoutedTable]) -> str:
    """The whole page."""
    return page_html(f"What scout found at {url}", _HOW, _parts(tables), _SCRIPT)


def _parts(tables: Sequence[ScoutedTable]) -> Iterator[str]:
    """The lines to paste, and of every family its table and its pages."""
    yield _LOOKS
    yield '<pre id="said"></pre>'
    for table in tables:
        yield heading_html(table.family)
        yield from map(note_html, table.notes)
        yield _table(table)
        for url, shown in table.pages.items():
            page = f"{table.family} {url}"
            frame = asked_frame_html(shown, page)
            yield f"<details><summary>{escape(url)}</summary>{frame}</details>"


def _table(table: ScoutedTable) -> str:
    """The rows, each cell with the beginning of the line that corrects it."""
    head = "".join(f"<th>{escape(name)}</th>" for name in ("row", *table.names))
    body = "".join(map("<tr>{}</tr>".format, _rows(table)))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _rows(table: ScoutedTable) -> Iterator[str]:
    """The cells of every row."""
    for number, url, cells in table.rows:
        page = escape(f"{table.family} {url}")
        named = zip(table.names, cells, strict=True)
        marked = (
            f'<td data-page="{page}" data-cell="{number} {escape(name)}"{_looks(cell)}</td>'
            for name, cell in named
        )
        yield f"<td>{number}</td>{''.join(marked)}"


def _looks(cell: ScoutedCell) -> str:
    """The end of a cell's start, and its text."""
    if cell.is_sure or not cell.text:
        return f">{escape(cell.text)}"
    return f' class="unsure">{escape(cell.text)} ?'
