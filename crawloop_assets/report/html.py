"""Static pages for people: nothing asked for from anywhere, every text escaped, and no
script but one of our own, which the page names by its digest."""

import os
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import partial
from hashlib import sha256
from html import escape
from pathlib import Path

from crawloop_assets.document.display import FIRST_MARK
from crawloop_assets.store.lock import OWNER_ONLY

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)
_STYLE = """
:root { color-scheme: light; font: 15px/1.5 system-ui, sans-serif; color: #1b2330; background: #f5f6f8 }
body { max-width: 76rem; margin: 0 auto; padding: 1.5rem }
h1 { font-size: 1.35rem; margin: 0 0 .2rem; overflow-wrap: anywhere }
h2 { font-size: 1.05rem; margin: 1.6rem 0 .5rem }
.sub { color: #5b6675; margin: 0 0 1rem; overflow-wrap: anywhere; white-space: pre-line }
table { border-collapse: collapse; width: 100%; background: #fff; border: 1px solid #dde1e7; border-radius: 6px }
th, td { text-align: left; vertical-align: top; padding: .4rem .7rem; border-top: 1px solid #eceff3;
  overflow-wrap: anywhere; white-space: pre-line }
th { color: #5b6675; font-weight: 600; white-space: nowrap; overflow-wrap: normal }
thead th { background: #f9fafb }
code, pre { font: 13px/1.45 ui-monospace, monospace }
pre { background: #fff; border: 1px solid #dde1e7; border-radius: 6px; padding: .7rem; overflow: auto }
.pair { display: flex; gap: 1rem }
.pair img { width: calc(50% - .5rem); box-sizing: border-box; border: 1px solid #b9c1cc; border-radius: 6px }
iframe { width: 100%; height: 36rem; border: 1px solid #b9c1cc; border-radius: 6px; background: #fff }
.good { color: #136c3a } .bad { color: #a3261b }
.key span { padding: .05rem .4rem; border-radius: 3px; margin-right: .5rem }
.read { background: #ffe27a } .also { background: #d8ecd4 } .against { background: #f7cfc9 }
"""
_FRAME_STYLE = """
@keyframes there { from, to { scroll-snap-type: y mandatory } }
html { font: 14px/1.45 system-ui, sans-serif; color: #222; animation: there 1s }
body { margin: .8rem; overflow-wrap: anywhere }
table { border-collapse: collapse } td, th { padding: .1rem .4rem; vertical-align: top }
[data-shows]::before { content: attr(data-shows); color: #7a8391; font-size: 12px }
.read, .also, .against { outline: 2px solid; outline-offset: 1px; scroll-margin: 8rem }
.read { background: #ffe27a; outline-color: #b98900 }
.also { background: #d8ecd4; outline-color: #4f9a43 }
.against { background: #f7cfc9; outline-color: #b7392b }
.read::after, .also::after, .against::after { content: "◂ " attr(data-says); display: inline-block; max-width: 40em;
  margin-left: .4em; padding: 0 .4em; font: 600 12px/1.5 system-ui, sans-serif; color: #fff; background: #444;
  border-radius: 3px; white-space: normal }
.read::after { background: #8a6500 } .against::after { background: #8f2a1f }
body > .read, body > .also, body > .against { margin: .5rem 0; padding: .3rem .5rem }
#FIRST { scroll-initial-target: nearest; scroll-snap-align: center }
""".replace("FIRST", FIRST_MARK)


def page_html(title: str, subtitle: str, parts: Iterable[str], script: str = "") -> str:
    """A whole page of parts that are markup already; `script` is all that runs on it."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    policy = f"{POLICY}; script-src 'sha256-{digest}'" if script else POLICY
    run = f"<script>{script}</script>" if script else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="referrer" content="no-referrer"><title>{escape(title)}</title><style>{_STYLE}</style></head>'
        f'<body><h1>{escape(title)}</h1><p class="sub">{escape(subtitle)}</p>{"".join(parts)}{run}</body></html>\n'
    )


def facts_html(facts: Iterable[tuple[str, str]]) -> str:
    """Two columns: about what, and what is said of it."""
    rows = (
        f"<tr><th>{escape(about)}</th><td>{escape(says)}</td></tr>"
        for about, says in facts
    )
    return f"<table>{''.join(rows)}</table>"


def table_html(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table with a head; cells are texts."""
    cells = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def heading_html(text: str) -> str:
    """The heading of a part."""
    return f"<h2>{escape(text)}</h2>"


def note_html(text: str) -> str:
    """A sentence of our own."""
    return f'<p class="sub">{escape(text)}</p>'


def lines_html(lines: Iterable[str]) -> str:
    """Lines as they are."""
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def frame_html(shown: str) -> str:
    """A page that was made harmless, in a frame that runs nothing and leads nowhere,
    scrolled to what is marked first."""
    return (
        '<p class="key"><span class="read">read here</span><span class="also">says the same</span>'
        '<span class="against">says something else, or was not taken</span></p>'
        f'<iframe sandbox referrerpolicy="no-referrer" title="the stored page" srcdoc="{_framed(shown)}"></iframe>'
    )


def asked_frame_html(shown: str, page: str) -> str:
    """The same without the key, where the script of our page may hear what is clicked;
    in the frame itself nothing runs either. `page` is what the script calls it."""
    return (
        f'<iframe sandbox="allow-same-origin" referrerpolicy="no-referrer" title="the stored page" '
        f'data-page="{escape(page)}" srcdoc="{_framed(shown)}"></iframe>'
    )


def _framed(shown: str) -> str:
    """The document of a frame, as an attribute holds it."""
    return escape(
        f'<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{POLICY}"><style>{_FRAME_STYLE}</style></head><body>{shown}</body></html>'
    )


def pictures_html(pictures: Iterable[bytes]) -> str:
    """Pictures (JPEG) side by side, in the page itself."""
    texts = (b64encode(picture).decode("ascii") for picture in pictures)
    shown = (f'<img src="data:image/jpeg;base64,{text}" alt="">' for text in texts)
    return f'<div class="pair">{"".join(shown)}</div>'


def write_page(file: Path, text: str) -> Path:
    """Write a page that only its owner reads, in a folder that is made if it is not there;
    one that is there may be anybody's, and stays as it is."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    owned = partial(os.open, mode=OWNER_ONLY)
    with open(file, "w", encoding="utf-8", errors="replace", opener=owned) as page:
        page.write(text)
    return file
