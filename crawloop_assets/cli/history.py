"""`crawloop diff`, `versions`, `costs` and `audit`: what became of records, crawlers and
money."""

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crawloop_assets.cli.options import (
    AsJson,
    FamilyName,
    OneFamily,
    moment_of,
    opened,
    output,
    print_json,
    print_rows,
)
from crawloop_assets.errors import ConfigError

if TYPE_CHECKING:
    from crawloop_assets.store import CrawlerVersion
    from crawloop_assets.store.chronicle import Happening
    from crawloop_assets.store.waves import ValuesChange

_CHANGES = ("when", "record", "state", "field", "before", "after", "by")
_VERSIONS = (
    "version",
    "status",
    "made",
    "promoted",
    "rows",
    "why",
    "what it does otherwise",
)
_EVENTS = ("when", "what", "family", "run", "detail")


def diff_command(
    family: FamilyName,
    since: Annotated[
        str,
        typer.Option(
            help="A day (2026-11-20), a moment, or how long ago (45m, 36h, 7d)."
        ),
    ] = "7d",
    as_json: AsJson = False,
) -> None:
    """What became of a family's records: new, changed and removed ones, each value before
    and after; the first 500 changes.

    Example: crawloop diff shop/product --since 7d
    """
    project, store = opened()
    changes = store.waves.changes(project.family(family), moment_of(since))
    rows = [row for change in changes for row in _change_rows(change)]
    print_rows(_CHANGES, rows, as_json=as_json)
    if not as_json:
        records = len(set(map(attrgetter("key"), changes)))
        output().print(
            f"{len(changes)} change(s) of {records} record(s)", highlight=False
        )


def _change_rows(change: "ValuesChange") -> Iterator[Sequence[str]]:
    """A line for each field that is another one."""
    from crawloop_assets.report.explained import one_line
    from crawloop_assets.report.wave import differences

    by = f"v{change.version}" if change.version else change.run_id[:8]
    when = f"{change.at:%Y-%m-%d %H:%M}"
    for name, before, after in differences(change):
        yield (
            when,
            change.key,
            change.state.value,
            name,
            one_line(before),
            one_line(after),
            by,
        )


def versions_command(family: FamilyName, as_json: AsJson = False) -> None:
    """The crawler versions of a family: status, when and why they were made, how many
    rows are theirs, and what each does otherwise than the one before.

    Example: crawloop versions shop/product
    """
    from crawloop_assets.report.programs import program_changes
    from crawloop_assets.serve.versions import as_program

    project, store = opened()
    declared = project.family(family)
    rows, before = [], None
    for one in store.crawlers(declared.family):
        program = as_program(one)
        said = [line for line in program_changes(before, program) if line[:1] != " "]
        own = len(store.read_by(declared, one.version))
        rows.append((*_version_cells(one), str(own), one.reason, "\n".join(said)))
        before = program
    print_rows(_VERSIONS, rows, as_json=as_json)


def _version_cells(version: "CrawlerVersion") -> tuple[str, ...]:
    """Number, status and moments of a version."""
    probation = " (probation)" if version.probation else ""
    promoted = f"{version.promoted_at:%Y-%m-%d %H:%M}" if version.promoted_at else ""
    status = f"{version.status.value}{probation}"
    return (
        f"v{version.version}",
        status,
        f"{version.created_at:%Y-%m-%d %H:%M}",
        promoted,
    )


def costs_command(
    family: OneFamily = None,
    days: Annotated[int, typer.Option(min=1, max=36_500, help="Of so many days.")] = 30,
    tokens: Annotated[
        int, typer.Option(min=1, help="Tokens of a page, as a model is shown it.")
    ] = 6_000,
    usd_in: Annotated[
        float, typer.Option(help="Dollars for a million tokens read.")
    ] = 0.15,
    usd_out: Annotated[
        float, typer.Option(help="Dollars for a million tokens written.")
    ] = 0.60,
    as_json: AsJson = False,
) -> None:
    """What models cost, family by family, and what a model per page would have cost; the
    assumption is said. Of one family also what it was spent for.

    Example: crawloop costs shop/product --days 7
    """
    from crawloop_assets.report.costs import (
        COST_COLUMNS,
        PURPOSE_COLUMNS,
        ModelPrice,
        Savings,
        assumption,
        purpose_cells,
    )

    project, store = opened()
    only = project.family(family).family if family else None
    price = ModelPrice(tokens_in=tokens, usd_in=usd_in, usd_out=usd_out)
    since = datetime.now(UTC) - timedelta(days=days)
    found = [Savings(costs, price) for costs in store.chronicle.costs(since, only)]
    if as_json:
        print_json([one.as_json() for one in found])
        return
    if not found:
        nothing = f"no page was read and no model asked in {days} day(s)"
        output().print(nothing, highlight=False)
        return
    print_rows(COST_COLUMNS, [one.cells() for one in found])
    if only and any(map(attrgetter("costs.purposes"), found)):
        purposes = chain.from_iterable(map(attrgetter("costs.purposes"), found))
        print_rows(PURPOSE_COLUMNS, map(purpose_cells, purposes))
    for sentence in assumption(price, found):
        output().print(sentence, highlight=False)


def audit_command(
    family: OneFamily = None,
    limit: Annotated[int, typer.Option(help="Newest lines to show.")] = 50,
    what: Annotated[
        str | None,
        typer.Option(
            "--what",
            help="Only this: drift, recovered, blocked, model_call, or a decision.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """What happened, newest last: every promotion, rejection, release and heal, and drift,
    recoveries, blocks and model calls.

    Example: crawloop audit shop/product --what drift
    """
    from crawloop_assets.store import AuditKind
    from crawloop_assets.store.chronicle import HappeningKind

    kinds = {None, *map(str, (*AuditKind, *HappeningKind))}
    if what not in kinds:
        raise ConfigError(
            f"nothing is called {what!r} in the audit",
            hint=f"there are {', '.join(sorted(filter(None, kinds)))}",
        )
    project, store = opened()
    found = store.chronicle.happenings(family, what, limit)
    if family and not found:
        project.family(family)  # of one that was, something is told
    answers = list(map(_event, found))
    if as_json:
        print_json(answers)
    else:
        print_rows(_EVENTS, [[str(one[name]) for name in _EVENTS] for one in answers])


def _event(one: "Happening") -> dict[str, Any]:
    """What happened, in words and as it was kept for programs."""
    from crawloop_assets.report.audited import said_of_event

    is_kept = one.says.startswith("{")
    data: dict[str, Any] = json.loads(one.says) if is_kept else {}
    return {
        "when": f"{one.created_at:%Y-%m-%d %H:%M:%S}",
        "what": one.what,
        "family": one.family or "",
        "run": (one.run_id or "")[:8],
        "detail": said_of_event(data) if is_kept else one.says,
        "data": data,
    }
