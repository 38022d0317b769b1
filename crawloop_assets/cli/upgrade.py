"""`crawloop upgrade`: from a project of an older version to this one."""

from typing import Annotated

import typer

from crawloop_assets.cli.options import AsJson, output, print_json


def upgrade_command(
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would change.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Bring what an older version has left up to date; exit code 1 while something has
    to be put right by hand.

    Example: crawloop upgrade --dry-run
    """
    from rich.table import Table

    from crawloop_assets.project import Project
    from crawloop_assets.upgrade import Need, upgrade, upgrade_findings

    project = Project.find()
    findings = upgrade_findings(project)
    needs = {finding.need for finding in findings}
    table = Table("what", "is changed", "what is found")
    for finding in findings:
        table.add_row(finding.about, finding.need.value, finding.says)
    said = ["nothing was changed"] if dry_run else []
    if Need.UPGRADE in needs and not dry_run:
        upgrade(project)
        said = ["the store is up to date"]
    if as_json:
        print_json(findings)
    else:
        output().print(table, *said, sep="\n")
    if Need.PERSON in needs:
        raise typer.Exit(1)
