"""Pages written for tests of page kinds: walls in many languages and structures, and wanted pages that mention what
walls say, from which no record is read either.

A line a page: its name, its verdict and its markup. `walls` and `honest` were at hand while the rules were written;
the rules and words were not changed for the pages that are held back.
"""

from pathlib import Path
from typing import NamedTuple

from crawloop_assets.page import Verdict

LONG = "<p>" + "A kettle of copper for the stove, made to last a life. " * 90 + "</p>"
MORE = "<h2>You may also like</h2>" + "".join(
    f"<a href='/p/{n}'>Lamp {n} for the hall, brushed brass, 12.{n} €</a>"
    for n in range(10, 90)
)


class Written(NamedTuple):
    """One page and what it is."""

    verdict: Verdict
    body: str


def written(name: str) -> dict[str, Written]:
    """The pages of a file by their names."""
    text = Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")
    pages = {}
    for line in text.splitlines():
        title, verdict, body = line.split("\t")
        filled = body.replace("{LONG}", LONG).replace("{MORE}", MORE)
        pages[title] = Written(Verdict(verdict), f"<!doctype html>{filled}")
    return pages
