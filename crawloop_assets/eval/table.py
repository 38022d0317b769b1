"""The report as one compact table."""

from collections.abc import Callable, Mapping

from rich.table import Table

from crawloop_assets.eval.report import RateTree


def report_table(tree: RateTree, title: str) -> Table:
    """One row per group and scope; empty groups are left out."""
    table = Table(
        title=title, title_justify="left", header_style="bold", pad_edge=False
    )
    table.add_column("scope")
    table.add_column("group")
    for name in ("right", "wrong", "none", "gate"):
        table.add_column(name, justify="right")
    table.add_column("more")
    table.add_column("n", justify="right")
    for scope, part in [("all", tree), *tree["by_schema"].items()]:
        _add_scope(table, scope, part)
        table.add_section()
    return table


def _add_scope(table: Table, scope: str, part: RateTree) -> None:
    """The rows of all groups of a scope that have anything to rate."""
    for name, cells_of in _CELLS.items():
        if part[name]["n"]["fields"]:
            table.add_row(scope, name, *cells_of(part[name]))
    if any(part["drift"]["n"].values()):
        table.add_row(scope, "drift", *_drift_cells(part["drift"]))
    if scope == "all":
        table.add_row(scope, "speed", *_speed_cells(part["speed"]))


def _extraction_cells(group: RateTree) -> tuple[str, ...]:
    """How programs do that are only run."""
    return (
        _pct(group["right"]),
        _pct(group["wrong"]),
        _pct(group["none"]),
        _gate(group),
        f"right {_between(group['right_interval'])} F1 {_pct(group['f1'])} precision {_pct(group['precision'])}",
        _n(group),
    )


def _healing_cells(group: RateTree) -> tuple[str, ...]:
    """How healed programs do, and beside it what was right and wrong without healing;
    behind the gate only what would be published wrong."""
    policy, before = group["policy"], group["do_nothing"]
    was = f"was {_pct(before['right'])}/{_pct(before['wrong'])}"
    return (
        _pct(policy["right"]),
        _pct(policy["wrong"]),
        _pct(policy["none"]),
        f"wrong {_pct(group['published_wrong'])}",
        f"{was} recovered {_pct(group['broken_recovered'])} right {_between(group['policy_right_interval'])}",
        _n(group),
    )


def _listing_cells(group: RateTree) -> tuple[str, ...]:
    """How the cells of listings are read, and how often their count is exact."""
    exact = f"count exact {_pct(group['count_exact'])}"
    return (
        _pct(group["cells_right"]),
        _pct(group["cells_wrong"]),
        _pct(group["cells_none"]),
        _gate(group),
        f"{exact} grounded {_pct(group['cells_right_grounded'])}",
        _n(group),
    )


def _drift_cells(group: RateTree) -> tuple[str, ...]:
    """How often drift was noticed, in brackets by the plain rule; how many right
    pages of a new layout are held, and served in part. Of pages: broken, silent,
    unchanged and right, lost."""
    plain, n = group["plain_rule"], group["n"]
    rates = (
        f"recall {_pct(group['recall'])} (plain {_pct(plain['recall'])})",
        f"silent {_pct(group['silent_recall'])} ({_pct(plain['silent_recall'])})",
        f"false {_pct(group['false_alarms'])} ({_pct(plain['false_alarms'])})",
        f"right held {_pct(group['redesigned_right_held'])}",
        f"in part {_pct(group['redesigned_right_in_part'])}",
        f"lost refused {_pct(group['lost_refused'])}",
    )
    pages = (
        f"{n['broken_pages']}b",
        f"{n['silent_pages']}s",
        f"{n['unchanged_right_pages']}u",
        f"{n['lost_pages']}l",
    )
    return ("", "", "", "", " ".join(rates), " ".join(pages))


def _speed_cells(speed: RateTree) -> tuple[str, ...]:
    """Median and 90th percentile of each step, in milliseconds."""
    times = []
    for name, spread in speed.items():
        times.append(f"{name} {spread['median']}/{spread['p90']}")
    return ("", "", "", "", " ".join(times), "")


_CELLS: Mapping[str, Callable[[RateTree], tuple[str, ...]]] = {
    "compile": _extraction_cells,
    "compile_k2": _extraction_cells,
    "compile_k3": _extraction_cells,
    "zero_examples": _extraction_cells,
    "heal": _healing_cells,
    "heal_blind": _healing_cells,
    "alignable": _healing_cells,
    "heal_templates": _healing_cells,
    "listing": _listing_cells,
}
"""What is written of each group that rates fields, in the order of the rows."""


def _pct(rate: float | None) -> str:
    """A rate in percent, "-" where there was nothing to rate."""
    return "-" if rate is None else f"{100 * rate:.1f}"


def _between(interval: tuple[float, float] | None) -> str:
    """An interval in percent, "-" of fewer than two families."""
    return f"{_pct(interval[0])} to {_pct(interval[1])}" if interval else "-"


def _gate(group: RateTree) -> str:
    """Precision behind the gate, and how much passes it."""
    return f"{_pct(group['gate']['precision'])} on {_pct(group['gate']['coverage'])}"


def _n(group: RateTree) -> str:
    """What the rates stand on: families and fields."""
    return f"{group['n']['families']}f {group['n']['fields']}"
