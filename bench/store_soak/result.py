"""What a soak did and found, as a table."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bench.store_soak.compare import Findings

_SHOWN = 20


@dataclass
class Result:
    """`did` counts what was done, `findings` what of the rows is wrong, `broken` which
    promises were, each by what it says; both must be empty."""

    did: Counter[str] = field(default_factory=Counter)
    findings: Findings = field(default_factory=Findings)
    broken: Counter[str] = field(default_factory=Counter)
    said: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether nothing went wrong."""
        return not (self.findings.bad or self.broken.total() or self.said)

    def lines(self) -> Iterator[str]:
        """The table."""
        found = self.findings
        zeros = {"lost": found.lost, "torn": found.torn, "doubled": found.doubled}
        zeros |= {"wrong value": found.wrong} | dict.fromkeys(MUST_BE_ZERO, 0)
        for name, count in self.did.items():
            yield f"{name:44} {count:12,}"
        yield f"{'rows compared':44} {found.compared:12,}"
        yield "-" * 57
        for name, count in (zeros | self.broken).items():
            yield f"{name:44} {count:12,}"
        yield from self.said[:_SHOWN]


LESS_PUBLISHED = "published files with less than before"
FAILED_READS = "reads that failed"
TORN_READS = "torn generations read"
WRONG_READS = "wrong values read"
KEPT_THOUGH_FAILED = "kept, though told that it failed"
PUBLISHED_A_LOSS = "published over a loss"
NOT_RESTORED = "not brought back by restore"
NOT_SETTLED = "commits that could not be repeated"

MUST_BE_ZERO = (
    LESS_PUBLISHED,
    FAILED_READS,
    TORN_READS,
    WRONG_READS,
    KEPT_THOUGH_FAILED,
    PUBLISHED_A_LOSS,
    NOT_RESTORED,
    NOT_SETTLED,
)
