"""What domains.yaml may say of a site."""

from pathlib import Path

import pytest

from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Domain, Domains, Quota
from crawloop_assets.yaml_file import load_yaml


def test_a_quota_is_pages_and_sizes_with_units() -> None:
    domain = Domain.model_validate(
        {"host": "a.test", "quota": {"pages": 500, "bytes": "2 GB", "disk": 4_000}}
    )
    assert domain.quota == Quota(pages=500, bytes=2_000_000_000, disk=4_000)
    assert Domain(host="a.test").quota == Quota()


@pytest.mark.parametrize("wrong", ["{pages: 0}", "{bytes: 5 miles}", "{page: 5}"])
def test_a_wrong_quota_names_its_line(tmp_path: Path, wrong: str) -> None:
    file = tmp_path / "domains.yaml"
    file.write_text(f"domains:\n  - host: a.test\n    quota: {wrong}\n")
    with pytest.raises(ConfigError) as caught:
        load_yaml(file, Domains)
    assert caught.value.line == 3
    assert caught.value.field.startswith("domains.0.quota.")
