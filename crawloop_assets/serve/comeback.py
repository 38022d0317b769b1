"""A layout that was known before is back: an older version serves what the active one
does not."""

from collections.abc import Mapping

from crawloop_assets.family import Family, Promotion
from crawloop_assets.store import AuditKind, Store

_MIN_WINS = 3  # pages that an older version has to serve to become the active one


def bring_back(
    family: Family, store: Store, run_id: str, active: int, wins: Mapping[int, int]
) -> str:
    """Make the version active again that served a run of which the `active` one read no
    page well, or ask a person for it where the family file wants to be asked, or the active one is pinned; what was
    done, "" if nothing.

    `wins` is how many pages of each version were published.
    """
    if not wins or wins.get(active):
        return ""
    version = max(wins, key=wins.__getitem__)
    if wins[version] < _MIN_WINS:
        return ""
    why = f"a known layout is back: served {wins[version]} pages, v{active} none"
    is_pinned = family.family in store.reviews.pins()
    if is_pinned or family.heal.promotion is Promotion.REVIEW:
        detail = {"version": version, "active": active, "why": why}
        store.audit(AuditKind.REVIEW_ASKED, family.family, run_id, detail)
        return f"{why}; v{version} waits for a person to promote it"
    store.promote(family.family, version, why=why, expected_active=active)
    return f"{why}; v{version} is active again"
