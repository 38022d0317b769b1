"""Who may do what: `roles.yaml` of a project. Without the file everybody may everything.

A program that acts for somebody is known by a token, of which the file has the SHA-256
alone.
"""

import hashlib
import hmac
from pathlib import Path

from pydantic import Field

from crawloop_assets.closest import meant
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import StrictModel
from crawloop_assets.project import Project
from crawloop_assets.store import AuditKind, Store
from crawloop_assets.yaml_file import load_yaml

ANYTHING = "*"
ALLOWABLE = (
    *("approve", "decline", "shadow", "promote", "rollback", "pin", "unpin", "heal"),
    *("retry", "release", "reject", "accept", "teach", "undo", "ignore"),
    *("pause", "resume", "code", "forget", "remove", "rename"),
)
"""What a role may be allowed: the verbs, code, and what is done to a whole family or record."""


class Role(StrictModel):
    """What somebody may do: names of verbs, `forget`, `remove`, `rename`, or `*`; and the
    hash of the token by which a program is known."""

    may: tuple[str, ...] = ()
    token_sha256: str | None = Field(None, pattern=r"^[0-9a-f]{64}$")

    def allows(self, act: str) -> bool:
        """Whether it is among them."""
        return act in self.may or ANYTHING in self.may


class RolesFile(StrictModel):
    """All of roles.yaml: roles by the name that goes into the audit, and what
    `everybody` may do."""

    people: dict[str, Role] = Field(default_factory=dict)
    everybody: tuple[str, ...] = ()

    def check(self, who: str, act: str) -> None:
        """ConfigError unless somebody may do something."""
        role = self.people.get(who, Role())
        if role.allows(act) or Role(may=self.everybody).allows(act):
            return
        able = [name for name, one in self.people.items() if one.allows(act)]
        said = ", ".join(able) or "nobody"
        raise ConfigError(
            f"{who or 'nobody'} may not {act}", hint=f"roles.yaml lets {said}"
        )

    def acting(self, token: str) -> str:
        """Whose token it is, "" if it is nobody's."""
        digest = hashlib.sha256(token.encode()).hexdigest()
        known = {
            name: one.token_sha256 or "" for name, one in self.people.items() if token
        }
        found = [
            name for name, own in known.items() if hmac.compare_digest(own, digest)
        ]
        return found[0] if found else ""


def roles_file(project: Project) -> Path:
    """Where it is."""
    return project.root / "roles.yaml"


def permit(project: Project, store: Store, who: str, act: str, about: str = "") -> None:
    """ConfigError unless somebody may do something to a family; that it was refused is
    audited."""
    try:
        load_roles(project).check(who, act)
    except ConfigError:
        detail = {"who": who, "act": act}
        store.audit(AuditKind.NOT_PERMITTED, about or None, None, detail)
        raise


def load_roles(project: Project) -> RolesFile:
    """What the file says; everybody may everything without one. ConfigError with file and
    line if it is wrong, or allows what there is not."""
    file = roles_file(project)
    if not file.exists():
        return RolesFile(everybody=(ANYTHING,))
    roles = load_yaml(file, RolesFile)
    named = [act for one in roles.people.values() for act in one.may]
    for act in (*named, *roles.everybody):
        if act not in (*ALLOWABLE, ANYTHING):
            raise ConfigError(
                f"there is nothing called {act!r} to allow",
                file=file,
                hint=meant(act, ALLOWABLE),
            )
    return roles
