"""What `pip-audit` found, in one line and one for each hole; the status is 1 if there is one.

With `--is-answered` nothing is printed: 1 if the advisory database did not answer.
"""

import json
import sys
from pathlib import Path

NOBODY = "dependency audit: not run, the advisory database cannot be reached"


def main(file: Path, is_question: bool) -> int:
    """The exit status."""
    report = json.loads(file.read_text()) if file.exists() else {"dependencies": []}
    looked_at = [one for one in report["dependencies"] if "skip_reason" not in one]
    if is_question:
        return int(not looked_at)
    if not looked_at:
        print(NOBODY)
        return 0
    holes = [(one, hole) for one in looked_at for hole in one["vulns"]]
    left = len(report["dependencies"]) - len(looked_at)
    print(
        f"dependency audit: {len(looked_at)} packages looked at, {left} not known there, "
        f"{len(holes)} known holes"
    )
    for one, hole in holes:
        mended = ", ".join(hole["fix_versions"]) or "no version yet"
        print(f"  {one['name']} {one['version']}: {hole['id']}, mended in {mended}")
    return int(bool(holes))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), "--is-answered" in sys.argv))
