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


def _opinions(cases: tuple[tuple[str, str, str], ...]) -> list[Values]:
    return [
        {
            "name": name,
            "date": date,
            "docket_number": docket,
            "url": f"https://court.example/opinions/{docket}.pdf",
        }
        for name, date, docket in cases
    ]


def court_pack(folder: Path) -> Path:
    """A court's list of opinions; after the switch another layout, and not one case of before is still on it."""
    (folder / "court").mkdir(parents=True)
    old = "".join(
        f'<tr class="case"><td class="day">{one["date"]}</td><td class="no">{one["docket_number"]}</td>'
        f'<td class="style"><a href="/opinions/{one["docket_number"]}.pdf">{one["name"]}</a></td></tr>'
        for one in _opinions(CASES)
    )
    new = "".join(
        f'<div class="opinion-card"><h3><a href="/opinions/{one["docket_number"]}.pdf">{one["name"]}</a></h3>'
        f'<p class="meta"><time>{one["date"]}</time> <span>{one["docket_number"]}</span></p></div>'
        for one in _opinions(LATER_CASES)
    )
    (folder / "court/old.html").write_text(
        f"<html><body><h1>Opinions</h1><table>{old}</table></body></html>"
    )
    (folder / "court/new.html").write_text(
        f"<html><body><h1>Opinions</h1><main>{new}</main></body></html>"
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
            "records": _opinions(LATER_CASES),
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
