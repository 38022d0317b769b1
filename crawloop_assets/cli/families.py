"""`crawloop family` and `audit`: the families and what became of their crawlers."""

import os
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from crawloop_assets.cli.options import (
    AsJson,
    FamilyName,
    Who,
    Why,
    opened,
    opened_to_change,
    output,
    person,
    print_json,
    print_rows,
)
from crawloop_assets.errors import ConfigError

if TYPE_CHECKING:
    from crawloop_assets.family import Family
    from crawloop_assets.store import CrawlerVersion, TaughtLesson
    from crawloop_assets.store.overview import FamilyOverview

family_app = typer.Typer(no_args_is_help=True, help="The families of this project.")


@family_app.command("list")
def family_list(as_json: AsJson = False) -> None:
    """The families, their batches and their active crawler version; what is wrong with
    those that do not run.

    Example: crawloop family list
    """
    from rich.markup import escape

    project, store = opened()
    families, broken = project.read_families()
    seen = store.families.overviews(families)
    rows = list(map(_family_cells, families, seen))
    print_rows(_FAMILIES, rows, as_json=as_json)
    if as_json:
        return
    console = output()
    for one in broken:
        console.print(
            f"[red]{one.name} does not run:[/] {escape(str(one.error))}",
            highlight=False,
        )
    # A file that cannot be read may declare what looks left over.
    if broken:
        return
    for left in store.families.left({family.family for family in families}):
        console.print(str(left), highlight=False)


_FAMILIES = ("family", "schema", "kind", "batches", "active crawler", "stale rows")


def _family_cells(family: "Family", seen: "FamilyOverview") -> tuple[str, ...]:
    """One line of the list."""
    return (
        family.family,
        family.record_schema,
        family.kind.value,
        str(seen.batches),
        f"v{seen.version}" if seen.version else "none yet",
        str(seen.stale + seen.leaving),
    )


@family_app.command("check")
def family_check(as_json: AsJson = False) -> None:
    """Read every family file and domains.yaml; every wrong one is named with file, line
    and field, and so is a field of another type than its table; then the exit code is 1.

    Example: crawloop family check
    """
    from rich.markup import escape

    from crawloop_assets.cli.doubts import doubts_of
    from crawloop_assets.doctor.tables import refused_by_tables
    from crawloop_assets.project import Project

    project = Project.find()
    families, broken = project.read_families()
    doubts = list(map(str, doubts_of(project)))
    wrong = {one.name: str(one.error) for one in broken}
    wrong |= refused_by_tables(project, families)
    right = len(families) + len(broken) - len(wrong)
    if as_json:
        said = [{"family": name, "says": why} for name, why in wrong.items()]
        print_json({"right": right, "wrong": said, "look_again": doubts})
    else:
        console = output()
        lines = [f"[yellow]look again:[/] {escape(doubt)}" for doubt in doubts]
        lines += [f"[red]{name}:[/] {escape(why)}" for name, why in wrong.items()]
        says = "family is" if right == 1 else "families are"
        lines += [f"{right} {says} right, {len(wrong)} wrong"]
        console.print("\n".join(lines), highlight=False, soft_wrap=True)
    if wrong:
        raise typer.Exit(1)


@family_app.command("remove")
def family_remove(
    family: FamilyName,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    who: Who = "",
    why: Why = "",
) -> None:
    """Take out what is left of a family whose file is gone: rows (the history keeps
    them), urls, versions; audited.

    Example: crawloop family remove shop/product --why "no longer sold"
    """
    from crawloop_assets.roles import permit

    project, store = opened_to_change()
    # An error in any file ends it here: that file may declare the family.
    declared = {one.family for one in project.load_families()}
    if family in declared:
        raise ConfigError(
            f"family {family!r} has a file", hint="delete the family file first"
        )
    left = {one.family: one for one in store.families.left(declared)}.get(family)
    if left is None:
        raise ConfigError(f"nothing is left of a family {family!r}")
    if not yes:
        typer.confirm(f"{left}. Remove it now?", abort=True)
    permit(project, store, person(who), "remove", family)
    store.families.remove(family, person(who), why)
    store.publish()
    output().print(
        f"{family}: {left.rows} rows left the tables, the history keeps them",
        highlight=False,
    )


@family_app.command("show")
def family_show(
    family: FamilyName,
    version: Annotated[
        int | None, typer.Argument(help="Show the score sheet of this version.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The crawler versions of a family, or what one of them has proved, field by
    field.

    Example: crawloop family show shop/product 3
    """
    from crawloop_assets.llm.readiness import readiness

    project, store = opened()
    name = project.family(family).family
    versions = store.crawlers(name)
    if version is not None:
        _print_proof(versions, version, as_json=as_json)
        return
    lessons = store.questions.lessons(name, undone=True)
    ready = readiness(project.family(family), os.environ)
    if as_json:
        shown = list(map(_shown, versions))
        print_json(
            {
                "family": name,
                "versions": shown,
                "lessons": lessons,
                "model": ready.sentence,
            }
        )
        return
    _print_versions(versions)
    _print_lessons(lessons)
    output().print(f"Model: {ready.sentence}", highlight=False, markup=False)


def _shown(version: "CrawlerVersion") -> dict[str, object]:
    """A version for programs."""
    return {
        "version": version.version,
        "status": version.status,
        "probation": version.probation,
        "made": version.created_at,
        "promoted": version.promoted_at,
        "why": version.reason,
        "program": version.sha256[:12],
    }


def _print_versions(versions: "Sequence[CrawlerVersion]") -> None:
    """A table of a family's versions, in the order given."""
    columns = ("version", "status", "made", "promoted", "why", "program")
    print_rows(columns, list(map(_cells, versions)))


def _cells(version: "CrawlerVersion") -> tuple[str, ...]:
    """A version as texts for the columns of its table; the program by the start of its
    hash, which is the same for the same program."""
    probation = " (probation)" if version.probation else ""
    return (
        f"v{version.version}",
        version.status.value + probation,
        _minute(version.created_at),
        _minute(version.promoted_at) if version.promoted_at else "",
        version.reason,
        version.sha256[:12],
    )


def _print_lessons(lessons: "Sequence[TaughtLesson]") -> None:
    """What people taught a family, also what was taken back; nothing if they taught
    nothing."""
    from rich.table import Table

    if not lessons:
        return
    table = Table("lesson", "taught", "by", "field", "value", "page", "made", "undone")
    for lesson in lessons:
        table.add_row(
            lesson.id,
            _minute(lesson.taught_at),
            lesson.who,
            lesson.field,
            "none" if lesson.value is None else str(lesson.value),
            lesson.url,
            f"v{lesson.version}" if lesson.version else "nothing yet",
            _undone(lesson),
        )
    output().print(table)


def _undone(lesson: "TaughtLesson") -> str:
    """When and by whom a lesson was taken back, "" if it counts."""
    if lesson.undone_at is None:
        return ""
    return f"{_minute(lesson.undone_at)} by {lesson.undone_by}"


def _minute(moment: datetime) -> str:
    """A moment to the minute."""
    return f"{moment:%Y-%m-%d %H:%M}"


def _print_proof(
    versions: "Sequence[CrawlerVersion]", number: int, *, as_json: bool
) -> None:
    """What a version had to prove; ConfigError if there is no such version, or it
    proved nothing."""
    from rich.markdown import Markdown

    from crawloop_assets.induce.proof.scores import ScoreSheet, score_sheet_markdown

    by_number = {version.version: version for version in versions}
    if number not in by_number:
        raise ConfigError("there is no such version")
    version = by_number[number]
    if version.score_sheet is None:
        raise ConfigError(f"v{number} was never proved")
    sheet = ScoreSheet.model_validate(version.score_sheet)
    if as_json:
        print_json(sheet)
        return
    console = output()
    console.print(
        f"v{number}: {version.status.value}, {version.reason}", highlight=False
    )
    console.print(Markdown(score_sheet_markdown(sheet)))
