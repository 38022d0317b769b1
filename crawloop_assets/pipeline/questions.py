"""Deciding in the Dagster UI what a heal could not: the same decisions as on the
command line, audited alike.

What was red is read again from stored pages by the heal sensor.
"""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.heal.lessons import Decisions, PersonSays
from crawloop_assets.heal.regenerate import (
    Regeneration,
    RegenerationOutcome,
    failure,
)
from crawloop_assets.induce.proof.scores import ScoreSheet, score_sheet_markdown
from crawloop_assets.pipeline.names import AssetNames
from crawloop_assets.resources import StoreResource, WorkersResource


class PersonsWord(dg.Config):
    """Who decides, and why."""

    who: str
    why: str = ""


class PutOff(PersonsWord):
    """The day (2026-12-01) until which nothing is tried and nobody is asked."""

    until: str


class LessonOfPerson(PersonsWord):
    """One value of one field of a stored page, or the place (`at`: a css selector, an
    xpath, a JSON path) where it stands.

    `url` may be left out for the page of the open question; `row` is which of the
    page's known records it is of, from 0.
    """

    field: str
    value: str = ""
    at: str = ""
    url: str = ""
    row: int = 0


class LessonUndone(PersonsWord):
    """The id of a lesson, as `crawloop family show` names it."""

    lesson: str


def day_of(text: str) -> datetime:
    """The beginning of a day such as 2026-12-01, UTC; ValueError for anything else."""
    return datetime.combine(date.fromisoformat(text), time(), UTC)


def build_questions(family: Family) -> Sequence[dg.JobDefinition]:
    """`accept_`, `ignore_`, `teach_` and `undo_<family>`."""
    slug = family.slug

    def decisions(store: StoreResource, context: dg.OpExecutionContext) -> Decisions:
        return Decisions(family, store.open(), context.run.run_id)

    @dg.op(name=f"accept_{slug}_op")
    def accept(
        context: dg.OpExecutionContext, config: PersonsWord, store: StoreResource
    ) -> None:
        question = decisions(store, context).accept(config.who, config.why)
        context.log.info(f"{question.in_words} by {config.who}")
        store.open().publish()

    @dg.op(name=f"ignore_{slug}_op")
    def ignore(
        context: dg.OpExecutionContext, config: PutOff, store: StoreResource
    ) -> None:
        until = day_of(config.until)
        decisions(store, context).ignore(until, config.who, config.why)
        context.log.info(f"{config.who} put it off until {config.until}")
        store.open().publish()

    @dg.op(name=f"teach_{slug}_op")
    def teach(
        context: dg.OpExecutionContext,
        config: LessonOfPerson,
        store: StoreResource,
        workers: WorkersResource,
    ) -> None:
        with workers.pool() as pool:
            said = PersonSays(**config.model_dump())
            made = decisions(store, context).teach(said, pool)
        store.open().publish()
        context.log.info(made.reason)
        context.add_output_metadata({"scores": _sheet(made), "reason": made.reason})
        if made.outcome is RegenerationOutcome.REJECTED:
            raise dg.Failure(
                f"{family.family}: {failure(made)}. The active version and the published records are unchanged.",
                metadata={"scores": _sheet(made)},
                allow_retries=False,
            )

    @dg.op(name=f"undo_{slug}_op")
    def undo(
        context: dg.OpExecutionContext, config: LessonUndone, store: StoreResource
    ) -> None:
        decided = decisions(store, context)
        context.log.info(decided.undo(config.lesson, config.who, config.why))
        store.open().publish()

    return (
        _job(
            family,
            accept,
            "Accept the fields of the open question as gone, or as news.",
        ),
        _job(family, ignore, "Put the open question off until a day."),
        _job(family, teach, "Say one value of a stored page; a version is made of it."),
        _job(family, undo, "Take a lesson back, with the version made of it."),
    )


def _job(family: Family, op: dg.OpDefinition, description: str) -> dg.JobDefinition:
    """The job of one decision."""

    @dg.job(
        name=op.name.removesuffix("_op"),
        description=f"{description} Audited.",
        tags=AssetNames(family).tags(),
        executor_def=dg.in_process_executor,
    )
    def decide() -> None:
        op()

    return decide


def _sheet(made: Regeneration) -> dg.MetadataValue:
    return dg.MetadataValue.md(score_sheet_markdown(made.scores or ScoreSheet()))
