"""What a model may be asked while a version of a family is made."""

import os
from dataclasses import dataclass

from crawloop_assets.family import Family
from crawloop_assets.heal.first_by_model import WITHOUT_MODEL, FirstByModel
from crawloop_assets.heal.model_repair import ModelRepair
from crawloop_assets.heal.oracle import ModelOracle
from crawloop_assets.heal.resort import LastResort
from crawloop_assets.llm.question import Purpose
from crawloop_assets.llm.readiness import readiness
from crawloop_assets.llm.settings import ModelChoice
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.serve.model_reader import ModelReader
from crawloop_assets.store import Store


@dataclass(frozen=True)
class ModelHelp:
    """Who completes what healing leaves open, None if nobody does; and who says what
    the pages of a family hold of which nothing is known."""

    repair: LastResort | None = None
    first: FirstByModel = WITHOUT_MODEL

    @classmethod
    def of(
        cls,
        family: Family,
        store: Store,
        pool: WorkerPool,
        run_id: str,
        choice: ModelChoice,
    ) -> "ModelHelp":
        """What a family may ask of the model that is chosen; where none may be asked,
        what is left says why."""
        if trouble := readiness(family, os.environ, choice.model).trouble:
            return cls(first=FirstByModel(trouble=trouble))
        reader = ModelReader(
            family,
            family.schema_spec(),
            store.calls,
            pool,
            choice.settings(family),
            run_id,
            Purpose.ORACLE,
        )
        first = FirstByModel(ModelOracle(reader, store))
        return cls(ModelRepair.of(family, choice), first)


NO_HELP = ModelHelp()
"""For who asks no model."""
