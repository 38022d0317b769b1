from pathlib import Path

import pytest

from crawloop_assets.cli.scout_domains import missing_domain
from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project

_LISTED = "# mine\ndomains:\n    - host: a.test   # kept\n      paths: ['/x']\nuser_agent: me\n"


def project_with(folder: Path, text: str) -> Project:
    project = Project.at(folder)
    project.families.mkdir(parents=True)
    project.domains.write_text(text)
    return project


def test_a_host_is_added_and_all_else_is_left_as_it_is(tmp_path: Path) -> None:
    project = project_with(tmp_path, _LISTED)
    text = missing_domain(project, "http://b.test:81/p")
    assert text == _LISTED.replace(
        "domains:\n",
        "domains:\n    - host: b.test\n      scheme: http\n      port: 81\n",
    )


@pytest.mark.parametrize(
    "text", ["domains: []\n", "user_agent: x\ndomains: [ ] # none\n"]
)
def test_an_empty_list_gains_its_first_host(tmp_path: Path, text: str) -> None:
    project = project_with(tmp_path, text)
    project.domains.write_text(missing_domain(project, "https://b.test/"))
    assert [one.host for one in project.load_domains().domains] == ["b.test"]
    assert missing_domain(project, "https://b.test/") == ""


def test_this_machine_is_private_by_its_very_name(tmp_path: Path) -> None:
    project = project_with(tmp_path, "domains: []\n")
    assert "private: true" in missing_domain(project, "http://127.0.0.1:8000/")
    assert "private" not in missing_domain(project, "http://10.0.0.8/")


def test_what_cannot_be_added_is_said(tmp_path: Path) -> None:
    project = project_with(tmp_path, _LISTED)
    with pytest.raises(ConfigError, match="does not allow"):
        missing_domain(project, "https://a.test/secret")
    with pytest.raises(ConfigError, match="no web address"):
        missing_domain(project, "ftp://a.test")
    project.domains.write_text("{domains: [{host: a.test}]}")
    with pytest.raises(ConfigError, match="by hand"):
        missing_domain(project, "https://b.test/")
