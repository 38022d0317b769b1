"""How loud are the checks? Every kind of valid-but-wrong reading, on 100 %, 30 % and 5
% of the pages of one refresh.

python -m bench.drift_kinds [--days 10] [--seeds 3]

A healthy past of so many days, a night, then one refresh read wrongly. Per kind and
share: in how many refreshes it was noticed (a failed check), in how many it was drift
(an ERROR), how many wrong rows would have been published, and the checks that failed.
Prints a Markdown table.
"""

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from crawloop_assets.drift import BatchJudgement, BatchStats, PageOutcome, judge_batch
from tests.drift import kinds, shelf, shop

SHARES = (1.0, 0.3, 0.05)


class Cell(NamedTuple):
    """One kind at one share over all seeds."""

    refreshes: int
    noticed: int
    drift: int
    rows: int
    published: int

    def __str__(self) -> str:
        mark = (
            "drift"
            if self.drift == self.refreshes
            else "noticed"
            if self.noticed == self.refreshes
            else ""
        )
        mark = mark or (
            f"noticed {self.noticed}/{self.refreshes}" if self.noticed else "missed"
        )
        return f"{mark}, {self.published}/{self.rows}"


Batch = tuple[str, Sequence[PageOutcome]]
Refresh = Callable[
    [float], tuple[list[Batch], dict[str, int], Callable[[Batch], BatchJudgement]]
]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=3)
    args = parser.parse_args()
    print(
        "| kind | "
        + " | ".join(f"{share:.0%} of pages" for share in SHARES)
        + " | checks that fail at 30 % |"
    )
    print("|---|" + "---|" * (len(SHARES) + 1))
    totals: Counter[tuple[float, str]] = Counter()
    sites = [
        (seed, _shop(seed, args.days), _shelf(seed, args.days))
        for seed in range(1, args.seeds + 1)
    ]
    names = [("product", name) for name in kinds.KINDS] + [
        ("listing", name) for name in shelf.KINDS
    ]
    for where, name in names:
        cells, failing = [], Counter[str]()
        for share in SHARES:
            cell = Cell(0, 0, 0, 0, 0)
            for seed, site, rows in sites:
                refresh = (
                    _shop_refresh(site, name, share, seed)
                    if where == "product"
                    else _shelf_refresh(rows, name, share, seed)
                )
                one, checks = _judge(*refresh)
                cell = Cell(*(a + b for a, b in zip(cell, one, strict=True)))
                failing.update(checks if share == 0.3 else ())
            cells.append(cell)
            totals[share, "noticed"] += cell.noticed == cell.refreshes
            totals[share, "published"] += cell.published
        print(
            f"| {where}: {name.replace('_', ' ')} | {' | '.join(map(str, cells))} | {', '.join(sorted(failing))} |"
        )
    for share in SHARES:
        noticed, published = totals[share, "noticed"], totals[share, "published"]
        print(
            f"\n{share:.0%} of pages: {noticed} of {len(names)} kinds noticed in every refresh, "
            f"{published} wrong rows published"
        )


def _judge(
    batches: Iterable[Batch],
    wrong: dict[str, int],
    judge: Callable[[Batch], BatchJudgement],
) -> tuple[Cell, set[str]]:
    """A refresh counts as one, whatever its batches."""
    noticed = drift = False
    published, failing = 0, set()
    for batch in batches:
        judgement = judge(batch)
        failed = [check for check in judgement.checks if not check.passed]
        noticed |= bool(failed or judgement.held)
        drift |= judgement.drifted
        failing |= {check.name.value for check in failed}
        if judgement.hold_all is None:
            published += sum(
                wrong.get(outcome.url, 0)
                for outcome in batch[1]
                if outcome.url not in judgement.held
            )
    return Cell(1, noticed, drift, sum(wrong.values()), published), failing


def _shop(seed: int, days: int) -> shop.Site:
    site = shop.Site(shop.Shop(seed=seed, size=200))
    for day in range(days):
        if day:
            site.shop.day(
                frozenset(range(0, 200, 3)) if day in (3, 4) else frozenset(), 0.2
            )
        past = list(site.history)
        for key, products in site.shop.batches():
            outcomes = [site.outcome(product) for product in products]
            judgement = judge_batch(shop.SCHEMA, shop.FAMILY, outcomes, past, batch=key)
            site.publish(outcomes, judgement.stats, judgement.held)
    site.shop.day()
    return site


def _shop_refresh(site: shop.Site, name: str, share: float, seed: int):  # type: ignore[no-untyped-def]
    rng = random.Random(seed * 100 + 7)
    batches: list[Batch] = []
    wrong: dict[str, int] = {}
    for key, products in site.shop.batches():
        outcomes = []
        for product in products:
            outcome = site.outcome(product)
            if rng.random() < share:
                read = kinds.KINDS[name](kinds.Case(rng, site.shop, product, outcome))
                if read.values != outcome.values or read.facts != outcome.facts:
                    wrong[outcome.url] = 1
                outcome = read
            outcomes.append(outcome)
        batches.append((key, outcomes))
    return batches, wrong, _judging(shop, site.history)


def _shelf(seed: int, days: int) -> shelf.Shelf:
    rows = shelf.Shelf(seed=seed)
    for day in range(days):
        if day:
            rows.day()
        outcomes = rows.outcomes()
        rows.publish(
            outcomes,
            judge_batch(
                shelf.SCHEMA, shelf.FAMILY, outcomes, rows.history, batch="000001"
            ).stats,
        )
    rows.day()
    return rows


def _shelf_refresh(rows: shelf.Shelf, name: str, share: float, seed: int):  # type: ignore[no-untyped-def]
    rng = random.Random(seed * 100 + 7)
    outcomes = rows.outcomes()
    chosen = [at for at in range(len(outcomes)) if rng.random() < share] or [
        rng.randrange(len(outcomes) - 1)
    ]
    wrong = {}
    for at in chosen:
        read = shelf.broken(name, rng, outcomes[at])
        # Rows that are missing are not published either; what is wrong then are the rows said to be all there are.
        wrong[read.url] = sum(
            row not in outcomes[at].values for row in read.values
        ) or int(read.values != outcomes[at].values)
        outcomes[at] = read
    return [("000001", outcomes)], wrong, _judging(shelf, rows.history)


def _judging(
    module, history: Sequence[BatchStats]
) -> Callable[[Batch], BatchJudgement]:  # type: ignore[no-untyped-def]
    return lambda batch: judge_batch(
        module.SCHEMA, module.FAMILY, batch[1], history, batch=batch[0]
    )


if __name__ == "__main__":
    main()
