"""A yes or a no behind its label in a longer text, and what is none but counts."""

import json

import pytest

from crawloop_assets.crawler.read import Scope
from crawloop_assets.crawler.transforms import apply
from crawloop_assets.document.document import Document
from crawloop_assets.induce.locate.flags import (
    behind_labels,
    counts_somewhere,
    flag_proposals,
)
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.parse import parse_value
from tests.induce.detail.documents import by_json

REMOTE = FieldSpec(name="remote", kind=FieldKind.BOOLEAN)


@pytest.mark.parametrize(
    ("text", "truth", "labels"),
    [
        ("Night · Remote: no", False, ["Remote: "]),
        ("Remote: sí, Shifts: no", True, ["Remote: "]),
        ("Remote: sí, Shifts: no", False, ["Shifts: "]),
        ("Remote: perhaps", True, []),
        ("no", False, []),
        ("Room: 1", True, []),
    ],
)
def test_the_label_before_the_word(text: str, truth: bool, labels: list[str]) -> None:
    assert list(behind_labels(text, truth)) == labels


def test_what_is_proposed_reads_the_value_wherever_the_label_stands() -> None:
    (pipe,) = flag_proposals("Night · Remote: no · Vigo", False, REMOTE)
    for text, truth in (("Remote: yes", True), ("A · Remote: no; B", False)):
        (word,) = apply(pipe, [text])
        assert parse_value(word, REMOTE) is truth
    assert apply(pipe, ["Night"]) == []


@pytest.mark.parametrize(
    ("kind", "left", "counts"),
    [
        (FieldKind.BOOLEAN, [1, 0, 3], True),
        (FieldKind.BOOLEAN, [1, 0, 1], False),
        (FieldKind.BOOLEAN, [True, False, None], False),
        (FieldKind.INTEGER, [1, 0, 3], False),
    ],
)
def test_a_key_that_counts_on_some_page_is_no_flag(
    kind: FieldKind, left: list[object], counts: bool
) -> None:
    pages = [
        Document(
            Page(
                url=f"https://shop.example/{at}",
                body=json.dumps({"left": one}).encode(),
                headers={"content-type": "application/json"},
            )
        )
        for at, one in enumerate(left)
    ]
    reader = by_json("body.left")
    spec = FieldSpec(name="stocked", kind=kind)
    assert counts_somewhere(reader, spec, list(map(Scope, pages))) is counts
