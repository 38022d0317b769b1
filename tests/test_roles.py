"""Who may do what is said in the project, enforced by name, and audited."""

import hashlib
from pathlib import Path

import pytest

from crawloop_assets.desk.acts import perform
from crawloop_assets.desk.desk import Desk
from crawloop_assets.desk.verbs import VERBS, verb_named
from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from crawloop_assets.report.forgetting import forget_everywhere
from crawloop_assets.roles import ALLOWABLE, Role, RolesFile, load_roles, permit
from crawloop_assets.store import AuditKind, Store
from tests.store.losses import put

FILE = """
people:
  ada: {may: ["*"]}
  bob: {may: [retry, pause]}
everybody: [pause]
"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A project with roles, and a row that somebody may forget."""
    project = Project.at(tmp_path / "project")
    store = Store(project.var, project.published)
    put(store, 1)
    project.root.mkdir(exist_ok=True)
    (project.root / "roles.yaml").write_text(FILE)
    return Desk(project, store)


def test_everything_that_people_do_can_be_allowed() -> None:
    own = {"code", "forget", "remove", "rename"}
    assert {verb.name for verb in VERBS} | own == set(ALLOWABLE)


def test_without_the_file_everybody_may_everything(tmp_path: Path) -> None:
    roles = load_roles(Project.at(tmp_path))
    for act in ALLOWABLE:
        roles.check("anybody", act)
    everybody = Role(may=roles.everybody)
    assert {act for act in ALLOWABLE if everybody.allows(act)} == set(ALLOWABLE)
    assert roles.people == {}


def test_who_may_not_is_told_who_may_and_it_is_audited(desk: Desk) -> None:
    word = verb_named("release").word(who="bob", family="shop/item")  # type: ignore[call-arg]
    with pytest.raises(ConfigError, match=r"bob may not release.*lets ada"):
        perform(verb_named("release"), desk, word)
    (event,) = desk.store.audits(kind=AuditKind.NOT_PERMITTED)
    assert event.detail == {"who": "bob", "act": "release"}
    assert event.family == "shop/item"
    permit(desk.project, desk.store, "bob", "retry")
    permit(desk.project, desk.store, "eve", "pause")
    for act in ("approve", "teach", "release", "forget"):
        permit(desk.project, desk.store, "ada", act)
        with pytest.raises(ConfigError, match=f"eve may not {act}"):
            permit(desk.project, desk.store, "eve", act)


def test_forgetting_is_not_for_everybody(desk: Desk) -> None:
    url = "https://shop.test/1/0"
    with pytest.raises(ConfigError, match=r"bob may not forget"):
        forget_everywhere(desk.project, desk.store, url, "bob", "")
    assert desk.store.forgetting.found(url).keys, "nothing was touched"


def test_what_cannot_be_allowed_is_an_error_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "roles.yaml").write_text("people: {ada: {may: [aprove]}}")
    with pytest.raises(ConfigError, match=r"did you mean 'approve'"):
        load_roles(Project.at(tmp_path))


def test_a_program_is_known_by_the_hash_of_its_token() -> None:
    digest = hashlib.sha256(b"sesame").hexdigest()
    roles = RolesFile.model_validate(
        {"people": {"agent": {"may": ["retry"], "token_sha256": digest}, "ada": {}}}
    )
    assert roles.acting("sesame") == "agent"
    assert roles.acting("other") == roles.acting("") == ""
