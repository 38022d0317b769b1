"""A record in the data of its page, or of an API, that is elsewhere in it and what it was: an envelope
around it is another path to each of its values.

Known values that do not move say which object it is now. What moves is under its old key there: without
that every price that is another one by now would have to be asked for.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter, itemgetter
from posixpath import commonpath, dirname

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.program import FieldProgram, Program, Reader, Source
from crawloop_assets.document.document import Document
from crawloop_assets.values.text import letters

_FEWEST = 2
"""Fields of a record whose known values say which object of the data it is."""
_SHORTEST = 3
"""Letters and digits of a value that is found by no chance."""


def with_moved_object(
    program: Program, documents: Sequence[Document], known: Sequence[Example]
) -> Program:
    """The program of pages of one record that reads what moves, and is gone from its data, where the
    same keys are now, in the object that holds most of the known values; as it is where nothing
    is, or these are too few. Known values find all that does not move."""
    leaves = frozenset(chain.from_iterable(map(attrgetter("leaves"), documents)))
    every = set(_paths(program.fields))
    moving = set(_paths(filter(attrgetter("spec.volatile"), program.fields)))
    before, lost = _object_of(every), sorted(moving - leaves)
    objects = _objects(program, documents, known) if lost and before else ()
    tails = [path.removeprefix(before) for path in lost]
    under = partial(_under, lost, tails, leaves)
    now = max(map(under, objects), key=len, default={})
    moved = partial(_moved, now)
    return program.model_copy(update={"fields": tuple(map(moved, program.fields))})


def _paths(fields: Iterable[FieldProgram]) -> Iterator[str]:
    """The paths of data that fields are read from."""
    readers = chain.from_iterable(map(attrgetter("readers"), fields))
    return map(attrgetter("at"), filter(_is_of_data, readers))


def _is_of_data(reader: Reader) -> bool:
    """Whether a reader follows a path of data."""
    return reader.src is Source.JSON


def _object_of(paths: Collection[str]) -> str:
    """The path of the object that some paths lead into; "" where there is only one of them:
    which part of it is the record's nobody can say."""
    parents = [dirname(path.replace(".", "/")) for path in paths]
    return commonpath(parents).replace("/", ".") if len(parents) >= _FEWEST else ""


def _objects(
    program: Program, documents: Sequence[Document], known: Sequence[Example]
) -> list[str]:
    """The paths of the objects that hold most of the known values, several of each record."""
    names = [one.spec.name for one in program.fields if not one.spec.volatile]
    having = list(filter(attrgetter("records"), known))
    holding = map(partial(_holding, documents, names), having)
    holders = Counter(chain.from_iterable(holding))
    most = max(holders.values(), default=0)
    is_enough = most >= _FEWEST * len(having)
    first = sorted(path for path in holders if holders[path] == most)
    return first if is_enough else []


def _holding(
    documents: Sequence[Document], names: Collection[str], known: Example
) -> Iterator[str]:
    """The paths of the objects of a page that have a known value under a key of theirs, once
    for each field; not of those in lists, which are other records."""
    document, record = documents[known.page], known.records[0]
    wanted = {
        letters(str(record.get(name))): name for name in filter(record.get, names)
    }
    said = chain.from_iterable(map(_said, document.leaves.items()))
    shown = {(parent, wanted[form]) for parent, form in said if form in wanted}
    return map(itemgetter(0), shown)


def _said(leaf: tuple[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """The object of the values of a path with the form of each that may tell it."""
    parent, _, _ = leaf[0].rpartition(".")
    forms = map(letters, leaf[1]) if "[" not in parent else ()
    return ((parent, form) for form in forms if len(form) >= _SHORTEST)


def _under(
    lost: Sequence[str], tails: Sequence[str], leaves: Collection[str], parent: str
) -> dict[str, str]:
    """What of some paths is under its old keys in an object: the path before and now."""
    now = map(parent.__add__, tails)
    return {old: new for old, new in zip(lost, now, strict=True) if new in leaves}


def _moved(now: Mapping[str, str], field: FieldProgram) -> FieldProgram:
    """A field with its readers of data where that is now."""
    readers = tuple(map(partial(_moved_reader, now), field.readers))
    return field.model_copy(update={"readers": readers})


def _moved_reader(now: Mapping[str, str], reader: Reader) -> Reader:
    """A reader of data where that is now; any other as it is."""
    return reader.model_copy(update={"at": now.get(reader.at, reader.at)})
