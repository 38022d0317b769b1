"""The verbs in the Dagster UI: one job each for all families, with the family in its
config, made of the same table as the commands.

What was red is read again from stored pages by the heal sensor.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import chdir
from dataclasses import MISSING, Field, fields
from itertools import chain
from typing import TYPE_CHECKING, Any

import dagster as dg
from pydantic import Field as ConfigField
from pydantic import create_model

from crawloop_assets.desk.verbs import VERBS, Verb, verb_named
from crawloop_assets.desk.words import FamilyWord, PersonsWord
from crawloop_assets.errors import CrawloopError
from crawloop_assets.family import Family
from crawloop_assets.pipeline.dagster_private import PlainFailure
from crawloop_assets.pipeline.names import AssetNames
from crawloop_assets.pipeline.overview import inbox_event
from crawloop_assets.project import Project
from crawloop_assets.resources import StoreResource, WorkersResource

if TYPE_CHECKING:
    from crawloop_assets.desk.acts import Done

VERB_TAG = "crawloop/verb"
_FAMILY = "family"
_FORMER = ("release", "reject")
"""Verbs that release 0.1.0 had a job of for each family; those jobs say that they are deprecated."""


def build_verbs(families: Sequence[Family]) -> list[dg.JobDefinition]:
    """A job for each verb; its launchpad is filled in with the first family."""
    if not families:
        return []
    made = [_job(verb, families) for verb in VERBS]
    former = [_former_jobs(verb_named(name), families) for name in _FORMER]
    return [*made, *chain.from_iterable(former)]


def config_of(verb: Verb, *known: str) -> type[dg.Config]:
    """What the launchpad asks for: what is said with the verb, but for what is
    known."""
    asked = [one for one in fields(verb.word) if one.name not in known]
    declared = {one.name: (_kind(one), _field(one)) for one in asked}
    name = f"{verb.name.title()}Config"
    made: type[dg.Config] = create_model(name, __base__=dg.Config, **declared)  # type: ignore[call-overload]
    return made


def launchpad(job: str, said: dict[str, Any]) -> dict[str, Any]:
    """The run config with which the job of a verb is told something."""
    return {"ops": {f"{job}_op": {"config": said}}}


def tell_dagster(project: Project, done: "Done", who: str) -> None:
    """Show in the history of a crawler asset that another version serves, outside of
    any run."""
    names, root = AssetNames(project.family(done.family)), str(project.root)
    # The paths in its dagster.yaml are meant from there, wherever the command is run.
    with chdir(root), dg.DagsterInstance.from_config(root) as instance:
        instance.report_runless_asset_event(_promotion(names, done, who))


def _promotion(names: AssetNames, done: "Done", who: str) -> dg.AssetMaterialization:
    """One line in the history of the crawler."""
    return dg.AssetMaterialization(
        names.crawler,
        metadata={"version": done.active or 0, "reason": done.sentence, "by": who},
    )


def _kind(one: "Field[Any]") -> Any:
    """The type in which Dagster takes a field."""
    return list[str] if one.default == () else one.type


def _field(one: "Field[Any]") -> Any:
    """A field with its default and what it says of itself."""
    says = one.metadata["says"]
    if one.default is MISSING:
        return ConfigField(description=says)
    default = [] if one.default == () else one.default
    return ConfigField(default=default, description=says)


def _example(verb: Verb, families: Sequence[Family]) -> dict[str, Any]:
    """What the launchpad is filled in with; who decides is left to be said, and nothing
    is done before it is."""
    filled: dict[str, Any] = {}
    for one in fields(verb.word):
        if one.default is MISSING:
            filled[one.name] = "" if one.type is str else 0
        elif one.default is not None:
            filled[one.name] = [] if one.default == () else one.default
    if _FAMILY in filled:
        filled[_FAMILY] = families[0].family
    return filled


def _job(verb: Verb, families: Sequence[Family]) -> dg.JobDefinition:
    """The job of a verb."""
    op = _op(verb, families, {})

    @dg.job(
        name=verb.name,
        description=_described(verb),
        tags={VERB_TAG: verb.name},
        config=launchpad(verb.name, _example(verb, families)),
        executor_def=dg.in_process_executor,
    )
    def decide() -> None:
        op()

    return decide


def _former_jobs(verb: Verb, families: Sequence[Family]) -> Iterator[dg.JobDefinition]:
    """The jobs that a verb had for each family, which say that they are deprecated.

    They share one op, and their launchpads are empty: each would be half of what a family
    costs when definitions are built.
    """
    known = {f"{verb.name}_{family.slug}": family for family in families}
    op = _op(verb, families, known)
    for name in known:

        @dg.job(
            name=name,
            description=_deprecated(verb),
            tags={VERB_TAG: verb.name},
            executor_def=dg.in_process_executor,
        )
        def decide() -> None:
            op.alias(f"{name}_op")()  # noqa: B023 -- called at once

        yield decide


def _described(verb: Verb) -> str:
    """What a job says of itself."""
    return f"{verb.says} On the command line: `{verb.usage}`."


def _deprecated(verb: Verb) -> str:
    """What the jobs say that a verb had for each family."""
    return f"Deprecated: the job `{verb.name}` does it for all families."


def _op(
    verb: Verb, families: Sequence[Family], former: Mapping[str, Family]
) -> dg.OpDefinition:
    """What the jobs of a verb do; of those that are `former`, by name, the family is
    known."""

    def run(
        context: dg.OpExecutionContext,
        config: Any,
        store: StoreResource,
        workers: WorkersResource,
    ) -> None:
        from crawloop_assets.desk.acts import perform
        from crawloop_assets.desk.desk import Desk

        known = {}
        if old := former.get(context.job_name):
            context.log.warning(_deprecated(verb))
            known[_FAMILY] = old.family
        try:
            word = verb.word(**_said(config), **known)
            project = Project.find()
            _mark(context, project, word)
            desk = Desk(project, store.open(), context.run.run_id, workers.pool)
            done = perform(verb, desk, word)
        except CrawloopError as error:
            raise PlainFailure(str(error)) from None
        context.log.info(done.sentence)
        details = dg.MetadataValue.md(done.details or done.sentence)
        context.add_output_metadata({"done": done.sentence, "details": details})
        if done.active is not None:
            names = AssetNames(project.family(done.family))
            context.log_event(_promotion(names, done, word.who))
        context.log_event(inbox_event(families, desk.store))

    run.__annotations__["config"] = config_of(verb, *([_FAMILY] if former else []))
    name = f"{verb.name}_former_op" if former else f"{verb.name}_op"
    return dg.op(name=name, description=verb.says)(run)


def _mark(context: dg.OpExecutionContext, project: Project, word: PersonsWord) -> None:
    """Let the run be one of its family, for who looks for those, and for the heal
    sensor, which waits for them."""
    if isinstance(word, FamilyWord):
        tags = AssetNames(project.family(word.family)).tags()
        context.instance.add_run_tags(context.run.run_id, tags)


def _said(config: dg.Config) -> dict[str, Any]:
    """What the launchpad was told, as a person says it."""
    said = config.model_dump()
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in said.items()
    }
