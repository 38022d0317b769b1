"""The model as a resource."""

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.heal.model_help import ModelHelp
from crawloop_assets.llm.question import Purpose
from crawloop_assets.llm.settings import ModelChoice, ModelSettings
from crawloop_assets.project import Project
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.serve.fallback import ModelServing
from crawloop_assets.serve.model_fields import ModelFields
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.serve.opinion import SampledJudge
from crawloop_assets.store import Store


class ModelResource(dg.ConfigurableResource["ModelResource"]):
    """The model of last resort.

    Where there is none, everything deterministic still works.
    """

    def serving(
        self,
        family: Family,
        store: Store,
        pool: WorkerPool,
        run_id: str,
        wave: str | None = None,
    ) -> ModelServing:
        """What serves pages with a model.

        ModelUnavailable says what to set where there is none.
        """
        settings = self.settings(family, wave)
        return ModelServing(family, store, pool, settings, run_id)

    def filling(
        self,
        family: Family,
        store: Store,
        pool: WorkerPool,
        run_id: str,
        wave: str | None = None,
    ) -> ModelFields | None:
        """What reads the fields that no reader reaches; None for a family that names
        none. ModelUnavailable as `serving` has it."""
        schema, names = family.schema_spec(), family.heal.fields_by_model
        named = tuple(spec for spec in schema.fields if spec.name in names)
        if not named:
            return None
        reader = ModelReader(
            family,
            schema.model_copy(update={"fields": named}),
            store.calls,
            pool,
            self.settings(family, wave),
            run_id,
            Purpose.FIELDS,
        )
        return ModelFields(reader)

    def helping(
        self,
        family: Family,
        store: Store,
        pool: WorkerPool,
        run_id: str,
        wave: str | None = None,
    ) -> ModelHelp:
        """What a model may be asked while a version is made; where none may be, it says
        why."""
        return ModelHelp.of(family, store, pool, run_id, self._choice(wave))

    def judging(
        self, family: Family, store: Store, pool: WorkerPool, run_id: str
    ) -> SampledJudge | None:
        """What reads a share of the healthy pages as well; None for a family that wants
        none. ModelUnavailable as `serving` has it."""
        share = family.heal.sample_share
        if not share:
            return None
        reader = ModelReader(
            family,
            family.schema_spec(),
            store.calls,
            pool,
            self.settings(family),
            run_id,
            Purpose.JUDGE,
        )
        return SampledJudge(reader, share)

    def settings(self, family: Family, wave: str | None = None) -> ModelSettings:
        """The model that a family may use in a wave; ModelUnavailable if there is
        none."""
        return self._choice(wave).settings(family)

    def _choice(self, wave: str | None) -> ModelChoice:
        """The model that is set, in a wave."""
        return ModelChoice(cache=Project.find().var / "model_cache", wave=wave)
