"""What says the known text and a few words more is told from what says another one."""

import pytest

from crawloop_assets.induce.proof.completed import (
    have_same_added,
    is_completed,
    is_retold,
)
from crawloop_assets.schema import FieldKind, FieldSpec, Shape
from crawloop_assets.values.value import Value

COOK = FieldSpec(name="cook")
STEPS = FieldSpec(name="steps", shape=Shape.LIST)
PAGE = FieldSpec(name="page", kind=FieldKind.URL)


@pytest.mark.parametrize(
    ("spec", "known", "read", "completed"),
    [
        (COOK, "Mira", "Mira Holm", True),
        (COOK, "Mira Holm", "Chef Mira Holm", True),
        (COOK, "dulse.example", "Dulse.example kitchen", True),
        (COOK, "Mira Holm", "Mira", False),
        (COOK, "Mira", "Chef Mira Holm", False),
        (COOK, "Mira", "Mira and her four brothers", False),
        (COOK, "Mira", "Miranda", False),
        (COOK, "Mira", None, False),
        (COOK, "", "Mira", False),
        (
            STEPS,
            ["Chop the leek.", "Boil it."],
            ["First: Chop the leek.", "Boil it."],
            True,
        ),
        (STEPS, ["Chop the leek.", "Boil it."], ["Chop the leek."], False),
        (
            STEPS,
            ["Chop the leek.", "Boil it."],
            ["Boil it.", "Chop the leek."],
            False,
        ),
        (PAGE, "https://dulse.example/a", "https://dulse.example/a/b", False),
    ],
)
def test_what_is_completed(
    spec: FieldSpec, known: Value, read: Value, completed: bool
) -> None:
    assert is_completed(spec, known, read) is completed


@pytest.mark.parametrize(
    ("known", "read", "retold"),
    [
        ("Leek broth", "Leek broth for cold days", True),
        ("Summer leek broth", "Leek broth", True),
        ("Leek broth", "Onion broth", False),
        ("Make tender leeks in broth", "Make tender leeks and broth", True),
        ("Make leeks in a broth", "Make onions in a soup", False),
        ("Make tender leeks at home", "Make tender leeks in clear broth", False),
        ("Make 4 tender leeks in broth", "Make 6 tender leeks in broth", False),
        ("All leeks from Oakham at noon", "All leeks from Oakham at one", True),
        ("No leeks in all of Oakham", "No leeks at all in all of Oakham", True),
        ("Leek broth", None, False),
        (None, "Leek broth", False),
    ],
)
def test_what_is_retold(known: Value, read: Value, retold: bool) -> None:
    assert is_retold(COOK, known, read) is retold


@pytest.mark.parametrize(
    ("pairs", "same"),
    [
        ([("Leek", "Old Leek"), ("Onion", "Old Onion"), ("Kale", "Old Kale")], True),
        ([("Leek", "Old Leek"), ("Onion", "Onion"), ("Kale", "Old Kale")], False),
        ([("Leek", "Old Leek"), ("Onion", "New Onion"), ("Kale", "Old Kale")], False),
        ([("Mira", "Mira Holm")] * 5, False),
        ([("Leek", "Leek"), ("Onion", "Onion"), ("Kale", "Kale")], False),
        ([("Leek", None), ("Onion", "Old Onion"), ("Kale", "Old Kale")], False),
    ],
)
def test_what_is_called_otherwise_everywhere(
    pairs: list[tuple[Value, Value | None]], same: bool
) -> None:
    assert have_same_added(COOK, pairs) is same
