"""What is answered of pages, as data: who asks in another process loads nothing of how it
is found."""

from pydantic import BaseModel, ConfigDict

from crawloop_assets.crawler.program import FamilyKind
from crawloop_assets.scout.proposal import Proposal


class Contradiction(BaseModel):
    """What speaks against the value of a field on a page, given its position among the
    pages."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    page: int
    row: int
    field: str
    why: str


class Contradictions(BaseModel):
    """All that speaks against what is claimed of some pages."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    found: tuple[Contradiction, ...] = ()


class Lookup(BaseModel):
    """Lines for a person: readers, or texts; `problem` says why there are none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lines: tuple[str, ...] = ()
    problem: str = ""


class Survey(BaseModel):
    """A page seen for the first time.

    `kind` is what it seems to be; `rows` the proposal for the records it repeats;
    `next_at` the css of the link to the next page ("" for none), `next_url` where it
    leads; `links` all of its links; `asks` addresses of data that its own scripts
    name, `scripts` those that it loads.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: FamilyKind
    rows: Proposal | None = None
    next_at: str = ""
    next_url: str = ""
    links: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    scripts: tuple[str, ...] = ()
