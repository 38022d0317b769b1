"""`crawloop contract`: what a family promises, and whether its rows keep it."""

import typer

from crawloop_assets.cli.options import AsJson, FamilyName, opened, output, print_json


def contract_command(family: FamilyName, as_json: AsJson = False) -> None:
    """What a family promises to those who read its rows, and what the rows show; exit code
    1 if it does not hold.

    Example: crawloop contract shop/product
    """
    from crawloop_assets.desk.answers import contract_answer

    project, store = opened()
    answer = contract_answer(store, project.family(family))
    if as_json:
        print_json(answer)
    else:
        lines = [f"- {line}" for line in answer.promises]
        lines += [f"rows: {answer.figures.rows}, fresh: {answer.figures.fresh}"]
        lines += [f"broken: {line}" for line in answer.broken] or ["It holds."]
        output().print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)
    if answer.broken:
        raise typer.Exit(1)
