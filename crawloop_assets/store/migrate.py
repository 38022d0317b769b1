"""From an older layout of the store to the present one.

Every step is run once, in the transaction that makes it so.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from crawloop_assets.store.engine import Connection
from crawloop_assets.store.typemap import quoted

LAYOUT = 11
"""The layout this version of the product writes."""


@dataclass(frozen=True)
class LayoutStep:
    """What makes a layout of the one before it, and what it changes, in plain words."""

    layout: int
    says: str
    run: Callable[[Connection], None]


def steps_from(found: int) -> list[LayoutStep]:
    """The steps that bring layout `found` to the present one, in order."""
    return [step for step in _STEPS if step.layout > found]


def migrate(connection: Connection, found: int) -> None:
    """Bring layout `found` to the present one."""
    for step in steps_from(found):
        step.run(connection)


def _reports_and_suspects(connection: Connection) -> None:
    """Layout 2: examples of checks are structs, reports name version and wave, rows may
    be suspect."""
    # By update: an expression in `alter table` is replayed from the log, where its functions are not known.
    example = ", ".join(
        f"{name} varchar" for name in ("url", "field", "expected", "got", "page_sha256")
    )
    connection.execute("alter table drift_reports rename column examples to said")
    connection.execute(
        f"alter table drift_reports add column examples struct({example})[]"
    )
    connection.execute(
        "update drift_reports set examples = "
        "[{'url': one, 'field': '', 'expected': '', 'got': '', 'page_sha256': ''} for one in said]"
    )
    connection.execute("alter table drift_reports drop column said")
    connection.execute("alter table drift_reports add column version integer")
    connection.execute("alter table drift_reports add column wave varchar")
    connection.execute(
        "alter table access_outcomes add column if not exists reason varchar"
    )
    connection.execute(
        "alter table materializations add column suspect integer default 0"
    )
    for table in _record_tables(connection):
        connection.execute(f"alter table {table} add column _suspect varchar")


def _record_tables(connection: Connection) -> Iterator[str]:
    """The tables of records and their histories, quoted."""
    for (name,) in connection.execute(
        "select distinct table_name from schemas order by 1"
    ).fetchall():
        yield quoted(name)
        yield quoted(f"{name}_history")


def _pending_batches(connection: Connection) -> None:
    """Layout 3: batches wait for the end of their run; those of before do not."""
    for column in ("unit varchar", "evidence json", "settled_at timestamptz"):
        connection.execute(
            f"alter table materializations add column if not exists {column}"
        )


def _declared_fields(connection: Connection) -> None:
    """Layout 4: what each family declares.

    Of before only the table is known: a model that was the only one of its table is
    known by that, of any other it is assumed that it declares everything.
    """
    connection.execute("alter table schemas add column if not exists history json")
    for (name,) in connection.execute(
        "select distinct table_name from schemas order by 1"
    ).fetchall():
        connection.execute(
            f"""insert into family_tables select _family, $1,
            (select any_value(source) from schemas where table_name = $1
             having count(distinct source) = 1), null,
            (select columns from schemas where table_name = $1
             order by changed_at desc, rowid desc limit 1), now()
            from (select distinct _family from {quoted(name)})""",
            [name],
        )


def _kept_values(connection: Connection) -> None:
    """Layout 6: rows say which of their values are older than they are, and why they
    are stale."""
    for table in _record_tables(connection):
        added = f"alter table {table} add column"
        connection.execute(f"{added} _stale_why varchar")
        connection.execute(f"{added} _kept map(varchar, timestamptz)")


def _resolved_reports(connection: Connection) -> None:
    """Layout 9: reports say when their batch was green again, and by whom."""
    for column in ("resolved_at timestamptz", "resolved_by varchar"):
        connection.execute(
            f"alter table drift_reports add column if not exists {column}"
        )


def _reserved_calls(connection: Connection) -> None:
    """Layout 10: a model call is written down before it is made, with what it may cost;
    the table of pages that models serve is new."""
    for column in ("id varchar", "wave varchar", "reserved double"):
        connection.execute(
            f"alter table if exists llm_calls add column if not exists {column}"
        )


def _named_prompts(connection: Connection) -> None:
    """Layout 11: a model call says with which prompt it was asked, and a row which of
    its fields a model read."""
    connection.execute(
        "alter table if exists llm_calls add column if not exists prompt varchar"
    )
    for table in _record_tables(connection):
        connection.execute(
            f"alter table {table} add column if not exists _model_fields varchar[]"
        )


def _new_tables(_: Connection) -> None:
    """Layouts 5, 7 and 8: tables that are new need no step of their own."""


_STEPS = (
    LayoutStep(
        2,
        "examples of checks name page, field and document; reports name version and wave; "
        "rows get the column _suspect",
        _reports_and_suspects,
    ),
    LayoutStep(
        3,
        "batches are pending until their run ends: materializations get the columns unit, evidence and settled_at",
        _pending_batches,
    ),
    LayoutStep(
        4,
        "fields that no model declares any more leave the tables at the next commit, and stay in the history: "
        "schemas gets the column history, family_tables says who declares what",
        _declared_fields,
    ),
    LayoutStep(
        5,
        "questions that a person decides and what people teach are kept: the tables questions and lessons",
        _new_tables,
    ),
    LayoutStep(
        6,
        "rows get the columns _kept (fields with an earlier value) and _stale_why",
        _kept_values,
    ),
    LayoutStep(
        7,
        "commits are counted, so that lost ones are noticed: the table commits",
        _new_tables,
    ),
    LayoutStep(
        8,
        "a heal wave is asked for by one process: the table claims",
        _new_tables,
    ),
    LayoutStep(
        9,
        "versions can be pinned, candidates are read beside the active version, people are told once: the tables "
        "pins, shadows and told; drift_reports gets the columns resolved_at and resolved_by",
        _resolved_reports,
    ),
    LayoutStep(
        10,
        "pages that a model serves, since no version reads them, are known as such: the table unread; "
        "model calls are counted before they are made: llm_calls gets the columns id, wave and reserved",
        _reserved_calls,
    ),
    LayoutStep(
        11,
        "a model call says with which version of which prompt it was asked: llm_calls gets the column prompt; "
        "rows get the column _model_fields (fields that a model read, where a crawler read the rest)",
        _named_prompts,
    ),
)
