"""`crawloop schema`, `family new` and `family rename`: files that a person writes."""

from typing import Annotated

import typer

from crawloop_assets.cli.families import family_app
from crawloop_assets.cli.options import (
    FamilyName,
    Who,
    Why,
    opened_to_change,
    output,
    person,
)

_Seeds = Annotated[
    list[str],
    typer.Option("--seed", help="Where its urls are looked for; again for more."),
]
_Include = Annotated[
    list[str],
    typer.Option(help="A pattern in the paths of its pages: ^/book/; again for more."),
]


def schema_command(
    name: Annotated[
        str, typer.Argument(help="Print this one: family, domains or answers.")
    ] = "",
) -> None:
    """Bring the JSON Schemas of the YAML files, from which editors complete and check
    keys, up to date; or print one. `answers` is that of all that `--json` prints.

    Example: crawloop schema
    """
    from crawloop_assets.closest import meant
    from crawloop_assets.desk.answers import ANSWERS_NAME, answers_schema
    from crawloop_assets.errors import ConfigError
    from crawloop_assets.project import Project
    from crawloop_assets.starter import EDITED, editor_schema, write_schemas

    if not name:
        console = output()
        for file in write_schemas(Project.find()):
            console.print(f"  [green]+[/] {file}", highlight=False, soft_wrap=True)
        console.print("the JSON Schemas are as this version reads the files")
        return
    if name == ANSWERS_NAME:
        typer.echo(answers_schema(), nl=False)
        return
    if name not in EDITED:
        known = (*EDITED, ANSWERS_NAME)
        raise ConfigError(f"there is no schema {name!r}", hint=meant(name, known))
    typer.echo(editor_schema(name), nl=False)


@family_app.command("new")
def family_new(
    family: FamilyName,
    schema: Annotated[
        str, typer.Option(help="The model of its records: schemas.book:Book.")
    ],
    seed: _Seeds = [],  # noqa: B006 (typer makes a new one)
    include: _Include = [],  # noqa: B006
    kind: Annotated[str, typer.Option(help="detail, listing or json.")] = "detail",
) -> None:
    """Write the file of a new family, and say what it still needs.

    Example: crawloop family new books/book --schema schemas:Book --seed https://books.example/
    """
    from crawloop_assets.access.allowlist import Allowlist
    from crawloop_assets.closest import meant
    from crawloop_assets.crawler.program import FamilyKind
    from crawloop_assets.errors import ConfigError, NotAllowed
    from crawloop_assets.project import Project
    from crawloop_assets.starter import NewFamily, write_family

    if kind not in list(FamilyKind):
        raise ConfigError(f"there is no kind {kind!r}", hint=meant(kind, FamilyKind))
    project = Project.find()
    new = NewFamily(family, schema, tuple(seed), tuple(include), FamilyKind(kind))
    file, declared = write_family(project, new)
    console = output()
    console.print(f"  [green]+[/] {file}", highlight=False, soft_wrap=True)
    allowed = Allowlist(project.load_domains())
    for url in declared.discover.seeds:
        try:
            allowed.check(url)
        except NotAllowed as error:
            console.print(
                f"not allowed yet, see {project.domains.name}: {error}",
                highlight=False,
                markup=False,
                soft_wrap=True,
            )
    console.print("Add examples if its pages need them, then: crawloop family check")


@family_app.command("rename")
def family_rename(
    family: FamilyName,
    name: Annotated[str, typer.Argument(help="Its new name.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    who: Who = "",
    why: Why = "",
) -> None:
    """Give a family another name, in its file and in everything that is known of it:
    rows, history, versions, urls; audited.

    Example: crawloop family rename books/book library/book
    """
    from crawloop_assets.roles import permit
    from crawloop_assets.starter import check_new_name, rename_in_file

    project, store = opened_to_change()
    check_new_name(project, name)
    if not yes:
        typer.confirm(
            f"{family} becomes {name} for everybody who reads it. Now?", abort=True
        )
    permit(project, store, person(who), "rename", family)
    # The store first: where this ends in between, the same command goes on.
    known = {one.family for one in store.families.left(())}
    if family in known:
        store.families.rename(family, name, person(who), why)
        store.publish()
    file = rename_in_file(project, family, name)
    if file is None and family not in known:
        project.family(family)  # says which there are
    output().print(
        f"{name} is the new name, in {file or 'the store (no file declares it)'}; its batches are "
        "in the UI once its urls were looked for again",
        highlight=False,
        soft_wrap=True,
    )
