"""The report as one compact table."""

from rich.table import Table

from crawloop_assets.eval.report import RateTree

_EXTRACTION = ("compile", "compile_k2", "compile_k3", "zero_examples")
_HEALING = ("heal", "heal_blind", "alignable")


def report_table(tree: RateTree, title: str) -> Table:
    """One row per group and scope; empty groups are left out."""
    table = Table(
        title=title, title_justify="left", header_style="bold", pad_edge=False
    )
    for name in ("scope", "group", "right", "wrong", "none", "gate", "more", "n"):
        table.add_column(
            name, justify="left" if name in ("scope", "group", "more") else "right"
        )
    for scope, part in [("all", tree), *tree["by_schema"].items()]:
        _add_scope(table, scope, part)
        table.add_section()
    return table


def _add_scope(table: Table, scope: str, part: RateTree) -> None:
    for name in _EXTRACTION:
        group = part[name]
        if group["n"]["fields"]:
            outcomes = [_pct(group[key]) for key in ("right", "wrong", "none")]
            table.add_row(scope, name, *outcomes, _gate(group), "", _n(group))
    for name in _HEALING:
        group = part[name]
        if group["n"]["fields"]:
            policy = [_pct(group["policy"][key]) for key in ("right", "wrong", "none")]
            before = group["do_nothing"]
            more = f"was {_pct(before['right'])}/{_pct(before['wrong'])} recovered {_pct(group['broken_recovered'])}"
            gate = f"wrong {_pct(group['published_wrong'])}"
            table.add_row(scope, name, *policy, gate, more, _n(group))
    listing, drift = part["listing"], part["drift"]
    if listing["n"]["fields"]:
        cells = [_pct(listing[f"cells_{key}"]) for key in ("right", "wrong", "none")]
        more = f"count exact {_pct(listing['count_exact'])} grounded {_pct(listing['cells_right_grounded'])}"
        table.add_row(scope, "listing", *cells, _gate(listing), more, _n(listing))
    if any(drift["n"].values()):
        plain = drift["plain_rule"]
        rates = f"recall {_pct(drift['recall'])} (plain {_pct(plain['recall'])})"
        rates += (
            f" silent {_pct(drift['silent_recall'])} ({_pct(plain['silent_recall'])})"
        )
        rates += f" false {_pct(drift['false_alarms'])} ({_pct(plain['false_alarms'])})"
        more = f"{rates} lost refused {_pct(drift['lost_refused'])}"
        n = drift["n"]
        pages = f"{n['broken_pages']}b {n['silent_pages']}s {n['unchanged_right_pages']}u {n['lost_pages']}l"
        table.add_row(scope, "drift", "", "", "", "", more, pages)
    if scope == "all":
        times = (
            f"{name} {spread['median']}/{spread['p90']}"
            for name, spread in part["speed"].items()
        )
        table.add_row(scope, "speed", "", "", "", "", " ".join(times), "")


def _pct(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f}"


def _gate(group: RateTree) -> str:
    return f"{_pct(group['gate']['precision'])} on {_pct(group['gate']['coverage'])}"


def _n(group: RateTree) -> str:
    return f"{group['n']['families']}f {group['n']['fields']}"
