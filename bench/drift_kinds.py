"""How loud are the checks? Every kind of valid-but-wrong reading, on 100 %, 30 % and 5
% of the pages of one refresh; and every untrue thing a page may say, on a single page
too.

python -m bench.drift_kinds [--days 10] [--seeds 1] [--families simulated,plain]
[--kinds net_price,cents] [--json FILE]

A healthy past of so many days, a night, then one refresh read wrongly. Per kind and
share: in how many refreshes it was noticed (a failed check, a page held), in how many
it was drift (an ERROR), how many wrong rows would have been published of those read,
and the checks that failed. `simulated` readings are made of values; in the families
`linked`, `plain`, `json` and `listing` pages are rendered and read by a compiled
program ("right": all that is read is true). Prints a Markdown table.
"""

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import filterfalse
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from bench.drift_rendered import SHARES, Measure, measured, summary
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.drift.kept import KeptRecord
from crawloop_assets.drift.outcome import BatchStats, PageOutcome
from tests.drift import kinds, shelf, shop
from tests.drift.market_pages import Look

SIMULATED = "simulated"


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
Truth = dict[str, Sequence[Mapping[str, Any]]]
Refresh = Callable[
    [float],
    tuple[list[Batch], dict[str, int], Truth, Callable[[Batch], BatchJudgement]],
]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--days", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--kinds", type=_names, default=())
    parser.add_argument("--families", type=_names, default=(SIMULATED, *Look))
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    started = time.process_time()
    figures: list[dict[str, Any]] = []
    if SIMULATED in args.families:
        figures += _print_simulated(args)
    looks = list(filter(args.families.__contains__, Look))
    measures = _print_rendered(looks, args)
    figures += [measure.to_json() for measure in measures]
    print(f"\n{time.process_time() - started:.0f} CPU-s")
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _print_simulated(args: argparse.Namespace) -> list[dict[str, Any]]:
    """The table of simulated readings; its figures."""
    shares = " | ".join(f"{share:.0%} of pages" for share in SHARES)
    print(f"| kind | {shares} | checks that fail at 30 % |")
    print("|---|" + "---|" * (len(SHARES) + 1))
    totals: Counter[tuple[float, str]] = Counter()
    figures: list[dict[str, Any]] = []
    sites = [
        (seed, _shop(seed, args.days), _shelf(seed, args.days))
        for seed in range(1, args.seeds + 1)
    ]
    names = [("product", name) for name in kinds.KINDS] + [
        ("listing", name) for name in shelf.KINDS
    ]
    names = [pair for pair in names if not args.kinds or pair[1] in args.kinds]
    for where, name in names:
        cells, failing = [], Counter[str]()
        for share in SHARES:
            cell, checks = _simulated(sites, where, name, share)
            failing.update(checks if share == 0.3 else ())
            cells.append(cell)
            totals[share, "noticed"] += cell.noticed == cell.refreshes
            totals[share, "published"] += cell.published
            said = {"family": SIMULATED, "kind": name, "share": f"{share:.0%}"}
            figures.append(said | cell._asdict())
        print(
            f"| {where}: {name.replace('_', ' ')} | {' | '.join(map(str, cells))} | {', '.join(sorted(failing))} |"
        )
    for share in SHARES:
        noticed, published = totals[share, "noticed"], totals[share, "published"]
        print(
            f"\n{share:.0%} of pages: {noticed} of {len(names)} kinds noticed in every refresh, "
            f"{published} wrong rows published"
        )
    return figures


def _simulated(
    sites: Sequence[tuple[int, shop.Site, shelf.Shelf]],
    where: str,
    name: str,
    share: float,
) -> tuple[Cell, set[str]]:
    """One kind at one share over all seeds, and the checks that failed."""
    cell, failing = Cell(0, 0, 0, 0, 0), set[str]()
    for seed, site, rows in sites:
        refresh = (
            _shop_refresh(site, name, share, seed)
            if where == "product"
            else _shelf_refresh(rows, name, share, seed)
        )
        one, checks = _judge(*refresh)
        cell = Cell(*(a + b for a, b in zip(cell, one, strict=True)))
        failing |= checks
    return cell, failing


def _print_rendered(looks: Sequence[Look], args: argparse.Namespace) -> list[Measure]:
    """The table of rendered pages, and its summary."""
    if not looks:
        return []
    shares = " | ".join(f"{share:.0%} of pages" for share in SHARES)
    print(
        f"\n| kind | {shares} | single pages | checks that fail at 30 % | what speaks against it |"
    )
    print("|---|" + "---|" * (len(SHARES) + 3))
    every: list[Measure] = []
    for look, kind, measures in measured(looks, args.kinds, args.days, args.seeds):
        every += measures
        cells = " | ".join(map(str, measures))
        failed = sorted(check.replace("error ", "") for check in measures[1].checks)
        witnesses = "; ".join(measures[0].against)
        row = f"| {look}: {kind.words} | {cells} | {', '.join(failed)} | {witnesses} |"
        print(row, flush=True)
    for line in summary(every):
        print(line)
    return every


def _judge(
    batches: Iterable[Batch],
    wrong: dict[str, int],
    true: Truth,
    judge: Callable[[Batch], BatchJudgement],
) -> tuple[Cell, set[str]]:
    """A refresh counts as one, whatever its batches."""
    noticed = drift = False
    published, failing = 0, set()
    for batch in batches:
        judgement = judge(batch)
        failed = list(filterfalse(attrgetter("passed"), judgement.checks))
        noticed |= bool(failed or judgement.held)
        drift |= judgement.drifted
        failing |= set(map(attrgetter("name.value"), failed))
        for url, records in judgement.kept.items():
            published += _wrong_in_part(records, true[url]) if url in wrong else 0
        if judgement.hold_all is None:
            published += sum(
                wrong.get(outcome.url, 0)
                for outcome in batch[1]
                if outcome.url not in judgement.held
            )
    return Cell(1, noticed, drift, sum(wrong.values()), published), failing


def _wrong_in_part(
    records: Mapping[int, KeptRecord], true: Sequence[Mapping[str, Any]]
) -> int:
    """How many records of a page that is served in part have an untrue fresh value."""
    return sum(
        any(
            record.values.get(name) != true[at].get(name)
            for name in record.values.keys() - record.kept
        )
        for at, record in records.items()
    )


def _shop(seed: int, days: int) -> shop.Site:
    site = shop.Site(shop.Shop(seed=seed, size=200))
    for day in range(days):
        if day:
            site.shop.day(
                frozenset(range(0, 200, 3)) if day in (3, 4) else frozenset(), 0.2
            )
        past = list(site.history)
        for key, products in site.shop.batches():
            outcomes = list(map(site.outcome, products))
            judgement = judge_batch(shop.SCHEMA, shop.FAMILY, outcomes, past, batch=key)
            site.publish(outcomes, judgement.stats, judgement.held)
    site.shop.day()
    return site


def _shop_refresh(site: shop.Site, name: str, share: float, seed: int):  # type: ignore[no-untyped-def]
    rng = random.Random(seed * 100 + 7)
    batches: list[Batch] = []
    wrong: dict[str, int] = {}
    true: Truth = {}
    for key, products in site.shop.batches():
        outcomes = []
        for product in products:
            outcome = site.outcome(product)
            if rng.random() < share:
                read = kinds.KINDS[name](kinds.Case(rng, site.shop, product, outcome))
                if read.values != outcome.values or read.facts != outcome.facts:
                    wrong[outcome.url] = 1
                    true[outcome.url] = outcome.values
                outcome = read
            outcomes.append(outcome)
        batches.append((key, outcomes))
    return batches, wrong, true, _judging(shop, site.history)


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
    true: Truth = {}
    for at in chosen:
        read = shelf.broken(name, rng, outcomes[at])
        # Rows that are missing are not published either; what is wrong then are the rows said to be all there are.
        wrong[read.url] = sum(
            row not in outcomes[at].values for row in read.values
        ) or int(read.values != outcomes[at].values)
        true[read.url] = outcomes[at].values
        outcomes[at] = read
    return [("000001", outcomes)], wrong, true, _judging(shelf, rows.history)


def _judging(
    module, history: Sequence[BatchStats]
) -> Callable[[Batch], BatchJudgement]:  # type: ignore[no-untyped-def]
    return lambda batch: judge_batch(
        module.SCHEMA, module.FAMILY, batch[1], history, batch=batch[0]
    )


if __name__ == "__main__":
    main()
