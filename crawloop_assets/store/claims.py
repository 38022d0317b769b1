"""Who asks for what: two daemons on one project must not both ask for a heal wave."""

from collections.abc import Callable
from datetime import datetime, timedelta

from crawloop_assets.store.db import Database
from crawloop_assets.store.rows import append, now, select_rows

_FORGOTTEN = timedelta(days=7)

IsAlive = Callable[[str, datetime], bool]
"""Whether a holder that claimed something at a moment is still there."""


class Claims:
    """Names that one holder at a time has, each for as long as the holder is there."""

    def __init__(self, database: Database):
        self._database = database

    def take(self, name: str, holder: str, is_alive: IsAlive) -> bool:
        """Claim a name; False if another holder has it who is still there."""
        with self._database.write() as connection:
            moment = now()
            connection.execute(
                "delete from claims where claimed_at < ?", [moment - _FORGOTTEN]
            )
            found = select_rows(
                connection,
                "select holder, claimed_at from claims where name = ?",
                [name],
            )
            for row in found:
                if row["holder"] != holder and is_alive(
                    row["holder"], row["claimed_at"]
                ):
                    return False
            connection.execute("delete from claims where name = ?", [name])
            row = {"name": name, "holder": holder, "claimed_at": moment}
            append(connection, "claims", [row])
            return True
