"""Model calls: written down before they are made, so that no two processes spend the
same money."""

from datetime import datetime

from crawloop_assets.store import ledger
from crawloop_assets.store.db import Database
from crawloop_assets.store.models import LlmCall, Spent


class ModelCalls:
    """The model calls of a store; raises what the store raises."""

    def __init__(self, database: Database):
        self._database = database

    def record(self, *calls: LlmCall) -> None:
        """Write calls that were made, or answers that were kept."""
        with self._database.write() as connection:
            ledger.record_calls(connection, calls)

    def reserve(self, call: LlmCall, since: datetime, allows: ledger.Allows) -> str:
        """Write down a call that is about to be made, if what was spent since a moment
        allows it; its id."""
        with self._database.write() as connection:
            return ledger.reserve_call(connection, call, since, allows)

    def settle(self, name: str, call: LlmCall) -> None:
        """What came of a call that was reserved."""
        with self._database.write() as connection:
            ledger.settle_call(connection, name, call)

    def spent(
        self, family: str | None, since: datetime, wave: str | None = None
    ) -> Spent:
        """What a family (None: all) spent since a moment, and in a wave ever."""
        with self._database.read() as connection:
            return ledger.spent(connection, family, since, wave)
