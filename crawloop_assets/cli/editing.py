"""`crawloop schema`: what editors know of the files that a person writes."""

from typing import Annotated

import typer

from crawloop_assets.cli.options import output


def schema_command(
    name: Annotated[
        str, typer.Argument(help="Print this one: family or domains.")
    ] = "",
) -> None:
    """Bring the JSON Schemas of the YAML files, from which editors complete and check
    keys, up to date; or print one.

    Example: crawloop schema
    """
    from crawloop_assets.closest import meant
    from crawloop_assets.errors import ConfigError
    from crawloop_assets.project import Project
    from crawloop_assets.starter import EDITED, editor_schema, write_schemas

    if not name:
        console = output()
        for file in write_schemas(Project.find()):
            console.print(f"  [green]+[/] {file}", highlight=False, soft_wrap=True)
        console.print("the JSON Schemas are as this version reads the files")
        return
    if name not in EDITED:
        raise ConfigError(f"there is no schema {name!r}", hint=meant(name, EDITED))
    typer.echo(editor_schema(name), nl=False)
