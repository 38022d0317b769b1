"""What every released version left behind is read by this one."""

import json
from pathlib import Path
from typing import Any

import pytest
import zstandard
from pydantic import create_model

from checks.release import FAMILY_FILE, LAMPS, fill, lamp_page, names
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import Program
from crawloop_assets.document.document import Document
from crawloop_assets.errors import StoreFailed
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from crawloop_assets.store.migrate import LAYOUT
from crawloop_assets.store.published import published_rows
from crawloop_assets.upgrade import Need, UpgradeFinding, upgrade, upgrade_findings
from tests.releases.models import Lamp

RELEASES = sorted(
    folder.parent
    for folder in (Path(__file__).parent / "releases").glob("*/facts.json")
)
OLDEST = next(folder for folder in RELEASES if folder.name == "before-0.1.0")


def left_behind(release: Path, home: Path) -> Project:
    """The project of a release, unpacked."""
    for packed in (release / "project").rglob("*.zst"):
        target = home / packed.relative_to(release / "project").with_suffix("")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(zstandard.decompress(packed.read_bytes()))
    return Project.at(home)


def facts(release: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((release / "facts.json").read_text())
    return found


def stored(project: Project) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in project.var.glob("store-*")}


def stored_bodies(project: Project) -> list[str]:
    return [file.stem for file in (project.var / "pages").rglob("*.zst")]


by_release = pytest.mark.parametrize(
    "release", RELEASES, ids=lambda folder: folder.name
)


@by_release
def test_its_rows_its_program_and_its_pages_are_read(
    release: Path, tmp_path: Path
) -> None:
    project = left_behind(release, tmp_path)
    upgrade(project)
    store = Store(project.var, project.published)
    assert store.layout() == LAYOUT
    (family,) = project.load_families()
    rows = [row for found in store.known(family).values() for row in found]
    assert sorted(row["title"] for row in rows) == sorted(title for title, *_ in LAMPS)
    active = store.active(family.family)
    assert active is not None
    program = Program.from_json(active.body)
    assert program.sha256 == facts(release)["sha256"], "a program is named for ever"
    bodies = {store.bodies.get(name) for name in stored_bodies(project)}
    assert bodies == {lamp_page(number).body for number in range(len(LAMPS))}
    (record,) = run(program, Document(lamp_page(2))).records
    assert [record.values] == facts(release)["read"]


@by_release
def test_nothing_that_others_name_is_gone(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = left_behind(release, tmp_path)
    monkeypatch.setenv("CRAWLOOP_HOME", str(tmp_path))
    upgrade(project)
    Store(project.var, project.published).publish()
    now = names(project)
    gone = {
        what: sorted(set(before) - set(now[what]))
        for what, before in facts(release)["names"].items()
    }
    gone["columns"] = [
        column
        for column in gone["columns"]
        if column != "drift_reports.examples VARCHAR[]"  # layout 2 made structs of them
    ]
    assert not any(gone.values()), gone


def test_asking_changes_nothing(tmp_path: Path) -> None:
    project = left_behind(OLDEST, tmp_path)
    before = stored(project)
    findings = upgrade_findings(project)
    assert stored(project) == before
    steps = [finding for finding in findings if finding.need is Need.UPGRADE]
    assert {step.about for step in steps} == {"store"}
    assert [step.says.partition(":")[0] for step in steps] == [
        f"layout {number}" for number in range(2, LAYOUT + 1)
    ]
    upgrade(project)
    after = upgrade_findings(project)
    assert not [finding for finding in after if finding.need is not Need.NOBODY]
    assert "1 can be read" in next(
        finding.says for finding in after if finding.about == "programs"
    )


def test_a_field_that_is_declared_no_longer_leaves_at_the_upgrade(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project.at(tmp_path)
    fill(project)
    forget_colours(monkeypatch)
    before = stored(project)
    (finding,) = needing(project, Need.UPGRADE)
    assert finding.about == "columns of shop/lamp" and "colours" in finding.says
    assert stored(project) == before
    upgrade(project)
    assert needing(project, Need.UPGRADE) == []
    rows = published_rows(project.published, "lamp")
    assert len(rows) == len(LAMPS) and "colours" not in rows[0]
    history = published_rows(project.published, "lamp_history", ["colours"])
    assert history[0] == {"colours": list(LAMPS[0][2])}


def forget_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model has one field less from now on."""
    fewer = {
        name: (info.annotation, info)
        for name, info in Lamp.model_fields.items()
        if name != "colours"
    }
    model = create_model("Lamp", **fewer)  # type: ignore[call-overload]
    monkeypatch.setattr("tests.releases.models.Lamp", model)


@by_release
def test_one_upgrade_brings_an_old_table_to_what_is_declared(
    release: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = left_behind(release, tmp_path)
    forget_colours(monkeypatch)
    upgrade(project)
    rows = published_rows(project.published, "lamp")
    assert len(rows) == len(LAMPS) and "colours" not in rows[0]
    history = published_rows(project.published, "lamp_history", ["title", "colours"])
    assert {row["title"]: tuple(row["colours"]) for row in history} == {
        title: colours for title, _, colours in LAMPS
    }


def test_a_changed_type_is_for_a_person_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = Project.at(tmp_path)
    fill(project)
    other = create_model("Lamp", title=(int, ...), price=(int, 0))
    monkeypatch.setattr("tests.releases.models.Lamp", other)
    (finding,) = needing(project, Need.PERSON)
    assert "stored as VARCHAR and now declared as BIGINT" in finding.says
    upgrade(project)
    assert "price" in published_rows(project.published, "lamp")[0]


def needing(project: Project, need: Need) -> list[UpgradeFinding]:
    return [one for one in upgrade_findings(project) if one.need is need]


def test_what_a_person_wrote_wrong_is_named_and_the_rest_still_checked(
    tmp_path: Path,
) -> None:
    project = Project.at(tmp_path)
    fill(project)
    (project.families / "broken.yaml").write_text(
        FAMILY_FILE.replace("shop/lamp", "shop/other").replace("kind:", "knd:"),
        encoding="utf-8",
    )
    project.domains.write_text("domains: [", encoding="utf-8")
    by_hand = {
        finding.about: finding.says
        for finding in upgrade_findings(project)
        if finding.need is Need.PERSON
    }
    assert set(by_hand) == {"broken.yaml", "domains.yaml"}
    assert "broken.yaml:4" in by_hand["broken.yaml"]


def test_a_program_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    project = Project.at(tmp_path)
    fill(project)
    store = Store(project.var, project.published)
    with store._database.write() as connection:
        connection.execute("update crawlers set body = '{}'")
    (finding,) = [
        finding for finding in upgrade_findings(project) if finding.need is Need.PERSON
    ]
    assert finding.about == "shop/lamp v1"


def test_a_store_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    project = Project.at(tmp_path)
    fill(project)
    store = Store(project.var, project.published)
    with store._database.write() as connection:
        connection.execute("update meta set version = 99")
    (finding,) = [
        finding for finding in upgrade_findings(project) if finding.need is Need.PERSON
    ]
    assert "layout 99" in finding.says
    with pytest.raises(StoreFailed, match="layout 99"):
        upgrade(project)
