"""What is published of readers that are wrong in one way each.

python -m bench.wrong_readers [--only WORD]

Through a scripted endpoint, a real store and real workers: batches of eight pages of
made-up offers, in six cases; of each every page is read wrongly, and then every fourth.
A value that is left out is no wrong one. The first line is a right reader.
"""

import argparse
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.serve.market import CASES, Case, opened
from tests.serve.wrong_readers import WRONG, Fate, Reader, fate


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="Readers with this in their name.")
    asked = parser.parse_args()
    readers = {name: one for name, one in WRONG.items() if asked.only in name}
    print("| reader |", " | ".join(CASES), "|")
    print("|---" * (len(CASES) + 1), end="|\n")
    with TemporaryDirectory() as folder:
        world = Path(folder) / "world"
        opened(world)
        right = [fate(world, case, lambda truth, _at: truth) for case in CASES.values()]
        cells = [
            f"{one.published_right} of {len(case.numbers)}"
            for one, case in zip(right, CASES.values(), strict=True)
        ]
        print("| *right rows of a right reader* |", " | ".join(cells), "|", flush=True)
        totals = [0] * len(CASES)
        read = [0] * len(CASES)
        for name, reader in readers.items():
            found = [_both(world, case, reader) for case in CASES.values()]
            print(f"| {name} |", " | ".join(map(_cell, found)), "|", flush=True)
            for at, fates in enumerate(found):
                totals[at] += sum(map(attrgetter("published_wrong"), fates))
                read[at] += sum(map(attrgetter("wrong"), fates))
    print(
        "| *wrong rows published, of pages read wrongly* |",
        " | ".join(f"{bad} of {of}" for bad, of in zip(totals, read, strict=True)),
        "|",
    )


def _both(world: Path, case: Case, reader: Reader) -> tuple[Fate, Fate]:
    """On every page, and on every fourth."""
    return fate(world, case, reader), fate(world, case, reader, every=4)


def _cell(fates: tuple[Fate, Fate]) -> str:
    """Wrong rows, and right ones where most pages were read right."""
    every, single = fates
    return f"{every.published_wrong}, {single.published_wrong}"


if __name__ == "__main__":
    main()
