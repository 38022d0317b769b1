"""The families of the same site that were healed: what a redesign did to them, it did
to this family as well."""

from collections.abc import Iterator
from datetime import datetime

from crawloop_assets.crawler.program import Program
from crawloop_assets.induce.healing.healed import Sibling
from crawloop_assets.induce.proof.scores import ScoreSheet
from crawloop_assets.serve.versions import as_program, live_versions
from crawloop_assets.store import CrawlerKind, CrawlerVersion, Store

PromotionStep = tuple[CrawlerVersion, CrawlerVersion]
"""A version and the one that took its place."""


def healed_siblings(store: Store, family: str, since: datetime | None) -> list[Sibling]:
    """What other families with pages of the same hosts went through `since` then, by
    name."""
    siblings = []
    for old, new in healed_steps(store, family, since):
        after = _proved(new)
        if after is not None:
            before = as_program(old)
            siblings.append(Sibling(before=before, after=after))
    return siblings


def healed_steps(
    store: Store, family: str, since: datetime | None
) -> Iterator[PromotionStep]:
    """The last version of each sibling that took the place of another one `since`
    then."""
    for name in store.siblings(family):
        versions = live_versions(store.crawlers(name))
        if len(versions) < 2:
            continue
        new, old = versions[:2]
        if _is_newer(new, since) and _is_program(new) and _is_program(old):
            yield old, new


def _is_newer(version: CrawlerVersion, since: datetime | None) -> bool:
    """Whether a version was promoted after a moment (None: whenever)."""
    if since is None:
        return True
    return version.promoted_at is not None and version.promoted_at > since


def _is_program(version: CrawlerVersion) -> bool:
    return version.kind is CrawlerKind.PROGRAM


def _proved(version: CrawlerVersion) -> Program | None:
    """The program of a version with the fields that known values proved; None if there
    is none."""
    program = as_program(version)
    sheet = ScoreSheet.model_validate(version.score_sheet or {})
    fields = []
    for field in program.fields:
        score = sheet.field(field.spec.name)
        if score is not None and score.right and not score.wrong:
            fields.append(field)
    if not fields:
        return None
    return program.model_copy(update={"fields": tuple(fields)})
