"""How quiet are the checks on a healthy family? 2,000 product pages and 400 listing
rows over 30 simulated days; and on every honest change of a shop whose pages are
rendered and read by a compiled program.

python -m bench.drift_quiet [--pages 2000] [--days 30] [--seeds 1]
[--families simulated,plain] [--twins restocked,tax_changed] [--json FILE]

Every day prices, stock, reviews and ratings move, products go and others come; there
are three sales (one of them half price for everything, one flat price), a category of
dearer products is added on day 15, images move to another host on day 12, everything is
restocked on day 21, and the last page of the listing is shorter. Prints every alarm
and, per severity and check, how many there were. Then a Markdown table: what is held of each
honest change in the refresh in which it comes, and in the two after it; where one has
drifted a heal wave follows, and the next one is read by what that made.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import filterfalse
from operator import attrgetter
from pathlib import Path

from bench.drift_twins import Quiet, measured_twins, twins_summary
from crawloop_assets.drift.batch import BatchJudgement, judge_batch
from crawloop_assets.page import Verdict
from tests.drift import shelf
from tests.drift.market_pages import Look
from tests.drift.shop import FAMILY, SCHEMA, Shop, Site

SIMULATED = "simulated"
_TWIN_DAYS = 10


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--families", type=_names, default=(SIMULATED, *Look))
    parser.add_argument("--twins", type=_names, default=())
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if SIMULATED in args.families:
        _print_simulated(args)
    looks = list(filter(args.families.__contains__, Look))
    quiets = _print_twins(looks, args.twins) if looks else []
    if args.json:
        figures = [quiet.to_json() for quiet in quiets]
        args.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(","))


def _print_simulated(args: argparse.Namespace) -> None:
    """Every alarm of the simulated days, and how many there were."""
    alarms: Counter[str] = Counter()
    batches, started = 0, time.process_time()
    for seed in range(1, args.seeds + 1):
        for run in (
            shop_days(seed, args.pages, args.days),
            shelf_days(seed, args.days),
        ):
            for day, batch, judgement in run:
                batches += 1
                alarms["pages held"] += len(judgement.held)
                for check in filterfalse(attrgetter("passed"), judgement.checks):
                    alarm = f"{check.severity} {check.name}"
                    alarms[alarm] += 1
                    print(
                        f"seed {seed} day {day} batch {batch}: {alarm}: {check.sentence}"
                    )
    errors = sum(count for name, count in alarms.items() if name.startswith("error"))
    warnings = sum(count for name, count in alarms.items() if name.startswith("warn"))
    seconds = time.process_time() - started
    print(
        f"{batches} batches, {errors} ERROR, {warnings} WARN, {alarms['pages held']} pages held, {seconds:.0f} CPU-s"
    )


def _print_twins(looks: Sequence[Look], names: Sequence[str]) -> list[Quiet]:
    """The table of honest changes."""
    print("\n| honest change | first refresh | second | third | checks that fail |")
    print("|---|---|---|---|---|")
    quiets = []
    for look, twin, quiet in measured_twins(looks, names, _TWIN_DAYS, 1):
        quiets.append(quiet)
        cells = " | ".join(map(str, quiet.refreshes))
        failed = ", ".join(sorted(quiet.checks))
        healed = " (healed)" if quiet.healed else ""
        print(f"| {look}: {twin.words}{healed} | {cells} | {failed} |", flush=True)
    for line in twins_summary(quiets):
        print(line)
    return quiets


def shop_days(
    seed: int, pages: int, days: int
) -> Iterator[tuple[int, str, BatchJudgement]]:
    """Every batch of every day of a product family."""
    shop = Shop(seed=seed, size=pages * 17 // 20)
    site = Site(shop)
    gone: set[str] = set()
    for day in range(days):
        if day:
            _night(shop, day, pages, gone)
        past = list(site.history)  # the batches of a refresh do not teach each other
        for key, products in shop.batches():
            outcomes = [
                site.outcome(product)
                if product.url not in gone
                else site.outcome(product).model_copy(
                    update={"verdict": Verdict.GONE, "extraction": None, "values": ()}
                )
                for product in products
            ]
            judgement = judge_batch(SCHEMA, FAMILY, outcomes, past, batch=key)
            site.publish(outcomes, judgement.stats, judgement.held)
            yield day, key, judgement


def _night(shop: Shop, day: int, pages: int, gone: set[str]) -> None:
    everything = range(len(shop.products))
    if 8 <= day <= 11:
        shop.day(frozenset(everything[::3]), 0.2)
    elif 18 <= day <= 19:
        shop.day(frozenset(everything), 0.5)
    elif day == 24:
        shop.day(frozenset(everything[::4]), flat="9.99")
    else:
        shop.day()
    if day == 12:
        for product in shop.products:
            product.values["image"] = product.values["image"].replace(
                "shop.example/img", "cdn.example/shop/v2"
            )
    if day == 15:
        shop.grow(pages * 3 // 20, "Garden", 180)
    if day == 21:
        for product in shop.products:
            product.values["stock"] = 100
    gone.update(shop.rng.choice(shop.products).url for _ in range(3))


def shelf_days(seed: int, days: int) -> Iterator[tuple[int, str, BatchJudgement]]:
    """The listing of a shop, day by day."""
    rows = shelf.Shelf(seed=seed)
    for day in range(days):
        if day:
            rows.day()
        outcomes = rows.outcomes()
        judgement = judge_batch(
            shelf.SCHEMA, shelf.FAMILY, outcomes, rows.history, batch="000001"
        )
        rows.publish(outcomes, judgement.stats)
        yield day, "listing", judgement


if __name__ == "__main__":
    main()
