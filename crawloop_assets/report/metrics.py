"""The instruments of the store as OpenTelemetry has them; nothing of it is loaded before
somebody asks for it."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from crawloop_assets.errors import ConfigError
from crawloop_assets.project import Project
from crawloop_assets.store import Store
from crawloop_assets.store.measures import INSTRUMENTS, Instrument, MeasureKind

if TYPE_CHECKING:
    from opentelemetry.metrics import Observation
    from opentelemetry.sdk.metrics import MeterProvider

_INSTALL = "pip install 'crawloop-assets[metrics]'"


def meter_provider(
    project: Project, store: Store, readers: Sequence[Any]
) -> "MeterProvider":
    """Lets readers, such as the exporters of OpenTelemetry, observe a store whenever they
    collect; ConfigError if OpenTelemetry is not installed."""
    try:
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.resources import Resource
    except ImportError as error:
        raise ConfigError("OpenTelemetry is not installed", hint=_INSTALL) from error
    named = Resource.create({"service.name": "crawloop"})
    provider = MeterProvider(metric_readers=readers, resource=named)
    meter = provider.get_meter("crawloop")
    makers: dict[MeasureKind, Any] = {
        MeasureKind.COUNTER: meter.create_observable_counter,
        MeasureKind.GAUGE: meter.create_observable_gauge,
    }
    for one in INSTRUMENTS:
        seen = partial(_observations, project, store, one)
        makers[one.kind](one.name, [seen], unit=one.unit, description=one.says)
    return provider


def _observations(
    project: Project, store: Store, instrument: Instrument, _: object
) -> "Iterable[Observation]":
    """What an instrument shows now."""
    from opentelemetry.metrics import Observation

    families = project.read_families().families
    for reading in store.measures.readings(instrument, families):
        yield Observation(reading.value, dict(reading.of))


def prometheus_reader() -> Any:
    """What Prometheus asks; ConfigError if its exporter is not installed."""
    try:
        from opentelemetry.exporter.prometheus import PrometheusMetricReader
    except ImportError as error:
        raise ConfigError(
            "the Prometheus exporter is not installed", hint=_INSTALL
        ) from error
    return PrometheusMetricReader()
