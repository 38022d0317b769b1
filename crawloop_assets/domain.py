"""A domain: what the allowlist says of one site, as declared in domains.yaml."""

import re
from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any, Literal, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from crawloop_assets.errors import ConfigError


class StrictModel(BaseModel):
    """Base of everything an operator writes: unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


_Country = Annotated[str, Field(pattern=r"^[a-z]{2}$")]


class ProxyProvider(StrictModel):
    """A gateway of a provider: a url in which `{country}` and `{session}` are filled in,
    or the name of the environment variable that holds it.

    `countries` are those it can be asked for; `sessions` go side by side, and all are
    new ones after `rotate_minutes`.
    """

    url: str = ""
    url_env: str | None = None
    countries: tuple[_Country, ...] = ()
    sessions: int = Field(1, ge=1, le=100)
    rotate_minutes: int = Field(10, ge=1, le=1_440)

    @model_validator(mode="after")
    def _one_url(self) -> "ProxyProvider":
        """ValueError unless there is exactly one of `url` and `url_env`, and for a url
        with anything else to fill in."""
        if bool(self.url) is bool(self.url_env):
            raise ValueError("a provider has either `url` or `url_env`")
        if "{country}" in self.url and not self.countries:
            raise ValueError("`countries` has to say what {country} may be")
        rest = self.url.replace("{country}", "").replace("{session}", "")
        if "{" in rest or "}" in rest:
            raise ValueError("only {country} and {session} are filled in")
        return self


class ProxyPolicy(StrictModel):
    """Proxies of a domain; `urls_env` names an environment variable with a comma-
    separated list.

    A family that names a country gets those of `by_country` and of the `providers` that
    can be asked for it, and no others.
    """

    urls: tuple[str, ...] = ()
    urls_env: str | None = None
    by_country: dict[str, tuple[str, ...]] = {}
    providers: tuple[ProxyProvider, ...] = ()


class LoginPolicy(StrictModel):
    """A form login.

    `fields` maps form field to the *name* of the environment variable that holds its
    value.
    """

    url: str
    fields: dict[str, str]
    success: str = ""


class BypassPolicy(StrictModel):
    """A header agreed with the site owner; `value_env` names the environment variable
    with its secret."""

    header: str
    value_env: str


_SIZES = {"": 1, "kB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000}


def _size(value: Any) -> Any:
    """ "500MB" as a number of bytes; what is no text is left to pydantic."""
    if not isinstance(value, str):
        return value
    match = re.fullmatch(r"(\d{1,12})\s*(|kB|MB|GB)", value.strip())
    if match is None:
        raise ValueError("a size is a number of bytes, or one of kB, MB or GB: 500MB")
    return int(match[1]) * _SIZES[match[2]]


_WRITTEN_SIZE = int | Annotated[str, Field(pattern=r"^\s*\d{1,12}\s*(|kB|MB|GB)\s*$")]
_Size = Annotated[
    int, Field(ge=1), BeforeValidator(_size, json_schema_input_type=_WRITTEN_SIZE)
]


class Quota(StrictModel):
    """What may be asked of a host in a day (UTC): pages, bytes on the wire, and bytes of
    pages to be stored; None for as much as comes."""

    pages: Annotated[int, Field(ge=1)] | None = None
    bytes: _Size | None = None
    disk: _Size | None = None


class Domain(StrictModel):
    """One entry of the allowlist in domains.yaml, with the policy for that site.

    `paths` are prefixes. `resolve` ("127.0.0.1:8717") maps the host to a fixed address;
    without it, addresses that are not public are refused unless `private` is true.
    `max_rps` is one request in 100 seconds at least: no run waits longer for its turn.
    `captcha` names the operator's hook ("module:function"), or says that one handed to
    the fetcher may be asked.
    """

    host: str
    scheme: Literal["http", "https"] = "https"
    port: int | None = Field(None, ge=1, le=65535)
    paths: tuple[str, ...] = ("/",)
    max_rps: float = Field(1.0, ge=0.01)
    concurrency: int = Field(2, ge=1, le=64)
    robots: Literal["obey", "ignore"] = "obey"
    robots_reason: str = ""
    user_agent: str | None = None
    private: bool = False
    resolve: str | None = None
    login: LoginPolicy | None = None
    bypass: BypassPolicy | None = None
    proxies: ProxyPolicy = ProxyPolicy()
    captcha: bool | Annotated[str, Field(pattern=r"^[\w.]+:\w+$")] = False
    quota: Quota = Quota()

    @model_validator(mode="after")
    def _reason(self) -> "Domain":
        """ValueError where robots.txt is ignored and nobody says why."""
        if self.robots == "obey" or self.robots_reason.strip():
            return self
        raise ValueError(
            "`robots: ignore` needs `robots_reason` "
            "(who allowed it, where that is written)"
        )

    def captcha_hook(self) -> Callable[..., Any] | None:
        """The function that `captcha` names, None if it names none.

        ConfigError if it cannot be imported or called. Only what the operator wrote is
        ever imported.
        """
        if not isinstance(self.captcha, str):
            return None
        module, _, name = self.captcha.partition(":")
        try:
            hook = getattr(import_module(module), name)
        except Exception as error:  # a module of the operator's may raise anything
            raise ConfigError(
                f"cannot import {self.captcha!r}: {error}", field="captcha"
            ) from error
        if not callable(hook):
            raise ConfigError(f"{self.captcha!r} is no function", field="captcha")
        return cast(Callable[..., Any], hook)


class Domains(StrictModel):
    """The file domains.yaml: nothing outside it is ever fetched."""

    user_agent: str = (
        "crawloop/0.1 (+set user_agent in domains.yaml to a page that says who you are)"
    )
    domains: tuple[Domain, ...] = ()
