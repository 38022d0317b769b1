"""What the doctor says of one thing."""

from typing import NamedTuple


class Finding(NamedTuple):
    """One thing that was looked at, what was found, and whether it is wrong; then the
    sentence says what to do."""

    about: str
    says: str
    is_wrong: bool = False
