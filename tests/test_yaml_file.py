"""YAML files that mean harm, or a slip of the hand: one sentence, and soon."""

from contextlib import suppress
from pathlib import Path

import pytest
from pydantic import model_validator

from crawloop_assets import yaml_file
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Domains
from crawloop_assets.yaml_file import load_yaml

LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{at}: &a{at} [{', '.join([f'*a{at - 1}'] * 9)}]\n" for at in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (LAUGHS, "means more than 100,000 values"),
        ("domains: &all [*all]", "means more than 100,000 values"),
        ("[" * 20_000, "nested too deeply"),
        ("domains: [" + "{host: a.test}, " * 90_000 + "]", "more than 1,000,000 bytes"),
    ],
)
def test_a_bomb_is_one_sentence(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=says) as caught:
        load_yaml(file, Domains)
    assert str(caught.value).startswith(str(file))


def test_an_alias_that_stands_for_little_is_welcome(tmp_path: Path) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text(
        "domains:\n  - &a {host: a.test, max_rps: 2}\n  - {<<: *a, host: b.test}\n"
    )
    assert [(one.host, one.max_rps) for one in load_yaml(file, Domains).domains] == [
        ("a.test", 2),
        ("b.test", 2),
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("domains: a.test", "[domains]: should be a list: [a, b], or a line"),
        ("domains: [a.test]", "[domains.0]: should be keys with values"),
        ("domains: [{host: 10.5}]", "host]: should be text, in quotes"),
        ("domains: [{host: a.test, max_rps: fast}]", "max_rps]: should be a number"),
        (
            "domains: [{host: a.test, max_rps: 0}]",
            "max_rps]: should be greater than or",
        ),
    ],
)
def test_what_is_wrong_is_said_in_words_of_the_file(
    tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_yaml(file, Domains)
    assert says in str(caught.value)
    assert "nput" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            "user_agent: a\ndomains: []\nuser_agent: b",
            ":3 [user_agent]: is there twice",
        ),
        (
            "domains:\n  - host: a.test\n    paths: [/a]\n    paths: [/]",
            ":4 [domains.0.paths]: is there twice",
        ),
        ("user_agent: a\n'user_agent': b", ":2 [user_agent]: is there twice"),
        ("domains: [{host: a.test, host: b.test}]", ":1 [domains.0.host]: is there"),
    ],
)
def test_a_key_that_is_there_twice_is_not_half_believed(
    tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_yaml(file, Domains)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        "2020-13-45",
        "2025-02-30",
        "2025-02-30 10:00:00",
        "!!timestamp soon",
        "!!int many",
        "!!float much",
        "!!bool perhaps",
        "1" * 5_000,
    ],
)
def test_a_value_that_is_none_of_its_kind_names_its_line(
    tmp_path: Path, value: str
) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text(f"domains: []\nuser_agent: {value}\n")
    with pytest.raises(
        ConfigError, match=r"domains\.yaml:2 \[user_agent\]: "
    ) as caught:
        load_yaml(file, Domains)
    assert "in quotes" in str(caught.value)
    assert len(str(caught.value)) < len(str(file)) + 200


class _Emptied(Domains):
    """Whoever checks a file may change what it is given."""

    @model_validator(mode="before")
    @classmethod
    def _empty(cls, said: dict[str, list[object]]) -> dict[str, list[object]]:
        said["domains"].clear()
        return said


def test_a_text_is_parsed_once_and_whoever_changes_what_it_says_changes_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text("domains: [{host: a.test}]")
    assert load_yaml(file, _Emptied).domains == ()
    parsed = []
    monkeypatch.setattr(yaml_file, "_loader", parsed.append)
    assert [one.host for one in load_yaml(file, Domains).domains] == ["a.test"]
    assert parsed == []
    file.write_text("domains: [{host: b.test}]")
    with suppress(AttributeError):  # there is no loader
        load_yaml(file, Domains)
    assert parsed == ["domains: [{host: b.test}]"]
