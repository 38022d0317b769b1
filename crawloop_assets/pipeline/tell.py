"""The sensor that tells people what happened, once."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import dagster as dg

from crawloop_assets.desk.receivers import notify_file
from crawloop_assets.errors import CrawloopError, StoreFailed
from crawloop_assets.family import Family
from crawloop_assets.project import Project
from crawloop_assets.resources import StoreResource

if TYPE_CHECKING:
    from crawloop_assets.desk.telling import Telling

_EVERY_S = 30


def build_tell(families: Sequence[Family]) -> list[dg.SensorDefinition]:
    """`tell_people` for all families of the project; none while there is none."""

    @dg.sensor(
        name="tell_people",
        minimum_interval_seconds=_EVERY_S,
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Tells the receivers of notify.yaml what happened: drift, its end, whatever needs a person, used "
        "budgets, sites that block, stale rows, trouble with the store. Each thing once, however many batches and "
        "processes noticed it; nothing while there is no notify.yaml. `crawloop notify --test` tries the addresses.",
    )
    def tell_people(store: StoreResource) -> dg.SkipReason:
        project = Project.find()
        if not notify_file(project).exists():
            return dg.SkipReason("there is no notify.yaml: nobody is told anything")
        try:
            done = _all_said(project, store)
        except CrawloopError as error:
            return dg.SkipReason(str(error))
        said = [*done.sent, *done.trouble]
        return dg.SkipReason("; ".join(said) or "nothing new to tell")

    return [tell_people] if families else []


def _all_said(project: Project, store: StoreResource) -> "Telling":
    """What there was to tell, or that the store cannot be used."""
    from crawloop_assets.desk.telling import tell, tell_trouble

    try:
        return tell(project, store.open())
    except StoreFailed as error:
        return tell_trouble(project, error)
