"""`crawloop code`: a crawler that somebody wrote, proved before it counts."""

from pathlib import Path
from typing import Annotated

import typer

from crawloop_assets.cli.options import AsJson, opened, output, person, print_json


def code_command(
    family: Annotated[str, typer.Argument(help="A family's name.")],
    file: Annotated[Path, typer.Argument(help="Its code: crawl(html, url).")],
    who: Annotated[str, typer.Option(help="Who wrote it; default: who you are.")] = "",
    as_json: AsJson = False,
) -> None:
    """Prove the code of a crawler on the stored pages of a family, and promote it if it
    passes; for what no program can read. The family has to allow it (`heal: {code:
    true}`), and it runs on Linux alone. Exit code 1 if it was not proved.

    Example: crawloop code shop/product product_crawler.txt
    """
    from crawloop_assets.heal.coded import Coded, allow_code
    from crawloop_assets.heal.job import sample_for_code
    from crawloop_assets.heal.refusal import failure
    from crawloop_assets.heal.regenerate import RegenerationOutcome, Regenerator
    from crawloop_assets.roles import permit
    from crawloop_assets.sandbox import WorkerPool

    project, store = opened()
    declared = project.family(family)
    permit(project, store, person(who), "code", family)
    allow_code(declared)
    code = file.read_text(encoding="utf-8")
    with WorkerPool() as pool:
        coded = Coded(Regenerator(declared, store, pool, run_id="code"))
        made = coded.propose(code, sample_for_code(declared, store), person(who))
    said = f"v{made.version} {made.outcome.value}: {made.reason}"
    if made.outcome is RegenerationOutcome.REJECTED:
        said = str(failure(made))
    if as_json:
        is_active = made.outcome is RegenerationOutcome.PROMOTED
        active = made.version if is_active else None
        answer = {"sentence": said, "details": "", "family": family, "active": active}
        print_json(answer)
    else:
        output().print(said, highlight=False, markup=False, soft_wrap=True)
    raise typer.Exit(int(made.version is None))
