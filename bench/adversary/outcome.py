"""What came of the product's side of a run."""

from dataclasses import dataclass, field

from bench.adversary.costs import Cost
from bench.adversary.rows import Rows


@dataclass
class Outcome:
    """What came of a run, as seen from outside."""

    costs: dict[str, Cost] = field(default_factory=dict)
    mean: dict[str, Cost] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    rows: Rows = field(default_factory=lambda: Rows(0, (), (), 0))
    left: list[str] = field(default_factory=list)
