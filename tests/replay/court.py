"""A made-up redesign of a court's list of opinions, none of which is on the page after it."""

import json
from pathlib import Path

from tests.replay.kitchen import Values

CASES = (
    ("Harrow v. Pell County", "2024-03-04", "H-2201"),
    ("Estate of Minna Lorne", "2024-03-11", "L-2207"),
    ("Vance Quarry Co. v. Ostrander", "2024-03-18", "V-2214"),
    ("State v. Tobias Fenwick", "2024-03-25", "S-2230"),
    ("In re Marriage of Calder", "2024-04-02", "M-2241"),
    ("Brandt v. Northfield Rail", "2024-04-09", "B-2256"),
)
LATER_CASES = (
    ("Oakes v. Merrow Township", "2025-01-07", "O-3102"),
    ("State v. Lydia Crane", "2025-01-14", "S-3119"),
    ("Pell Foundry v. Ashdown", "2025-01-21", "P-3127"),
    ("Estate of Rufus Halloway", "2025-01-28", "H-3140"),
    ("In re Guardianship of Wynn", "2025-02-04", "W-3155"),
    ("Tamsin v. Greer Mills", "2025-02-11", "T-3161"),
)


Cases = tuple[tuple[str, str, str], ...]
"""Of each its name, its day and its number."""


def _opinions(cases: Cases) -> list[Values]:
    return [
        {
            "name": name,
            "date": date,
            "docket_number": docket,
            "url": f"https://court.example/opinions/{docket}.pdf",
        }
        for name, date, docket in cases
    ]


MANY_CASES = LATER_CASES + tuple(
    (f"{name} (rehearing)", date.replace("2025", "2026"), docket.replace("-3", "-4"))
    for name, date, docket in LATER_CASES
)


def _rows(cases: Cases, row: str = "case") -> str:
    """Rows of a table."""
    return "".join(
        f'<tr class="{row}"><td class="day">{one["date"]}</td><td class="no">{one["docket_number"]}</td>'
        f'<td class="style"><a href="/opinions/{one["docket_number"]}.pdf">{one["name"]}</a></td></tr>'
        for one in _opinions(cases)
    )


def _cards(cases: Cases) -> str:
    """The same in another layout."""
    return "".join(
        f'<div class="opinion-card"><h3><a href="/opinions/{one["docket_number"]}.pdf">{one["name"]}</a></h3>'
        f'<p class="meta"><time>{one["date"]}</time> <span>{one["docket_number"]}</span></p></div>'
        for one in _opinions(cases)
    )


def _press(cases: Cases) -> str:
    """The same as a table with headings, whose links open a window of the page."""
    heads = "".join(
        f"<th>{one}</th>" for one in ("Filed on", "Case name", "Docket no.", "Document")
    )
    rows = "".join(
        f"<tr><td><span>{one['date']}</span></td><td><b>{one['name']}</b></td><td><i>{one['docket_number']}</i></td>"
        f'<td><a href="#window" data-document="{one["url"]}" title="Read the opinion">Open</a></td></tr>'
        for one in _opinions(cases)
    )
    return f'<section class="release"><table><tr>{heads}</tr>{rows}</table></section>'


def press_pack(folder: Path) -> Path:
    """A court that shows its list in another way, and not one case of before is in it."""
    return court_pack(folder, _press(MANY_CASES), MANY_CASES)


def renamed_rows_pack(folder: Path) -> Path:
    """A court whose rows are called otherwise after the switch, and not one case of before is among them."""
    renamed = f"<table>{_rows(MANY_CASES, 'entry')}</table>"
    return court_pack(folder, renamed, MANY_CASES)


def court_pack(
    folder: Path,
    new: str = f"<main>{_cards(LATER_CASES)}</main>",
    later: Cases = LATER_CASES,
) -> Path:
    """A court's list of opinions; after the switch another layout, and not one case of before is still on it."""
    (folder / "court").mkdir(parents=True)
    old = _rows(CASES)
    (folder / "court/old.html").write_text(
        f"<html><body><h1>Opinions</h1><table>{old}</table></body></html>"
    )
    (folder / "court/new.html").write_text(
        f"<html><body><h1>Opinions</h1>{new}</body></html>"
    )
    url = "https://court.example/opinions"
    pages = [
        {
            "id": "old",
            "file": "court/old.html",
            "url": url,
            "records": _opinions(CASES),
        },
        {
            "id": "new",
            "file": "court/new.html",
            "url": url,
            "records": _opinions(later),
        },
    ]
    redesigns = [{"before": ["old"], "after": ["new"]}]
    family = {
        "family": "court",
        "schema": "Opinion",
        "kind": "listing",
        "pages": pages,
        "redesigns": redesigns,
    }
    (folder / "index.json").write_text(json.dumps({"format": 1, "families": [family]}))
    return folder
