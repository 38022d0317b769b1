from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.eval.pack import load_pack


def test_families_come_ordered_by_name(pack: Path) -> None:
    assert [family.family for family in load_pack(pack)] == ["quotes", "shop"]


def test_a_folder_without_an_index_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"index\.json"):
        load_pack(tmp_path)


def test_an_index_of_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text('{"format": 2, "families": []}')
    with pytest.raises(ConfigError, match="does not fit"):
        load_pack(tmp_path)
