"""What of family files that are right may be a slip all the same: `crawloop family check`
says it, and runs do not wait for it."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from crawloop_assets.errors import ConfigError, NotAllowed

if TYPE_CHECKING:
    from crawloop_assets.access.allowlist import Allowlist
    from crawloop_assets.project import Project
    from crawloop_assets.yaml_file import Key


def doubts_of(project: "Project") -> Iterator[ConfigError]:
    """All of a project, file by file; ConfigError is raised for domains.yaml alone."""
    from crawloop_assets.access.allowlist import Allowlist
    from crawloop_assets.project import examples_lacking

    allowed = Allowlist(project.load_domains())
    for file in project.family_files():
        with suppress(ConfigError):  # a wrong file is named as such
            yield from examples_lacking(file)
            yield from _not_allowed(file, allowed)
            yield from _nameless(file)
    yield from _unread(project.families)


def _not_allowed(file: Path, allowed: "Allowlist") -> Iterator[ConfigError]:
    """The addresses of a family that nobody will ask for."""
    from crawloop_assets.family_files import read_family
    from crawloop_assets.yaml_file import wrong_at

    family, top = read_family(file)
    seeds = _numbered(family.discover.seeds, ("discover", "seeds"))
    examples = _numbered([one.url for one in family.examples], ("examples",))
    for key, url in chain(seeds, examples):
        try:
            allowed.check(url)
        except NotAllowed as error:
            yield wrong_at(
                file,
                (*top, *key),
                f"will not be asked for: {error}",
                "let domains.yaml permit it, or correct the address",
            )


def _nameless(file: Path) -> Iterator[ConfigError]:
    """That rows have no name, if the key is an address and they have none: a value that
    changes makes another row of it."""
    from crawloop_assets.crawler.program import FamilyKind
    from crawloop_assets.family_files import read_family
    from crawloop_assets.yaml_file import wrong_at

    family, top = read_family(file)
    fields = family.model().model_fields
    is_of_rows = family.kind is not FamilyKind.DETAIL
    if is_of_rows and family.key == ("url",) and "url" not in fields:
        yield wrong_at(
            file,
            (*top, "key"),
            f"rows of {family.kind.value} pages have no `url`: each is known by its values, "
            "and one that changes is another row",
            f"name the fields that tell rows apart ({', '.join(fields)})",
        )


def _numbered(
    urls: "list[str] | tuple[str, ...]", key: "Key"
) -> "Iterator[tuple[Key, str]]":
    """Addresses and where each is in the file."""
    for at, url in enumerate(urls):
        yield (*key, at), url


def _unread(families: Path) -> Iterator[ConfigError]:
    """Files that look like a family's, and are not read as one."""
    for file in sorted(families.rglob("*.yml")):
        yield ConfigError("is not read", file=file, hint="let its name end in .yaml")
