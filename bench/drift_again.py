"""What becomes of an untrue thing that pages say day after day? The first day it is
held; here is what is published of it on the days that follow.

python -m bench.drift_again [--days 10] [--refreshes 3] [--shares 1.0,0.3]
[--families linked,plain] [--kinds prefix_new,name_cut]

The kinds are those of `bench.drift_kinds`, in families of rendered pages that are read by a
compiled program. Each cell has the wrong rows published of those that are on the pages.
What the site says twice is news where nothing but the past speaks against it; so the
kinds without a witness are published on the second day, as their honest twins are, and
those with one have to stay held until a person decides. Prints a Markdown table.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field

from tests.drift.market_case import Kind, changed, changed_at
from tests.drift.market_kinds import KINDS
from tests.drift.market_pages import Look
from tests.drift.market_witness import against
from tests.drift.rendered import RenderedSite, site_after

_PAGES = 100


@dataclass
class Again:
    """One kind in one family: wrong rows published and read, refresh by refresh, and
    the checks that failed in the last one."""

    family: str
    kind: Kind
    share: float
    published: list[int] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)
    failed: Sequence[str] = ()

    def __str__(self) -> str:
        cells = [
            f"{shown}/{read}"
            for shown, read in zip(self.published, self.wrong, strict=True)
        ]
        witnesses = "; ".join(
            against(self.kind, Look(self.family), round(self.share * _PAGES))
        )
        checks = ", ".join(check.replace("error ", "") for check in self.failed)
        name = f"{self.family}: {self.kind.words}, {self.share:.0%}"
        return f"| {name} | {' | '.join(cells)} | {checks} | {witnesses} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=10)
    parser.add_argument("--refreshes", type=int, default=3)
    parser.add_argument("--shares", type=_names, default=("1.0", "0.3"))
    parser.add_argument("--families", type=_names, default=tuple(Look))
    parser.add_argument("--kinds", type=_names, default=())
    args = parser.parse_args()
    days = " | ".join(f"refresh {at}" for at in range(1, 1 + args.refreshes))
    print(f"| kind | {days} | checks that fail in the last | what speaks against it |")
    print("|---|" + "---|" * (args.refreshes + 2))
    looks = list(filter(args.families.__contains__, Look))
    for again in _measured(looks, args):
        print(again, flush=True)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _measured(looks: Sequence[Look], args: argparse.Namespace) -> Iterator[Again]:
    """Every kind in every family, at every share."""
    for look in looks:
        site = site_after(look, args.days)
        for _, kind in KINDS.pairs([look], args.kinds):
            for share in map(float, args.shares):
                yield _said_again(deepcopy(site), kind, share, args.refreshes)


def _said_again(site: RenderedSite, kind: Kind, share: float, refreshes: int) -> Again:
    """The same pages say the same thing in so many refreshes."""
    again = Again(site.look.value, kind, share)
    rng = random.Random(f"{kind.name} {share}")
    places = list(changed_at(kind, share, site.sheets(), site.market, rng))
    for _ in range(refreshes):
        true = site.sheets()
        told, alike = list(true), random.Random(kind.name)
        made = changed(kind, [true[at] for at in places], site.market, alike)
        for at, sheet in zip(places, made, strict=True):
            told[at] = sheet
        judged = site.judge(site.read(told))
        read = shown = 0
        for at in places:
            outcome = judged.outcomes[at]
            read += site.wrong_rows(true[at], outcome)
            if judged.is_published(outcome):
                waiting = judged.waiting(outcome)
                shown += site.wrong_rows(true[at], outcome, waiting)
        again.wrong.append(read)
        again.published.append(shown)
        again.failed = sorted(judged.failed)
        site.keep(judged)
        site.market.night()
    return again


if __name__ == "__main__":
    main()
