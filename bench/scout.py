"""What scout finds with no example and no model: `python -m bench.scout PACK … [--half 1|2|0] [--most N]`.

Of every family with three or more captures of one layout the pages alone are given to
scout; gold is only looked at afterwards. A schema field is *found* if one proposed field
reads its gold value on at least half of the pages that have one, under any name. It is
*named* if a proposed field is called as it is, or by another usual name of the same
thing. Of the cells of named fields those are *confident* that scout shows without a
question mark; their share of all gold cells is the *coverage*, and the share of them that
is right the *precision*. Families are split in two halves by a digest of their name: what
is mended is mended on the first, what is reported is the second.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from itertools import chain, islice, product
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from crawloop_assets.crawler.extraction import ExtractedRecord
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import FamilyKind, Program
from crawloop_assets.document.document import Document
from crawloop_assets.eval.gold import Gold, gold_record
from crawloop_assets.eval.layouts import Unit, layouts
from crawloop_assets.eval.pack import load_pack
from crawloop_assets.eval.plan import units
from crawloop_assets.eval.score import match_rows
from crawloop_assets.eval.tasks import Input
from crawloop_assets.eval.workbench import Workbench
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.schema import FieldSpec, RecordSchema, noted
from crawloop_assets.scout.naming import names_meaning
from crawloop_assets.scout.proposal import Proposal
from crawloop_assets.scout.survey import proposal_for
from crawloop_assets.scout.voices import weighed
from crawloop_assets.values.equality import same
from crawloop_assets.values.parse import parse_value
from crawloop_assets.values.present import present
from crawloop_assets.values.text import letters, tokens
from crawloop_assets.values.value import Value

_FEWEST, _PAGES, _LEARNED = 3, 8, 4
_EXAMPLE_ROWS = 5
_ROUNDS = 3
_FOUND = 0.5
_NO_SCHEMA = frozenset(("Document",))


class Asked(NamedTuple):
    """One layout of one family: what is scouted."""

    folder: Path
    family: str
    model: str
    pages: tuple[str, ...]


class Counted(NamedTuple):
    """What came of it: the schema, and counts by name."""

    family: str
    schema: str
    counts: dict[str, int]
    wrong: tuple[tuple[str, str, str], ...] = ()


class _Row(NamedTuple):
    """A gold record and what was read of it (None for nothing)."""

    gold: Gold
    read: ExtractedRecord | None


def asked_of(folders: Iterable[Path], half: int) -> Iterator[Asked]:
    """The largest layout of each unit that has enough pages, of one half of the
    families (0: all)."""
    for folder in folders:
        for family in load_pack(folder):
            if family.schema_name in _NO_SCHEMA or half not in (
                0,
                half_of(family.family),
            ):
                continue
            for unit in units(family):
                largest = max(layouts(unit), key=len)
                if len(largest) >= _FEWEST:
                    pages = largest[:_PAGES]
                    yield Asked(folder, family.family, unit.model, pages)


def half_of(family: str) -> int:
    """1 or 2, by a digest of the name."""
    return 1 + sha256(family.encode()).digest()[0] % 2


def scouted(asked: Asked) -> Counted:
    """What scout makes of one layout, held against gold."""
    unit = _unit(asked)
    bench = Workbench(asked.folder, unit, Input.AS_IS)
    learned = list(map(bench.page, asked.pages[:_LEARNED]))
    kind = FamilyKind.LISTING if unit.listing else FamilyKind.DETAIL
    proposal = proposal_for(learned, kind)
    program = None
    if proposal is not None:
        proposal, program = _program(proposal, bench, asked.pages)
    rows: list[_Row] = []
    counts: Counter[str] = Counter(families=1, pages=len(asked.pages))
    for name in asked.pages:
        golds = bench.gold(name)
        read = _read(program, bench, name)
        pairs = map(_Row, golds, match_rows_by_value(golds, read))
        rows += pairs
        counts["counted"] += unit.listing and not unit.partial
        counts["count_right"] += (
            unit.listing and not unit.partial and len(read) == len(golds)
        )
    sure = _sure(proposal, bench, asked.pages, rows)
    wrong = _score(rows, sure, bench, proposal, counts)
    return Counted(asked.family, unit.family.schema_name, dict(counts), tuple(wrong))


def _unit(asked: Asked) -> Unit:
    """The unit of an asked layout again."""
    families = {one.family: one for one in load_pack(asked.folder)}
    found = units(families[asked.family])
    return next(unit for unit in found if unit.model == asked.model)


def _program(
    proposal: Proposal, bench: Workbench, names: Sequence[str]
) -> tuple[Proposal, Program | None]:
    """The crawler of a proposal, without the fields that no crawler reads as they
    stand on its pages."""
    pages = list(map(bench.page, names[:_LEARNED]))
    for _ in range(_ROUNDS):
        schema = noted(proposal.schema_named("Scouted"), proposal.notation)
        known = proposal.shown(_EXAMPLE_ROWS)[:_FEWEST]
        compiled = compile_program(schema, pages, known, proposal.kind)
        taught = set(chain.from_iterable(row for one in known for row in one.records))
        unread = {one.field for one in compiled.scores.fields if not one.readers}
        if compiled.program is not None:
            return proposal, compiled.program
        proposal = proposal.without(frozenset(unread & taught))
    return proposal, None


def _read(
    program: Program | None, bench: Workbench, name: str
) -> Sequence[ExtractedRecord]:
    """What a crawler reads on a capture."""
    if program is None:
        return ()
    return run(program, Document(bench.page(name))).records


def match_rows_by_value(
    golds: Sequence[Gold], read: Sequence[ExtractedRecord]
) -> list[ExtractedRecord | None]:
    """For each gold record the row that holds most of its values, under any name."""
    if len(golds) == len(read) == 1:
        return [read[0]]
    named: dict[str, str] = {}
    for name, accepted in chain.from_iterable(map(dict.items, map(dict, golds))):
        named.setdefault(str(accepted[0]), name)
    blind = list(map(partial(_renamed, named), read))
    by_row = dict(zip(map(attrgetter("row"), read), read, strict=True))
    matched = match_rows(golds, blind)
    return [by_row.get(one.row) if one else None for one in matched]


def _renamed(named: Mapping[str, str], record: ExtractedRecord) -> ExtractedRecord:
    """A row with the values that gold has too, under gold's names."""
    values: dict[str, Value] = {}
    for value in record.values.values():
        name = named.get(str(value), "")
        values[name] = value
    values.pop("", None)
    return record.model_copy(update={"values": values})


def _sure(
    proposal: Proposal | None,
    bench: Workbench,
    names: Sequence[str],
    rows: Sequence[_Row],
) -> list[frozenset[str]]:
    """The fields of each row that scout shows without a question mark: of a page of one
    record what enough of the page says, of a listing what its readers agree on."""
    read = [row.read.values if row.read else {} for row in rows]
    if proposal is None or proposal.kind is not FamilyKind.DETAIL:
        return list(map(_agreed, rows))
    pages = list(map(bench.page, names))
    return list(weighed(pages, proposal.schema_named("Scouted"), read))


def _agreed(row: _Row) -> frozenset[str]:
    """The fields of a row whose readers pass the publish gate."""
    votes = row.read.votes if row.read else {}
    return frozenset(name for name, vote in votes.items() if vote.is_certain)


def _score(
    rows: Sequence[_Row],
    sure: Sequence[frozenset[str]],
    bench: Workbench,
    proposal: Proposal | None,
    counts: Counter[str],
) -> Iterator[tuple[str, str, str]]:
    """Counts found fields and named cells; gives the confident cells that are wrong."""
    specs = list(map(attrgetter("spec"), proposal.fields)) if proposal else []
    counts["proposed"] += len(specs)
    wrong: list[tuple[str, str, str]] = []
    for field in bench.schema.fields:
        having = [
            one for one in zip(rows, sure, strict=True) if field.name in one[0].gold
        ]
        if not having:
            continue
        counts["fields"] += 1
        held = [row for row, _ in having]
        counts["found"] += any(_is_found(field, spec, held) for spec in specs)
        named = _named(field, specs)
        counts["named"] += named is not None
        counts["cells"] += len(having)
        if named is not None:
            cells = ((row, named.name in names) for row, names in having)
            wrong += _score_cells(field, named, cells, counts)
    return iter(wrong)


def _is_found(field: FieldSpec, spec: FieldSpec, rows: Sequence[_Row]) -> bool:
    """Whether a proposed field reads the gold of a schema's field on half of the
    rows."""
    right = sum(_is_right(row, field, spec) for row in rows)
    return right >= _FOUND * len(rows)


def _named(field: FieldSpec, specs: Sequence[FieldSpec]) -> FieldSpec | None:
    """The proposed field that is called as a schema's field is, the first of several:
    by its name, an alias, or another name of the same thing."""
    names = names_meaning(field)
    exact = [spec for spec in specs if spec.name == field.name]
    named = [spec for spec in specs if tokens(spec.name) in names]
    return next(iter([*exact, *named]), None)


def _score_cells(
    field: FieldSpec,
    spec: FieldSpec,
    cells: Iterable[tuple[_Row, bool]],
    counts: Counter[str],
) -> Iterator[tuple[str, str, str]]:
    """Counts the cells of a named field, each with whether it is sure; gives the
    confident ones that are wrong."""
    for row, is_sure in cells:
        if row.read is None or row.read.values.get(spec.name) is None:
            continue
        counts["read"] += 1
        right = _is_right(row, field, spec)
        counts["read_right"] += right
        if not is_sure:
            continue
        counts["confident"] += 1
        counts["confident_right"] += right
        if not right:
            got = str(row.read.values[spec.name])[:80]
            yield field.name, str(row.gold[field.name][0])[:80], got


def _is_right(row: _Row, field: FieldSpec, spec: FieldSpec) -> bool:
    """Whether what was read of a row is what gold says: as it is, by the conventions of
    the pack, in the proposed kind, or by its letters in another shape."""
    got = None if row.read is None else row.read.values.get(spec.name)
    if got is None:
        return False
    schema = RecordSchema(name="one", fields=(field,))
    in_pack = gold_record({field.name: got}, schema, "").get(field.name, ())
    accepted = row.gold[field.name]
    pairs = product(accepted, (got, *in_pack))
    typed = present([_as_proposed(one, spec) for one in accepted])
    letters_of = map(_letters_of, accepted)
    return (
        any(same(*pair, field) for pair in pairs)
        or any(same(one, got, spec) for one in typed)
        or _letters_of(got) in letters_of
    )


def _letters_of(value: Value) -> str:
    """The letters of a value, whatever its shape."""
    return letters(" ".join(map(str, value)) if isinstance(value, list) else str(value))


def _as_proposed(gold: Value, spec: FieldSpec) -> Value | None:
    """A gold text in the kind of a proposed field."""
    return parse_value(gold, spec) if isinstance(gold, str) else None


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "-"


def table(results: Sequence[Counted]) -> Iterator[str]:
    """The figures by schema, and of all."""
    by_schema: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in results:
        by_schema[one.schema].update(one.counts)
        by_schema["all"].update(one.counts)
    yield "schema       families pages fields  found  named  coverage precision read-right counts"
    for schema, got in sorted(by_schema.items()):
        yield (
            f"{schema:12} {got['families']:8} {got['pages']:5} {got['fields']:6}  "
            f"{_share(got['found'], got['fields'])}  {_share(got['named'], got['fields'])}  "
            f"{_share(got['confident'], got['cells']):>8} {_share(got['confident_right'], got['confident']):>9} "
            f"{_share(got['read_right'], got['read']):>10} {_share(got['count_right'], got['counted'])}"
        )


def _attempted(asked: Asked) -> Counted:
    """The same; a family on which anything fails counts as one without fields."""
    try:
        return scouted(asked)
    except Exception as error:  # noqa: BLE001 - a defect is counted, not hidden
        print(f"{asked.family}: {type(error).__name__}: {error}", file=sys.stderr)
        return Counted(asked.family, "failed", {"families": 1})


def main() -> int:
    """Print the table; with `--wrong` the confident cells that are wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("packs", type=Path, nargs="+")
    parser.add_argument("--half", type=int, default=2, choices=(0, 1, 2))
    parser.add_argument("--most", type=int, default=10_000)
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    asked = list(islice(asked_of(options.packs, options.half), options.most))
    with ProcessPoolExecutor(2) as pool:
        results = list(pool.map(_attempted, asked))
    print("\n".join(table(results)))
    if options.wrong:
        shown = partial(json.dumps, ensure_ascii=False)
        print(
            "\n".join(
                shown([one.family, *cell]) for one in results for cell in one.wrong
            )
        )
    if options.json:
        options.json.write_text(json.dumps([one._asdict() for one in results]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
