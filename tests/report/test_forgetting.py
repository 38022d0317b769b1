"""Forgotten everywhere: no file of the project names the record any more, and a receipt says what was done."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from crawloop_assets.report.exports import ExportForm, Exports
from crawloop_assets.report.forgetting import forget_everywhere
from crawloop_assets.report.html import write_page
from crawloop_assets.report.shelf import Reports
from crawloop_assets.store import (
    AuditKind,
    HeldPage,
    HeldReason,
    ShadowRow,
    ShadowRun,
    Store,
)
from crawloop_assets.store.earlier import EarlierFiles
from crawloop_assets.store.messages import MessageTo
from tests.models import Item
from tests.store.conftest import commit, fetched, served

A, B = "https://shop.test/ada-lovelace", "https://shop.test/b"


PLANTED = (b"lovelace", b"countess")
"""In the url, and in values that were read of the page."""


def _say_of(store: Store, sha256: str) -> None:
    """Everything in which something is said of the page: held values, a question's lesson, a
    shadow run, what was decided and what people were told."""
    reason = HeldReason(check="coverage", message=f"title is missing on {A}")
    held = HeldPage(
        url=A,
        page_sha256=sha256,
        version=1,
        reasons=[reason],
        values=[{"title": "countess"}],
    )
    store.commit_batch(commit("r2", batch="000002", held=[held]))
    row = ShadowRow(url=A, field="title", before="countess", after="nobody")
    store.reviews.note_shadow("shop/item", ShadowRun(version=2, beside=1, rows=(row,)))
    store.audit(
        AuditKind.HEAL_FINISHED,
        "shop/item",
        "r2",
        {"examples": [{"url": A, "got": "countess"}]},
    )
    about = MessageTo("drift:w1", "ada", "drift", "shop/item")
    store.messages.take(about)
    store.messages.done(about, f"title: countess on {A}")


def _work(home: Path) -> None:
    """What work leaves beside the store."""
    line = json.dumps({"url": A, "title": "countess"})
    for name in (
        "var/webserver.log",
        "var/journal/town.jsonl",
        "var/model_cache/bb/b.json",
    ):
        file = home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{line}\n")


def test_no_file_has_it_any_more_and_the_receipt_says_so(tmp_path: Path) -> None:
    project = Project.at(tmp_path / "project")
    store = Store(project.var, project.published)
    page = {url: store.bodies.put(f"<p>{url}".encode()) for url in (A, B)}
    items = [served(url, Item(title=f"of {url}", price=Decimal(1))) for url in (A, B)]
    got = [fetched(url, page_sha256=sha256) for url, sha256 in page.items()]
    store.commit_batch(commit("r1", items, fetched=got))
    _say_of(store, page[A])
    store.publish()
    _work(project.root)
    EarlierFiles(project.var).keep(project.published)
    Exports(project).write("shop/item", tmp_path / "rows.csv", ExportForm.CSV)
    report = write_page(Reports(project.var).of_record("shop/item", A), f"<p>{A}</p>")
    other = write_page(Reports(project.var).of_record("shop/item", B), f"<p>{B}</p>")
    lines = "".join(f"{json.dumps({'url': url})}\n" for url in (A, B))
    for name, text in {
        "journal/shop.jsonl": lines,
        "model_cache/aa/a.json": "{}",
    }.items():
        file = project.var / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    receipt = forget_everywhere(project, store, A, "ada", "asked by letter")
    named = [
        file
        for file in tmp_path.rglob("*")
        if file.is_file() and any(map(file.read_bytes().__contains__, PLANTED))
    ]
    assert named == []
    assert not store.bodies.has(page[A]) and store.bodies.has(page[B])
    assert not report.exists() and other.exists()
    assert (
        B in (tmp_path / "rows.csv").read_text()
        and B in (project.var / "journal/shop.jsonl").read_text()
    )
    kept = json.loads(receipt.file.read_text())
    assert kept["who"] == "ada" and kept["why"] == "asked by letter"
    own = {"item", "item_history", "pages", "documents", "reports", "exports"}
    expected = {*own, "kept published files", "answers of models"}
    assert expected <= set(kept["taken_out"])
    assert any("discover.exclude" in left for left in kept["left"])
    with pytest.raises(ConfigError, match="nothing is known of"):
        forget_everywhere(project, store, A, "ada", "")
