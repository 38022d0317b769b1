"""Which of the known records of a page a person means, by the key that they see."""

from collections.abc import Sequence

from crawloop_assets.drift.matching import Record, record_key
from crawloop_assets.errors import ConfigError
from crawloop_assets.family import Family

_SHOWN = 5
"""Keys that an error names."""


def row_of_key(family: Family, known: Sequence[Record], key: str) -> int:
    """The number, from 0, of the one known record of a page with this key: its only part,
    a part that no other record has, or all parts with ", " between them ("AX-7, 2026").

    ConfigError if the family's records have no key, or none or several have this one.
    """
    names = [spec.name for spec in record_key(family.schema_spec(), family)]
    if not names:
        raise ConfigError(
            f"the records of {family.family} have no key but their page",
            hint="say which by its number (`--row`), or name a field in the family's `key`",
        )
    keys = [[str(record.get(name, "")) for name in names] for record in known]
    meant = [
        number
        for number, parts in enumerate(keys)
        if key.strip() in (*parts, ", ".join(parts))
    ]
    if len(meant) == 1:
        return meant[0]
    found = f"{len(meant)} of {len(known)} known records of that page have"
    shown = "; ".join(map(", ".join, keys[:_SHOWN])) or "none"
    raise ConfigError(
        f"{found} the {', '.join(names)} {key!r}",
        hint=f"`crawloop question show` lists them all; the first are: {shown}",
    )
