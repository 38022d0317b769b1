"""A trial: what a changed family, schema or crawler would make of the pages that are stored.

Everything runs as it would in earnest, regeneration and replay, but on a copy of the store,
and with nothing that may be fetched. The project is as it was; what is told is the
difference between the rows of the copy and those that are published.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, field
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.crawler.program import Program
from crawloop_assets.drift.check import show
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Domains, Family
from crawloop_assets.heal.asking import regenerate_or_ask
from crawloop_assets.heal.refusal import failure
from crawloop_assets.heal.regenerate import Regeneration, RegenerationOutcome
from crawloop_assets.sandbox import WorkerPool
from crawloop_assets.serve.batch import BatchServer
from crawloop_assets.serve.neighbours import Neighbours
from crawloop_assets.serve.stream import Stream
from crawloop_assets.serve.versions import live_versions
from crawloop_assets.store import NewCrawler, Store
from crawloop_assets.store.copied import copied_store
from crawloop_assets.store.published import family_rows, published_rows
from crawloop_assets.store.tables import table_name

_RUN = "trial"
_Row = Mapping[str, Any]


@dataclass(frozen=True)
class RowChange:
    """A row of which fields are another: what they are now, and what they would be."""

    row: str
    fields: dict[str, tuple[str, str]]


@dataclass(frozen=True)
class RowDiff:
    """Rows that would be new, changed or gone, and how many would stay as they are. One is
    named by the address of its page, with its key before it where others are there."""

    new: tuple[str, ...] = ()
    changed: tuple[RowChange, ...] = ()
    gone: tuple[str, ...] = ()
    same: int = 0

    @property
    def fields(self) -> Counter[str]:
        """In how many rows each field would be another."""
        return Counter(name for one in self.changed for name in one.fields)


@dataclass(frozen=True)
class Refused:
    """A stored page that would be held, and why."""

    url: str
    why: tuple[str, ...]


@dataclass(frozen=True)
class Trial:
    """What came of it: how many pages were read, by which version, how that was come by,
    and what would become of the rows."""

    family: str
    pages: int
    version: int | None
    made: str
    is_new: bool
    failed: bool
    rows: RowDiff
    refused: tuple[Refused, ...] = ()

    @property
    def costs(self) -> bool:
        """Whether something would be lost: a page held, a row gone, or no version made."""
        return bool(self.refused or self.rows.gone or self.failed)

    def as_json(self) -> dict[str, Any]:
        """All of it, for programs."""
        return asdict(self) | {"fields": dict(self.rows.fields), "costs": self.costs}


@dataclass(frozen=True)
class Rehearsal:
    """Tries a family among all `families` of a project in an empty `folder`, in which the
    copy of its `store` lies.

    `crawler` is the version to read with, and no other, or the program of one; without
    it a regeneration says by which, and older versions help as ever.
    """

    family: Family
    families: Sequence[Family]
    store: Store
    pool: WorkerPool
    folder: Path
    crawler: int | Program | None = None
    copied: Store = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "copied", copied_store(self.store, self.folder))

    def run(self) -> Trial:
        """The trial; ConfigError if no page of the family is stored."""
        name = self.family.family
        urls = self.copied.frontier(name)
        pages = sum(url.page_sha256 is not None for url in urls)
        if not pages:
            raise ConfigError(
                f"no page of {name} is stored yet",
                hint="a trial reads stored pages: let the family be crawled once",
            )
        before = family_rows(self.store.publisher.published, name)
        made = self._prepared()
        self._replay()
        after = published_rows(
            self.copied.publish(), table_name(self.family.model().__name__)
        )
        active = self.copied.active(name)
        return Trial(
            name,
            pages,
            active.version if active else None,
            _in_words(made),
            is_new=made.outcome in _MADE,
            failed=made.outcome is RegenerationOutcome.REJECTED,
            rows=diff_rows(before, [row for row in after if row["_family"] == name]),
            refused=tuple(self._refused()),
        )

    def _prepared(self) -> Regeneration:
        """How the version came about that reads now; one that a person has to promote is
        promoted here."""
        name = self.family.family
        made = self._given() or regenerate_or_ask(
            self.family,
            self.copied,
            self.pool,
            Fetcher(
                Domains(), self.folder
            ),  # nothing is listed, so nothing is asked for
            run_id=_RUN,
            wave=None,
        )
        if made.outcome is RegenerationOutcome.AWAITING_REVIEW and made.version:
            self.copied.promote(name, made.version, why=made.reason)
        return made

    def _given(self) -> Regeneration | None:
        """What stands for a regeneration where the crawler is given; None if it is
        not."""
        if self.crawler is None:
            return None
        name, version = self.family.family, self.crawler
        if isinstance(version, Program):
            program = NewCrawler(family=name, body=version.to_json(), reason="tried")
            version = self.copied.add_crawler(program)
        self.copied.promote(name, version, why="tried")
        for other in live_versions(self.copied.crawlers(name)):
            if other.version != version:  # what it misses, no other shall hide
                self.copied.reject(name, other.version, "not tried")
        nothing = RegenerationOutcome.NOTHING_TO_DO
        return Regeneration(nothing, f"v{version} alone, as asked", version)

    def _replay(self) -> None:
        """All batches, from stored pages, as the job `replay` reads them."""
        server = BatchServer(self.family, self.copied, self.pool, _RUN)
        server.neighbours = Neighbours(
            self.family, self.families, self.copied, self.pool
        )
        batches = self.copied.batches(self.family.family)
        # Each is committed to the copy as it comes; none is kept.
        deque(Stream(server, None).run(batches), maxlen=0)
        server.settle()

    def _refused(self) -> Iterable[Refused]:
        """The pages that were held, with what was said against each."""
        for page in self.copied.quarantine(self.family.family):
            if page.run_id == _RUN:
                said = dict.fromkeys(reason.message for reason in page.reasons)
                yield Refused(page.url, tuple(said))


_MADE = (RegenerationOutcome.PROMOTED, RegenerationOutcome.AWAITING_REVIEW)


def _in_words(made: Regeneration) -> str:
    """How a regeneration ended, in a sentence."""
    if made.outcome is RegenerationOutcome.REJECTED:
        return f"no new version: {failure(made)}"
    if made.outcome in _MADE:
        return f"v{made.version} was made: {made.reason}"
    return made.reason


def diff_rows(before: Sequence[_Row], after: Sequence[_Row]) -> RowDiff:
    """What becomes of rows: those of one key are one, and so are those that are alone on
    one page where the key is another now."""
    shared = _shared(before) | _shared(after)
    named = partial(_named, shared)
    left = {row["_key"]: row for row in before}
    pairs, new = _paired(left, after, "_key")
    by_url = {row["_url"]: row for row in left.values() if row["_url"] not in shared}
    more, new = _paired(by_url, new, "_url")
    paired = [(old, now, _fields(old, now)) for old, now in pairs + more]
    taken = {id(old) for old, _, _ in paired}
    changed = [RowChange(named(now), said) for _, now, said in paired if said]
    return RowDiff(
        new=tuple(map(named, new)),
        changed=tuple(changed),
        gone=tuple(named(row) for row in before if id(row) not in taken),
        same=len(paired) - len(changed),
    )


def _shared(rows: Iterable[_Row]) -> Set[str]:
    """The pages with more than one row."""
    pages = Counter(map(itemgetter("_url"), rows))
    return (pages - Counter(pages.keys())).keys()


def _named(shared: Set[str], row: _Row) -> str:
    """How a row is called: by its page, and by its key where others are there; the key of
    a row that nothing else names has the page in it."""
    key, url = str(row["_key"]), str(row["_url"])
    if url not in shared:
        return url
    return key if key.startswith(url) else f"{key} on {url}"


def _paired(
    left: dict[str, _Row], rows: Iterable[_Row], by: str
) -> tuple[list[tuple[_Row, _Row]], list[_Row]]:
    """Rows with those that are left of before, which are taken away; and the rows that
    have none."""
    pairs, alone = [], []
    for row in rows:
        old = left.pop(row[by], None)
        if old is None:
            alone.append(row)
        else:
            pairs.append((old, row))
    return pairs, alone


def _fields(old: _Row, now: _Row) -> dict[str, tuple[str, str]]:
    """The declared fields that differ, as people read them."""
    names = [name for name in {**old, **now} if not name.startswith("_")]
    return {
        name: (show(old.get(name)), show(now.get(name)))
        for name in names
        if old.get(name) != now.get(name)
    }
