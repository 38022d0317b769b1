"""The one table of verbs."""

import pytest

from crawloop_assets.desk.verbs import VERBS, verb_named


def test_names_are_single_and_each_says_what_it_does() -> None:
    names = [verb.name for verb in VERBS]
    assert len(set(names)) == len(names)
    for verb in VERBS:
        assert verb.says.endswith(".") and verb_named(verb.name) is verb
    assert [verb.name for verb in VERBS if verb.is_brake] == ["pause", "resume"]


@pytest.mark.parametrize(
    ("name", "said", "command"),
    [
        ("approve", {"family": "a/b", "version": 2}, "crawloop approve a/b 2"),
        ("approve", {"family": "a/b", "version": None}, "crawloop approve a/b"),
        ("release", {"family": "a", "ids": ["x", "y"]}, "crawloop release a x y"),
        ("heal", {"family": "a", "dry_run": True}, "crawloop heal a --dry-run"),
        (
            "teach",
            {"family": "a", "field": "price", "value": "12 €"},
            "crawloop teach a --field price --value '12 €'",
        ),
    ],
)
def test_the_command_line_says_what_is_said(
    name: str, said: dict[str, object], command: str
) -> None:
    assert verb_named(name).command(said) == command


def test_the_usage_names_its_arguments() -> None:
    assert verb_named("release").usage == "crawloop release FAMILY IDS"
    assert verb_named("undo").positional() == ["family", "lesson"]


def test_what_looks_like_an_option_is_none() -> None:
    pause, teach = verb_named("pause"), verb_named("teach")
    assert (
        pause.command({"host": "--all", "why": "x"})
        == "crawloop pause --why x -- --all"
    )
    said = {"family": "a", "field": "price", "value": "-5"}
    assert teach.command(said) == "crawloop teach a --field price --value=-5"
