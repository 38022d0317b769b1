"""The table at the end, and whether it is as it has to be."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from statistics import fmean

from bench.adversary.control import CONTROL
from bench.adversary.costs import Cost
from bench.adversary.doors import Plan, Row
from bench.adversary.judge import Offence, Wrong
from bench.adversary.outcome import Outcome

WORST = Cost(cpu_s=30.0, wall_s=75.0)
"""Seconds that one page may cost, whatever is in it: a worker's deadline for each of the
two versions that are tried, and the deadline of one request, with what is around them."""
_SHOWN = 12
_LINE = "{:<20} {:<34} {:>6} {:>8} {:>6} {:>9} {:>10} {:>7}"
_COSTS = "{:<27} {:>6} {:>9} {:>9} {:>10} {:>9}"
_UNKNOWN = "(not told apart)"


def shown(tried: Plan, found: Sequence[Wrong], outcome: Outcome, lost: int) -> int:
    """Prints it all; 1 if anything is not as it has to be."""
    _print_doors(tried, found)
    _print_costs(tried, outcome)
    failures = [*_unseen(tried, found), *_ways_through(tried, found)]
    failures += _hurt(outcome, lost)
    failures += _too_dear(tried, outcome)
    for failure in failures:
        print(f"FAILED: {failure}")
    verdict = f"{len(failures)} failures" if failures else "nothing got through"
    print(verdict, flush=True)
    return 1 if failures else 0


def _print_doors(tried: Plan, found: Sequence[Wrong]) -> None:
    """A row for each door and kind."""
    names = ("look-ups", "forbidden", "closed")
    print(_LINE.format("door", "kind", "tried", "control", "hits", *names))
    product, control = _counted(tried, found, of_control=False), _control(tried, found)
    sizes = Counter(tried.rows.values())
    for row in dict.fromkeys([*sizes, *product]):
        cells = [product[row][offence] for offence in Offence]
        line = _LINE.format(row.door, row.kind, sizes[row], control[row], *cells)
        print(line)


def _control(tried: Plan, found: Sequence[Wrong]) -> Counter[Row]:
    """What the witnesses have seen of the control, by row."""
    counts = _counted(tried, found, of_control=True)
    return Counter({row: sum(many.values()) for row, many in counts.items()})


def _counted(
    tried: Plan, found: Sequence[Wrong], *, of_control: bool
) -> Mapping[Row, Counter[Offence]]:
    """Offences by row, of the control or of the product."""
    table: Mapping[Row, Counter[Offence]] = defaultdict(Counter)
    for wrong in found:
        if (wrong.seen.phase == CONTROL) is of_control:
            unknown = Row(wrong.seen.phase, _UNKNOWN)
            table[tried.rows.get(wrong.token, unknown)][wrong.offence] += 1
    return table


def _print_costs(tried: Plan, outcome: Outcome) -> None:
    """Honest rows, what pages cost, and what is left."""
    rows = outcome.rows
    print(
        f"\nhonest rows: {rows.right} right, {len(rows.wrong)} wrong, {len(rows.missing)} missing, "
        f"{rows.doubled} doubled, beside {len(tried.world.hostile)} hostile pages\n"
    )
    heads = ("CPU worst", "mean", "wall worst", "mean")
    print(_COSTS.format("hostile pages", "pages", *heads))
    by_harm: Mapping[str, list[Cost]] = defaultdict(list)
    for url, cost in outcome.costs.items():
        if url in tried.alone:
            by_harm[tried.alone[url].harm.value].append(cost)
    for harm, costs in by_harm.items():
        print(_COSTS.format(harm, len(costs), *_worst_and_mean(costs)))
    for name, cost in outcome.mean.items():
        mean = ("", f"{cost.cpu_s:.2f}", "", f"{cost.wall_s:.2f}")
        print(_COSTS.format(name, "", *mean))
    print(f"\nleftovers: {len(outcome.left)}")


def _worst_and_mean(costs: Sequence[Cost]) -> list[str]:
    cpu, wall = (
        list(map(attrgetter("cpu_s"), costs)),
        list(map(attrgetter("wall_s"), costs)),
    )
    numbers = (max(cpu), fmean(cpu), max(wall), fmean(wall))
    return [f"{number:.2f}" for number in numbers]


def _unseen(tried: Plan, found: Sequence[Wrong]) -> Iterable[str]:
    """Doors of which the control was not seen: what cannot fail proves nothing."""
    seen = set(map(attrgetter("door"), _control(tried, found)))
    for door in set(map(attrgetter("door"), tried.rows.values())) - seen:
        yield f"{door}: nothing of the control was seen, so that this proves nothing"


def _ways_through(tried: Plan, found: Sequence[Wrong]) -> Iterable[str]:
    """What got through, with the trick that it was."""
    through = [wrong for wrong in found if wrong.seen.phase != CONTROL]
    for wrong in through[:_SHOWN]:
        seen, bait = wrong.seen, tried.baits.get(wrong.token)
        what = f"{seen.method} {seen.where}:{seen.port} {seen.target}"
        yield f"{seen.phase}: {wrong.offence}: {what}, of {bait and bait.url!r}"
    if len(through) > _SHOWN:
        yield f"and {len(through) - _SHOWN} more"


def _hurt(outcome: Outcome, lost: int) -> Iterable[str]:
    """What the run has lost, spoiled or left."""
    rows = outcome.rows
    checks: Mapping[str, Callable[[], object]] = {
        f"honest rows are wrong: {rows.wrong[:_SHOWN]}": lambda: rows.wrong,
        f"honest rows are missing: {rows.missing[:_SHOWN]}": lambda: rows.missing,
        f"honest rows are doubled: {rows.doubled}": lambda: rows.doubled,
        f"left behind: {outcome.left[:_SHOWN]}": lambda: outcome.left,
        f"jobs failed: {outcome.failed}": lambda: outcome.failed,
        f"{lost} packets were not looked at": lambda: lost,
    }
    return (text for text, is_wrong in checks.items() if is_wrong())


def _too_dear(tried: Plan, outcome: Outcome) -> Iterable[str]:
    """Pages that cost more than any page may."""
    for url, cost in outcome.costs.items():
        if cost.cpu_s > WORST.cpu_s or cost.wall_s > WORST.wall_s:
            what = tried.alone[url]
            yield f"{what.harm}, {what.name}: {cost.cpu_s:.1f} CPU s, {cost.wall_s:.1f} s"
