"""Parsed pages and readers for the tests of this folder."""

from crawloop_assets.crawler.program import Kin, Reader, Source
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.candidate import CandidateReader
from crawloop_assets.induce.locate.places import Index
from crawloop_assets.page import Page


def document(body: str, head: str = "") -> Document:
    html = f"<html><head>{head}</head><body>{body}</body></html>"
    return Document(
        Page(
            url="https://acme.example/1",
            body=html.encode(),
            headers={"content-type": "text/html; charset=utf-8"},
        )
    )


def index(body: str, head: str = "", main: tuple[str, ...] = ()) -> Index:
    return Index(document(body, head), "Recipe", main)


def linked(json: str) -> str:
    return f'<script type="application/ld+json">{json}</script>'


def by_css(at: str, kin: Kin = Kin.CLASS, get: str = "text") -> Reader:
    return Reader(src=Source.CSS, at=at, get=get, kin=kin)


def by_json(at: str, kin: Kin = Kin.JSONLD) -> Reader:
    return Reader(src=Source.JSON, at=at, get="value", kin=kin)


def by_label(at: str, get: str = "next") -> Reader:
    return Reader(src=Source.LABEL, at=at, get=get, kin=Kin.LABEL)


def candidate(
    reader: Reader, prior: float = 1.0, named: float = 1.0, alone: bool = True
) -> CandidateReader:
    return CandidateReader(reader, prior, named, alone)
