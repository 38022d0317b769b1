"""Everything the demo shop can do wrong, on its real pages: what the checks say and
what would be published untrue.

python -m bench.drift_demo [--pages 100] [--days 8]

A program is compiled from four pages and reads the others day after day while prices
change. Prints a Markdown table.
"""

import argparse

from crawloop_assets.demo.site.changes import VALUE_BREAKS, Break, Layout, Only
from tests.drift.demo import Demo

NOT_OF_PRODUCTS = (Break.EMPTY,)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--days", type=int, default=8)
    args = parser.parse_args()
    demo = Demo(size=args.pages, step=max(1, 300 // args.pages))
    alarms = 0
    for _ in range(args.days):
        outcomes, judgement = demo.refresh()
        alarms += sum(not check.passed for check in judgement.checks)
        demo.keep(outcomes, judgement)
        demo.shop.change_prices(0.2)
    print(f"{len(demo.urls)} pages, {args.days} healthy days: {alarms} alarms\n")
    print(
        "| what happens | share of pages | drift | pages held | untrue values published | checks that fail |"
    )
    print("|---|---|---|---|---|---|")
    for kind in Break:
        for share in (1.0, 0.3, 0.05) if kind in VALUE_BREAKS else (1.0,):
            if kind not in NOT_OF_PRODUCTS:
                demo.shop.break_(kind, Only(share=share))
                _row(demo, kind.value, share)
                demo.shop.mend()
    for layout in (Layout.B, Layout.C):
        for share in (1.0, 0.3):
            demo.shop.redesign(layout, Only(share=share))
            _row(demo, f"redesign {layout.value}", share)
            demo.shop.redesign(Layout.A)


def _row(demo: Demo, what: str, share: float) -> None:
    outcomes, judgement = demo.refresh()
    held = len(outcomes) if judgement.hold_all else len(judgement.held)
    untrue = len(demo.wrong_rows(outcomes, judgement))
    failed = ", ".join(
        f"{check.name}{'' if check.is_drift else ' (warn)'}"
        for check in judgement.checks
        if not check.passed
    )
    drift = "yes" if judgement.drifted else "no"
    print(
        f"| {what.replace('_', ' ')} | {share:.0%} | {drift} | {held} | {untrue} | {failed} |"
    )


if __name__ == "__main__":
    main()
