"""The store as a resource."""

from pathlib import Path

import dagster as dg

from crawloop_assets.project import Project
from crawloop_assets.store import Store


class StoreResource(dg.ConfigurableResource["StoreResource"]):
    """Where records and everything known about them are kept.

    Empty paths mean the project's own.
    """

    var: str = ""
    published: str = ""
    wait_s: float = 60.0

    def open(self) -> Store:
        """The store; cheap, opens the file only for each short transaction.

        CommitsLost if it has lost what was committed to it: nothing is asked for, and
        nothing built on what is left.
        """
        store = self._unchecked()
        store.publisher.check_whole()
        return store

    def state(self) -> str:
        """Names what the store holds: another one after every commit; nothing is opened
        for it."""
        return self._unchecked().publisher.database.state()

    def _unchecked(self) -> Store:
        project = Project.find()
        return Store(
            Path(self.var) if self.var else project.var,
            Path(self.published) if self.published else project.published,
            wait_s=self.wait_s,
        )
