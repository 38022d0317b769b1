"""What a verb works with: the project, its store, workers and the way to the sites."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from crawloop_assets.access.fetcher import Fetcher
from crawloop_assets.desk.words import PersonsWord
from crawloop_assets.family import Family
from crawloop_assets.heal.lessons import Decisions
from crawloop_assets.heal.model_help import NO_HELP, ModelHelp
from crawloop_assets.llm.settings import ModelChoice
from crawloop_assets.project import Project
from crawloop_assets.sandbox import WorkerPool, default_pool
from crawloop_assets.store import ByWhom, Store
from crawloop_assets.store.copied import copied_store


def _own_pool() -> AbstractContextManager[WorkerPool]:
    """The workers of this process; they outlive what is done with them."""
    return nullcontext(default_pool())


@dataclass(frozen=True)
class Desk:
    """`run_id` is the Dagster run that acts for somebody, if one does; `pool` gives the
    workers for one act."""

    project: Project
    store: Store
    run_id: str | None = None
    pool: Callable[[], AbstractContextManager[WorkerPool]] = _own_pool
    is_rehearsal: bool = False

    def family(self, name: str) -> Family:
        """A family of the project; ConfigError names those that there are."""
        return self.project.family(name)

    def decisions(self, name: str) -> Decisions:
        """What may be decided about a family."""
        return Decisions(self.family(name), self.store, self.run_id)

    def by(self, word: PersonsWord) -> ByWhom:
        """Who decides, for the audit."""
        return ByWhom(word.who, word.why, self.run_id)

    def fetcher(self) -> Fetcher:
        """The only way to the sites."""
        domains = self.project.load_domains()
        return Fetcher(domains, self.project.var, outcomes=self.store)

    def asks(
        self,
        family: Family,
        pool: WorkerPool,
        run_id: str,
        wave: str | None,
        model: str = "",
    ) -> ModelHelp:
        """What a model may be asked while a version is made, "" for the one that is set;
        nothing while it is only tried, since what it costs would be written down in a
        copy."""
        if self.is_rehearsal:
            return NO_HELP
        cache = self.project.var / "model_cache"
        choice = ModelChoice(cache=cache, wave=wave, model=model or None)
        return ModelHelp.of(family, self.store, pool, run_id, choice)

    @contextmanager
    def rehearsal(self) -> Iterator["Desk"]:
        """The same with a copy of the store, which is thrown away: whatever is done
        there was only tried. Stored pages are the real ones."""
        with tempfile.TemporaryDirectory(prefix="crawloop-") as folder:
            var = Path(folder) / "var"
            var.mkdir()
            store = copied_store(self.store, var)
            yield replace(self, store=store, is_rehearsal=True)
