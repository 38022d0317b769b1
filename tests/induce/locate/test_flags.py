"""A yes or a no behind its label in a longer text."""

import pytest

from crawloop_assets.crawler.transforms import apply
from crawloop_assets.induce.locate.flags import behind_labels, flag_proposals
from crawloop_assets.schema import FieldKind, FieldSpec
from crawloop_assets.values.parse import parse_value

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
