"""Proposed examples lie beside the reports of a family, as its file would have them."""

from pathlib import Path

import yaml

from crawloop_assets.family import FamilyExample
from crawloop_assets.report.proposed import write_proposed
from crawloop_assets.report.shelf import Reports


def test_they_are_written_as_a_family_file_has_them(tmp_path: Path) -> None:
    one = FamilyExample(
        url="http://a.test/1", record={"title": "Tea: {x}", "tags": ["a"]}
    )
    many = FamilyExample(
        url="http://a.test/", records=({"title": "Tea"}, {"title": "é"})
    )
    file = write_proposed(tmp_path, "shop/item", [one, many])
    assert file == Reports(tmp_path).of_examples("shop/item")
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# What a model read")
    read = [
        FamilyExample.model_validate(each) for each in yaml.safe_load(text)["examples"]
    ]
    assert read == [one, many]


def test_without_any_nothing_is_written(tmp_path: Path) -> None:
    assert write_proposed(tmp_path, "shop/item", []) is None
    assert not Reports(tmp_path).of_examples("shop/item").exists()
