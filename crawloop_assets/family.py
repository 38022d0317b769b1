"""A family: pages of one layout and one record schema, as declared in one YAML file
(loaded in project.py)."""

from datetime import timedelta
from enum import StrEnum
from importlib import import_module
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, NonNegativeFloat, model_validator

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.domain import BypassPolicy as BypassPolicy
from crawloop_assets.domain import Domain as Domain
from crawloop_assets.domain import Domains as Domains
from crawloop_assets.domain import LoginPolicy as LoginPolicy
from crawloop_assets.domain import ProxyPolicy as ProxyPolicy
from crawloop_assets.domain import ProxyProvider as ProxyProvider
from crawloop_assets.domain import Quota as Quota
from crawloop_assets.domain import StrictModel as StrictModel
from crawloop_assets.errors import ConfigError
from crawloop_assets.schema import Notation, RecordSchema, noted, schema_of
from crawloop_assets.written import (
    Address,
    Cron,
    Duration,
    Headers,
    JsonPath,
    LinkCss,
    Owner,
    Regex,
    Replacement,
    Slashed,
    UrlPattern,
    slug_of,
)

# Parameters by these names count records, not pages.
_OFFSETS = frozenset(("offset", "start", "skip", "from"))


class Rung(StrEnum):
    """One way to get a page when the one before is blocked."""

    PLAIN = "plain"
    BACKOFF = "backoff"
    LOGIN = "login"
    BYPASS = "bypass"
    PROXY = "proxy"
    BROWSER = "browser"
    STEALTH = "stealth"
    CAPTCHA = "captcha"


class Promotion(StrEnum):
    """Who promotes a proved candidate."""

    AUTO = "auto"
    REVIEW = "review"


class Paging(StrictModel):
    """How a JSON API is asked for the page after one, where its answers neither link to
    it nor name it by a usual key.

    `param` is the parameter that tells pages apart, in the query or in the body of a
    POST (there, dots lead inside: `variables.after`). Its next value stands at the path
    `from` of each answer; without that it is counted up by `step` until an answer shows
    nothing new.
    """

    param: str = Field(pattern=r"^[^\s=&#]+$")
    into: Literal["query", "body"] = Field("query", alias="in")
    source: JsonPath | None = Field(None, alias="from")
    step: int = Field(1, ge=1)

    @model_validator(mode="after")
    def _one_source(self) -> "Paging":
        """ValueError where the next value is both said and counted, or an offset is
        counted without a step."""
        has_step = "step" in self.model_fields_set
        if self.source and has_step:
            raise ValueError(
                "`from` (the answer says the next value) and `step` (it is counted) "
                "exclude each other"
            )
        if self.source or has_step:
            return self
        if self.param.rpartition(".")[2] in _OFFSETS:
            raise ValueError(
                "an offset is counted in records: `step` has to say how many a page has"
            )
        return self


class Discover(StrictModel):
    """Where urls come from.

    A url is taken if at least one `include` and no `exclude` pattern is found in its
    path with its query. They are looked for again `every` so often; by hand alone if that is null.
    """

    seeds: tuple[str, ...] = ()
    include: tuple[UrlPattern, ...] = ()
    exclude: tuple[UrlPattern, ...] = ()
    # The example is what Dagster's sample of a component has of it: it makes none of a pair.
    normalize: tuple[Replacement, ...] = Field((), examples=[[["\\?.*$", ""]]])
    sitemaps: bool = False
    follow: tuple[LinkCss, ...] = ()
    paging: Paging | None = None
    max_urls: int = Field(5_000, ge=1)
    max_depth: int = Field(50, ge=0)
    every: Duration | None = timedelta(days=1)


class Request(StrictModel):
    """How the family's pages are asked for.

    `accept` are texts one of which a real page contains.
    """

    method: Literal["GET", "POST"] = "GET"
    json_body: Any = Field(None, alias="json")
    form: dict[str, str] | None = None
    headers: Headers = Field(default_factory=dict)
    cookies: dict[str, str] = Field(default_factory=dict)
    accept: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _one_body(self) -> "Request":
        """ValueError for a body that would not be sent."""
        bodies = (self.json_body is not None) + (self.form is not None)
        if bodies > 1:
            raise ValueError("a request has either `json` or `form`")
        if bodies and self.method != "POST":
            raise ValueError("only a POST has a body: add `method: POST`")
        return self


class Refresh(StrictModel):
    """When pages are due again.

    Interval x `change_factor` after a change, x `no_change_factor` without, clamped.
    A page has changed if its records have, or its visible text without what the
    patterns of `ignore` find in it. Unless it is `automatic`, nothing is discovered or
    fetched until somebody asks for it.
    """

    automatic: bool = True
    cron: Cron | None = None
    min_interval: Duration = timedelta(hours=1)
    max_interval: Duration = timedelta(days=7)
    change_factor: float = Field(0.2, gt=0, le=1)
    no_change_factor: float = Field(2.0, ge=1)
    ignore: tuple[Regex, ...] = ()

    @model_validator(mode="after")
    def _in_order(self) -> "Refresh":
        """ValueError where both intervals are written the wrong way round."""
        is_written = {"min_interval", "max_interval"} <= self.model_fields_set
        if is_written and self.min_interval > self.max_interval:
            raise ValueError("`min_interval` is longer than `max_interval`")
        return self


class BrowserOptions(StrictModel):
    """How the browser rung shows a page.

    It is read once the network was quiet for `settle` and, if given, an element of css
    `wait_for` is there; then after each of `scroll` rounds to its end. `media` are
    images, fonts, sound and film.
    """

    wait_for: str | None = None
    settle: Duration = timedelta(milliseconds=500)
    scroll: int = Field(0, ge=0, le=200)
    width: int = Field(1366, ge=200, le=4_000)
    height: int = Field(900, ge=200, le=4_000)
    media: bool = False
    deadline: Duration = timedelta(seconds=45)


class Access(StrictModel):
    """How pages are got; per-domain policy lives in domains.yaml.

    `country` is where its proxies have to be, such as de.
    """

    render: bool = False
    country: Annotated[str, Field(pattern=r"^[a-z]{2}$")] | None = None
    ladder: tuple[Rung, ...] = (Rung.PLAIN, Rung.BACKOFF)
    browser: BrowserOptions = BrowserOptions()


class FamilyExample(StrictModel):
    """A url with the values a person read there: `record` for a detail page, `records`
    for a listing."""

    url: Address
    record: dict[str, Any] | None = None
    records: tuple[dict[str, Any], ...] = ()

    @model_validator(mode="after")
    def _one_of(self) -> "FamilyExample":
        """ValueError unless there is exactly one of `record` and `records`."""
        has_one = self.record is not None
        has_several = bool(self.records)
        if has_one == has_several:
            raise ValueError(
                "an example has either `record` (one) or `records` (several)"
            )
        return self

    @property
    def all(self) -> tuple[dict[str, Any], ...]:
        """The records, one or several."""
        if self.record is None:
            return self.records
        return (self.record,)


class CountPolicy(StrictModel):
    """Records per page that are normal."""

    min: int = Field(1, ge=0)
    max: int | None = None

    @model_validator(mode="after")
    def _some_count(self) -> "CountPolicy":
        """ValueError where no page could have a count that is normal."""
        if self.max is not None and self.max < self.min:
            raise ValueError("`max` is less than `min`")
        return self


class DriftPolicy(StrictModel):
    """What the checks of this family may ask.

    `coverage`: least share of records with the field. `stable`: fields whose value
    rarely changes for one url. `gone`: fields that the site no longer shows; that they
    are missing is no drift. `gone_after`: a page that says for so long that it is gone,
    with status 200 or by leading to the front page, is gone as with status 404.
    """

    coverage: dict[str, Annotated[float, Field(ge=0, le=1)]] = Field(
        default_factory=dict
    )
    count: CountPolicy = CountPolicy()
    stable: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    gone_after: Duration | None = timedelta(days=7)
    allow_empty: bool = False
    language: str | None = None
    min_agreement: float = Field(0.6, ge=0, le=1)


class Structured(StrEnum):
    """How a model is held to the form of its answer, the strictest first; not every
    server takes all."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"


class HealPolicy(StrictModel):
    """How far healing may go by itself, and what a model may cost.

    `budget_usd` is per day (UTC), `wave_budget_usd` per heal wave. `model_price` is in
    dollars per million tokens in and out, for models of which no price is known.
    `escalate_to` names a stronger model, asked once where `model` repaired nothing.
    `sample_share`: of the pages that a version reads well, the share that a model reads,
    too; where it differs, the check `model` warns. `model_fields` are optional fields
    that a model reads on pages of one record, where no reader of a version finds them.
    """

    promotion: Promotion = Promotion.AUTO
    budget_usd: float = Field(0.0, ge=0)
    wave_budget_usd: float | None = Field(None, ge=0)
    calls_per_day: int = Field(500, ge=0)
    cooldown: Duration = timedelta(hours=6)
    model: str | None = None
    escalate_to: str | None = None
    model_price: tuple[NonNegativeFloat, NonNegativeFloat] | None = Field(
        None, examples=[[0.25, 2.0]]
    )
    model_timeout: Duration = timedelta(seconds=60)
    model_max_tokens: int = Field(4_096, ge=16)
    model_structured: Structured | None = None
    code: bool = False
    sample_share: float = Field(0.0, ge=0, le=1)
    # `model_fields` is a name of pydantic's own.
    fields_by_model: tuple[str, ...] = Field((), alias="model_fields")


def model_at(path: str) -> type[BaseModel]:
    """The user's record model at `module:Class`.

    ConfigError if it cannot be imported or is no pydantic model.
    """
    module_name, _, class_name = path.partition(":")
    try:
        model = getattr(import_module(module_name), class_name)
    except AttributeError as error:
        raise ConfigError(
            f"{module_name!r} has no class {class_name!r}", field="schema"
        ) from error
    except Exception as error:  # a module of the user's may raise anything
        raise ConfigError(
            f"cannot import {module_name!r}: {error}", field="schema"
        ) from error
    if isinstance(model, type) and issubclass(model, BaseModel):
        return model
    raise ConfigError(f"{path!r} is not a pydantic model", field="schema")


class FamilyContract(StrictModel):
    """What a family promises to those who read its rows.

    At least `fresh_share` of them were found on their page within `fresh_within`, by
    default twice the longest interval of its refreshes. Keys are always kept.
    """

    fresh_within: Duration | None = None
    fresh_share: float = Field(0.95, ge=0, le=1)


class Family(StrictModel):
    """One families/*.yaml file."""

    family: Slashed
    record_schema: str = Field(alias="schema", pattern=r"^[\w.]+:\w+$")
    key: tuple[str, ...] = Field(("url",), min_length=1)
    kind: FamilyKind = FamilyKind.DETAIL
    description: str = ""
    owner: Owner | None = None
    date_order: Literal["DMY", "MDY", "YMD"] | None = None
    notation: Notation = Notation()
    discover: Discover
    request: Request = Request()
    batch_size: int = Field(100, ge=1, le=10_000)
    refresh: Refresh = Refresh()
    access: Access = Access()
    examples: tuple[FamilyExample, ...] = ()
    drift: DriftPolicy = DriftPolicy()
    heal: HealPolicy = HealPolicy()
    contract: FamilyContract = FamilyContract()

    @property
    def fresh_within(self) -> timedelta:
        """How old a row may be, by its contract."""
        said = self.contract.fresh_within
        return 2 * self.refresh.max_interval if said is None else said

    @property
    def slug(self) -> str:
        """The name where a slash is not allowed (partitions, jobs, ops)."""
        return slug_of(self.family)

    def model(self) -> type[BaseModel]:
        """The user's record model; ConfigError as `model_at` has it."""
        return model_at(self.record_schema)

    def schema_spec(self) -> RecordSchema:
        """The record schema as data, for the workers."""
        schema = schema_of(self.model(), self.date_order)
        is_detail = self.kind is FamilyKind.DETAIL
        return noted(schema.with_address() if is_detail else schema, self.notation)
