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
from crawloop_assets.store.questions import (
    NewLesson,
    NewQuestion,
    Question,
    QuestionCandidate,
    RedEvidence,
    TaughtLesson,
)
from crawloop_assets.store.reviews import ByWhom, ShadowRow, ShadowRun, VersionPin
from crawloop_assets.store.states import (
    AuditKind,
    CrawlerKind,
    CrawlerStatus,
    HeldState,
    QuestionKind,
    QuestionState,
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
    "ByWhom",
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
    "NewLesson",
    "NewQuestion",
    "PageVersion",
    "Pruned",
    "QuarantinedPage",
    "Question",
    "QuestionCandidate",
    "QuestionKind",
    "QuestionState",
    "RecordChange",
    "RedEvidence",
    "ServedBy",
    "ServedPage",
    "SettledBatch",
    "ShadowRow",
    "ShadowRun",
    "Skip",
    "Spent",
    "Store",
    "SuspectRow",
    "TaughtLesson",
    "UrlState",
    "VersionPin",
    "names_itself",
    "unstorable",
]
