"""What the product keeps: records, history, frontier, crawlers and ledgers in DuckDB,
page bodies as files."""

from crawloop_assets.store.bodies import Bodies
from crawloop_assets.store.encoding import unstorable
from crawloop_assets.store.explain import Explanation, RecordChange
from crawloop_assets.store.families import LeftFamily
from crawloop_assets.store.models import (
    AccessOutcome,
    AuditEvent,
    BatchCommit,
    BatchCounts,
    BatchReport,
    CrawlerVersion,
    FetchedPage,
    FoundUrl,
    FrontierUrl,
    HeldPage,
    HeldReason,
    LlmCall,
    NewCrawler,
    PageVersion,
    QuarantinedPage,
    ServedPage,
    Skip,
    Spent,
    SuspectRow,
)
from crawloop_assets.store.pending import SettledBatch
from crawloop_assets.store.prune import Pruned
from crawloop_assets.store.states import (
    AuditKind,
    CrawlerKind,
    CrawlerStatus,
    HeldState,
    ServedBy,
    UrlState,
)
from crawloop_assets.store.store import Store
from crawloop_assets.store.takeover import Clash, ClashKind, names_itself

__all__ = [
    "AccessOutcome",
    "AuditEvent",
    "AuditKind",
    "BatchCommit",
    "BatchCounts",
    "BatchReport",
    "Bodies",
    "Clash",
    "ClashKind",
    "CrawlerKind",
    "CrawlerStatus",
    "CrawlerVersion",
    "Explanation",
    "FetchedPage",
    "FoundUrl",
    "FrontierUrl",
    "HeldPage",
    "HeldReason",
    "HeldState",
    "LeftFamily",
    "LlmCall",
    "NewCrawler",
    "PageVersion",
    "Pruned",
    "QuarantinedPage",
    "RecordChange",
    "ServedBy",
    "ServedPage",
    "SettledBatch",
    "Skip",
    "Spent",
    "Store",
    "SuspectRow",
    "UrlState",
    "names_itself",
    "unstorable",
]
