"""`crawloop notify`: telling people by hand, and whether they can be reached."""

from typing import Annotated

import typer

from crawloop_assets.cli.options import AsJson, opened_to_change, output, print_json

_NOTHING = {
    True: "nothing new to tell",
    False: "there is nobody to tell: no notify.yaml beside domains.yaml names receivers",
}
"""Whether there are receivers -> why nobody was told anything."""


def notify_command(
    test: Annotated[
        bool, typer.Option("--test", help="Send everybody a word of greeting.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Tell the receivers of notify.yaml what is new, once each, as the sensor
    `tell_people` does; exit code 1 if somebody cannot be reached.

    Example: crawloop notify --test
    """
    from crawloop_assets.desk.receivers import load_receivers
    from crawloop_assets.desk.telling import tell, try_receivers

    project, store = opened_to_change()
    done = try_receivers(project) if test else tell(project, store)
    if as_json:
        print_json({"sent": done.sent, "trouble": done.trouble})
        raise typer.Exit(int(bool(done.trouble)))
    console = output()
    there_are = bool(load_receivers(project).receivers)
    lines = [*done.sent, *done.trouble] or [_NOTHING[there_are]]
    console.print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)
    if done.trouble:
        raise typer.Exit(1)
