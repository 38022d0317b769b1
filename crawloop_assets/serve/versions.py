"""The versions of a family that may serve, in the order they are tried."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from operator import attrgetter

from pydantic import ValidationError

from crawloop_assets.crawler.choices import knows_choices, with_choices
from crawloop_assets.crawler.program import Program
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.page import Page
from crawloop_assets.sandbox import ExtractJob, ReadByCodeJob, ReadJob
from crawloop_assets.schema import RecordSchema
from crawloop_assets.store import CrawlerKind, CrawlerStatus, CrawlerVersion, Store

_LIVE = (CrawlerStatus.ACTIVE, CrawlerStatus.RETIRED)
_EPOCH = datetime.fromtimestamp(0, UTC)


def live_versions(versions: Sequence[CrawlerVersion]) -> list[CrawlerVersion]:
    """The versions that may serve: the active one first, then those that once were,
    last promoted first."""
    return sorted(filter(_is_live, versions), key=_precedence, reverse=True)


def serving_versions(store: Store, family: Family) -> list[CrawlerVersion]:
    """Those of a family, which read the choices that its model has now: it may know more of
    them than when they were made."""
    versions = live_versions(store.crawlers(family.family))
    schema = family.schema_spec()
    if not knows_choices(schema):
        return versions
    return list(map(partial(_with_choices, schema), versions))


def _with_choices(schema: RecordSchema, version: CrawlerVersion) -> CrawlerVersion:
    """A version that reads the choices of a schema; one that is no program as it is."""
    try:
        before = as_program(version)
    except (ConfigError, ValidationError):
        return version
    now = with_choices(before, schema)
    return version if now == before else replace(version, body=now.to_json())


def _is_live(version: CrawlerVersion) -> bool:
    """Whether a version serves or has served."""
    return version.status in _LIVE and version.promoted_at is not None


def read_job(
    family: Family,
    version: CrawlerVersion,
    page: Page,
    asked: tuple[str, ...] = (),
    ignore: tuple[str, ...] = (),
) -> ReadJob:
    """What reads a page with a version, by its kind: code never comes near the
    interpreter of programs, nor a program to where code runs."""
    if version.kind is CrawlerKind.PROGRAM:
        return ExtractJob(program=version.body, page=page, asked=asked, ignore=ignore)
    return ReadByCodeJob(
        code=version.body,
        page=page,
        schema=family.schema_spec(),
        asked=asked,
        ignore=ignore,
    )


def as_program(version: CrawlerVersion) -> Program:
    """The program of a version; of one that is code a program that reads nothing."""
    if version.kind is CrawlerKind.PROGRAM:
        return Program.from_json(version.body)
    return Program(fields=())


def sheet_of(version: CrawlerVersion) -> ScoreSheet:
    """What a version was proved on; an empty sheet if it never was."""
    return ScoreSheet.model_validate(version.score_sheet or {})


def lost_fields(version: CrawlerVersion) -> frozenset[str]:
    """The fields that a version was proved without, since its pages no longer had
    them."""
    return sheet_of(version).gone


def unheard_fields(version: CrawlerVersion) -> frozenset[str]:
    """The fields of which a proof says nothing: nothing is known or read of them."""
    return sheet_of(version).unheard


def missed_fields(version: CrawlerVersion) -> frozenset[str]:
    """The fields that a version was proved not to read where their known values
    stood."""
    return sheet_of(version).missed


def partial_versions(versions: Iterable[CrawlerVersion]) -> frozenset[int]:
    """The versions that were proved not to read some field, whatever the reason."""
    return frozenset(map(attrgetter("version"), filter(unread_fields, versions)))


def unread_fields(version: CrawlerVersion) -> frozenset[str]:
    """The fields that a version was proved not to read."""
    return lost_fields(version) | missed_fields(version)


def _precedence(version: CrawlerVersion) -> tuple[bool, datetime, int]:
    """Sorts the active version behind all others, those by when they were promoted."""
    is_active = version.status is CrawlerStatus.ACTIVE
    return is_active, version.promoted_at or _EPOCH, version.version
