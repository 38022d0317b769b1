"""The commands of everything a person can do, made of the one table of verbs: what a
verb is told becomes arguments and options."""

import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Annotated, Any

import typer

from crawloop_assets.cli.options import (
    AsJson,
    open_store,
    output,
    person,
    print_json,
    print_trouble,
)
from crawloop_assets.desk.verbs import Verb, verb_named

if TYPE_CHECKING:
    from crawloop_assets.desk.acts import Done
    from crawloop_assets.project import Project

PersonsCommand = Callable[..., None]
"""What typer makes a command of."""


_SAID: dict[str, Any] = {
    "family": "shop/product",
    "version": 3,
    "ids": ["3f2a9c"],
    "lesson": "8d41e0",
    "host": "shop.example",
    "field": "price",
    "value": "12.50",
    "until": "2027-01-31",
}
"""What is said in examples, by the name of it."""


def verb_command(name: str) -> PersonsCommand:
    """The command of a verb: what is typed becomes what a person says."""
    verb = verb_named(name)

    def command(as_json: bool = False, **said: Any) -> None:
        from crawloop_assets.desk.acts import perform
        from crawloop_assets.desk.desk import Desk

        said["who"] = person(said["who"])
        given = {name: value for name, value in said.items() if value is not None}
        # The brakes have to work whatever state the store is in.
        project, store = open_store(check=not verb.is_brake)
        done = perform(verb, Desk(project, store), verb.word(**given))
        _tell_dagster(project, done, said["who"])
        if as_json:
            print_json(done)
            return
        _print(done)

    parameters = [*_parameters(verb), _AS_JSON]
    command.__name__ = f"{name}_command"
    command.__doc__ = f"{verb.says}\n\nExample: {_example(verb)}"
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


_AS_JSON = inspect.Parameter(
    "as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=AsJson
)


def _example(verb: Verb) -> str:
    """Its command line as it may be typed; of the options that are needed, and a value."""
    needed = [one.name for one in fields(verb.word) if one.default is MISSING]
    names = dict.fromkeys((*verb.positional(), *needed))
    if "field" in names:
        names["value"] = None
    return verb.command({name: _SAID[name] for name in names})


def _parameters(verb: Verb) -> Iterator[inspect.Parameter]:
    """Arguments first, then options, as typer reads them."""
    declared = {one.name: one for one in fields(verb.word)}
    first = verb.positional()
    for name in [*first, *(name for name in declared if name not in first)]:
        yield _parameter(declared[name])


def _parameter(one: "Field[Any]") -> inspect.Parameter:
    """One of them."""
    made = typer.Argument if one.metadata["positional"] else typer.Option
    default = inspect.Parameter.empty if one.default is MISSING else one.default
    kind: Any = one.type
    if default == ():
        kind, default = list[str] | None, None
    return inspect.Parameter(
        one.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[kind, made(help=one.metadata["says"])],
    )


def _print(done: "Done") -> None:
    """What was done, and the details if there are any."""
    from rich.markdown import Markdown

    console = output()
    console.print(done.sentence, highlight=False, markup=False, soft_wrap=True)
    if done.details:
        console.print(Markdown(done.details))


def _tell_dagster(project: "Project", done: "Done", who: str) -> None:
    """Let the history of the crawler asset show another version, in projects that
    Dagster has been used in; what was decided counts without."""
    from crawloop_assets.cli.trouble import trouble_of

    if done.active is None or not (project.root / "dagster.yaml").exists():
        return
    from crawloop_assets.pipeline.verbs import tell_dagster

    try:
        tell_dagster(project, done, who)
    except Exception as error:
        trouble = trouble_of(error)
        if trouble is None:
            raise
        print_trouble(trouble)
