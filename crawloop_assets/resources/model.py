"""The model as a resource."""

import os

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.heal.first_by_model import FirstByModel
from crawloop_assets.heal.model_repair import ModelRepair
from crawloop_assets.heal.oracle import ModelOracle
from crawloop_assets.llm.question import Purpose
from crawloop_assets.llm.readiness import readiness
from crawloop_assets.llm.settings import ModelSettings, model_settings
from crawloop_assets.project import Project
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.serve.fallback import ModelServing
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

    def repairing(self, family: Family, wave: str | None) -> ModelRepair | None:
        """What completes a heal with a model; None where there is none, or no money for
        one."""
        return ModelRepair.of(family, Project.find().var / "model_cache", wave)

    def judging(
        self, family: Family, store: Store, pool: WorkerPool, run_id: str
    ) -> SampledJudge | None:
        """What reads a share of the healthy pages as well; None for a family that wants
        none. ModelUnavailable as `serving` has it."""
        share = family.heal.sample_share
        if not share:
            return None
        reader = self._reader(family, store, pool, run_id, Purpose.JUDGE)
        return SampledJudge(reader, share)

    def first(
        self, family: Family, store: Store, pool: WorkerPool, run_id: str
    ) -> FirstByModel:
        """What makes a first version where nothing but a model can say what pages
        hold; where none may be asked, it says why."""
        if trouble := readiness(family, os.environ).trouble:
            return FirstByModel(trouble=trouble)
        reader = self._reader(family, store, pool, run_id, Purpose.ORACLE)
        return FirstByModel(ModelOracle(reader, store))

    def _reader(
        self,
        family: Family,
        store: Store,
        pool: WorkerPool,
        run_id: str,
        purpose: Purpose,
    ) -> ModelReader:
        """What reads pages of a family for a purpose."""
        schema, settings = family.schema_spec(), self.settings(family)
        return ModelReader(family, schema, store.calls, pool, settings, run_id, purpose)

    def settings(self, family: Family, wave: str | None = None) -> ModelSettings:
        """The model that a family may use in a wave; ModelUnavailable if there is
        none."""
        settings = model_settings(family, cache=Project.find().var / "model_cache")
        return settings.model_copy(update={"wave": wave})
