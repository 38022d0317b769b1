"""The model as a resource."""

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import dagster as dg

from crawloop_assets.errors import ConfigError, ModelUnavailable
from crawloop_assets.family import Family
from crawloop_assets.llm.question import Purpose
from crawloop_assets.llm.settings import ModelChoice
from crawloop_assets.project import Project
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.schema import RecordSchema
from crawloop_assets.store import Store

if TYPE_CHECKING:
    from crawloop_assets.heal.model_help import ModelHelp
    from crawloop_assets.serve.fallback import ModelServing
    from crawloop_assets.serve.model_fields import ModelFields
    from crawloop_assets.serve.model_reader import ModelReader
    from crawloop_assets.serve.opinion import SampledJudge


@dataclass(frozen=True)
class RunModel:
    """The model as a run of a family may ask it."""

    family: Family
    store: Store
    pool: WorkerPool
    run_id: str
    choice: ModelChoice

    def serving(self) -> "ModelServing":
        """What serves pages with a model.

        ModelUnavailable says what to set where there is none.
        """
        from crawloop_assets.serve.fallback import ModelServing

        settings = self.choice.settings(self.family)
        return ModelServing(self.family, self.store, self.pool, settings, self.run_id)

    def filling(self) -> "ModelFields | None":
        """What reads the fields that no reader reaches; None for a family that names
        none. ModelUnavailable as `serving` has it."""
        schema, names = self.family.schema_spec(), self.family.heal.fields_by_model
        named = tuple(spec for spec in schema.fields if spec.name in names)
        if not named:
            return None
        from crawloop_assets.serve.model_fields import ModelFields

        asked = schema.model_copy(update={"fields": named})
        return ModelFields(self._reader(asked, Purpose.FIELDS))

    def judging(self) -> "SampledJudge | None":
        """What reads a share of the healthy pages as well; None for a family that wants
        none. ModelUnavailable as `serving` has it."""
        share = self.family.heal.sample_share
        if not share:
            return None
        from crawloop_assets.serve.opinion import SampledJudge

        reader = self._reader(self.family.schema_spec(), Purpose.JUDGE)
        return SampledJudge(reader, share)

    def helping(self) -> "ModelHelp":
        """What a model may be asked while a version is made; where none may be, it says
        why."""
        from crawloop_assets.heal.model_help import ModelHelp

        return ModelHelp.of(
            self.family, self.store, self.pool, self.run_id, self.choice
        )

    def _reader(self, schema: RecordSchema, purpose: Purpose) -> "ModelReader":
        """Who reads the fields of a schema for a purpose."""
        from crawloop_assets.serve.model_reader import ModelReader

        return ModelReader(
            self.family,
            schema,
            self.store.calls,
            self.pool,
            self.choice.settings(self.family),
            self.run_id,
            purpose,
        )


def may_serve(family: Family) -> bool:
    """Whether there is a model that a run of a family may ask for what no version
    reads; settings that are none are told of by the run."""
    with suppress(ModelUnavailable, ConfigError):
        ModelChoice().settings(family)
        return True
    return False


class ModelResource(dg.ConfigurableResource["ModelResource"]):
    """The model of last resort.

    Where there is none, everything deterministic still works.
    """

    def of(
        self,
        family: Family,
        store: Store,
        pool: WorkerPool,
        run_id: str,
        wave: str | None = None,
    ) -> RunModel:
        """The model as a run may ask it, in a heal wave if it is one's."""
        choice = ModelChoice(cache=Project.find().var / "model_cache", wave=wave)
        return RunModel(family, store, pool, run_id, choice)
