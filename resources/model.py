"""The model as a resource."""

import dagster as dg

from crawloop_assets.family import Family
from crawloop_assets.serve.fallback import ModelServing
from crawloop_assets.store import Store


class ModelResource(dg.ConfigurableResource["ModelResource"]):
    """The model of last resort. Without a key or an endpoint there is none, and everything deterministic still works."""

    def serving(self, family: Family, store: Store, run_id: str) -> ModelServing | None:
        """What serves pages with a model, None if the family or the environment has none."""
        return None
