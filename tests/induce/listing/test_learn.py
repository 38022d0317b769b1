import datetime as dt
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic import AnyUrl, BaseModel

from crawloop_assets.crawler.extraction import Example
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import BoundaryMode, FamilyKind
from crawloop_assets.document.document import Document
from crawloop_assets.induce.compile import compile_program
from crawloop_assets.induce.healing.listing import HealedListing, heal_listing
from crawloop_assets.page import Page
from crawloop_assets.schema import FieldSpec, RecordSchema, schema_of
from tests.induce.listing.build import induce_listing

BASE = "https://court.example/list?page=2"


class Ruling(BaseModel):
    name: str
    filed: dt.date
    url: AnyUrl | None = None
    docket: str | None = None


SCHEMA = schema_of(Ruling)


def page(body: str, kind: str = "text/html", url: str = BASE) -> Page:
    return Page(
        url=url, body=body.encode(), headers={"content-type": f"{kind}; charset=utf-8"}
    )


def rulings(n: int) -> list[dict[str, Any]]:
    names = [
        "Ames",
        "Birch",
        "Cole",
        "Dunn",
        "Ellis",
        "Frost",
        "Gray",
        "Hale",
        "Irwin",
        "Jones",
    ]
    return [
        {
            "name": f"{names[at]} v. {names[-at - 1]} & Sons",
            "filed": f"2024-0{1 + at // 3}-1{at}",
            "url": f"https://court.example/opinions/{700 + 13 * at}.pdf",
            "docket": f"{20 + at}-CV-{1000 + 37 * at}",
        }
        for at in range(n)
    ]


def spoken(iso: str) -> str:
    year, month, day = iso.split("-")
    return f"{['January', 'February', 'March', 'April'][int(month) - 1]} {int(day)}, {year}"


def extracted(
    body: str, known: Sequence[dict[str, Any]], kind: str = "text/html"
) -> list[dict[str, Any]]:
    one = page(body, kind)
    found = induce_listing(SCHEMA, [one], [Example(page=0, records=tuple(known))])
    assert found, "no program"
    return [record.values for record in run(found[0].program, Document(one)).records]


def table(rows: Sequence[dict[str, Any]]) -> str:
    cells = "".join(
        f"<tr class='{'odd' if at % 2 else 'even'}'><td>{r['docket']}</td><td><a href='/opinions/{r['url'][-7:]}'>"
        f"{r['name']}</a></td><td>{spoken(r['filed'])}</td></tr>"
        for at, r in enumerate(rows)
    )
    head = "<tr><th>No.</th><th><a href='?sort=name'>Name</a></th><th>Filed</th></tr>"
    menu = "<ul><li><a href='/'>Home</a></li><li><a href='/about'>About the court</a></li></ul>"
    return f"<html><body>{menu}<table>{head}{cells}</table><a class='pager-next' href='?page=3'>Next »</a></body></html>"


def test_rows_of_a_table_without_its_header_and_the_menu() -> None:
    gold = rulings(9)
    assert extracted(table(gold), gold[:3]) == gold


def test_one_example_is_enough_for_a_plain_table() -> None:
    gold = rulings(9)
    assert extracted(table(gold), gold[4:5]) == gold


def test_known_rows_are_taken_from_the_whole_page() -> None:
    """The matches that are still to come stand at its end, each with a dash."""
    gold = [{"name": f"Team {at}", "docket": f"{at % 5}:{at % 3}"} for at in range(30)]
    gold += [{"name": f"Team {at}"} for at in range(30, 60)]
    rows = (
        f"<p><b>{one['name']}</b><i>{one.get('docket', '–')}</i></p>" for one in gold
    )
    name, docket = (FieldSpec(name=one, volatile=one == "docket") for one in gold[0])
    schema = RecordSchema(name="Match", fields=(name, docket))
    one = page(f"<main>{''.join(rows)}</main>")
    found = induce_listing(schema, [one], [Example(page=0, records=tuple(gold))])
    read = [record.values for record in run(found[0].program, Document(one)).records]
    assert read == gold


def test_examples_in_any_order() -> None:
    gold = rulings(9)
    assert extracted(table(gold), [gold[7], gold[0], gold[5]]) == gold


def test_a_date_in_the_header_above_a_group_belongs_to_the_rows_below() -> None:
    gold = rulings(9)
    for at, one in enumerate(gold):
        one["filed"] = f"2024-0{1 + at // 3}-15"
    parts = []
    for at, r in enumerate(gold):
        if at % 3 == 0:
            parts.append(f"<h3>Opinions of {spoken(r['filed'])}</h3><ul>")
        parts.append(f"<li><a href='{r['url']}'>{r['name']}</a> ({r['docket']})</li>")
        if at % 3 == 2:
            parts.append("</ul>")
    assert (
        extracted(f"<html><body><div>{''.join(parts)}</div></body></html>", gold[:5])
        == gold
    )


def test_records_that_spread_over_sibling_rows() -> None:
    gold = rulings(8)
    rows = "".join(
        f"<tr><td colspan='2'><b><a href='{r['url']}'>{r['name']}</a></b></td></tr>"
        f"<tr><td>{r['docket']}</td><td>{spoken(r['filed'])}</td></tr>"
        for r in gold
    )
    assert (
        extracted(f"<html><body><table>{rows}</table></body></html>", gold[:4]) == gold
    )


def test_records_in_a_definition_list() -> None:
    gold = rulings(8)
    rows = "".join(
        f"<dt><a href='{r['url']}'>{r['name']}</a></dt><dd>{r['docket']}</dd><dd>{spoken(r['filed'])}</dd>"
        for r in gold
    )
    assert extracted(f"<html><body><dl>{rows}</dl></body></html>", gold[:4]) == gold


def test_values_inside_one_line_of_text() -> None:
    gold = rulings(8)
    rows = "".join(
        f"<p><a href='{r['url']}'>{r['name']} (No. {r['docket']}) ({spoken(r['filed'])})</a></p>"
        for r in gold
    )
    assert (
        extracted(f"<html><body><div id='main'>{rows}</div></body></html>", gold[:5])
        == gold
    )


def test_tables_inside_layout_tables() -> None:
    gold = rulings(8)
    rows = "".join(
        f"<tr><td>{r['docket']}</td><td><a href='{r['url']}'>{r['name']}</a></td><td>{spoken(r['filed'])}</td></tr>"
        for r in gold
    )
    body = f"<html><body><table><tr><td>menu</td><td><table>{rows}</table></td></tr></table></body></html>"
    assert extracted(body, gold[:4]) == gold


def test_an_array_in_a_json_body() -> None:
    gold = rulings(8)
    items = [
        {
            "case": {"title": r["name"], "no": r["docket"]},
            "pdf": r["url"],
            "on": r["filed"],
        }
        for r in gold
    ]
    assert (
        extracted(
            json.dumps({"meta": {"n": 8}, "items": items}), gold[:2], "application/json"
        )
        == gold
    )


def test_an_array_in_a_script() -> None:
    gold = rulings(8)
    items = [
        {"label": f"{r['docket']} • {r['name']}", "pdf": r["url"], "on": r["filed"]}
        for r in gold
    ]
    body = f"<html><body><div id='app'></div><script>var data = {json.dumps(items)};</script></body></html>"
    assert extracted(body, gold[:4]) == gold


def test_a_url_made_of_a_number_the_record_shows() -> None:
    gold = rulings(8)
    for one in gold:
        one["url"] = f"https://media.example/audio/{one['docket']}.mp3"
    rows = "".join(
        f"<li><b>{r['docket']}</b> <i>{r['name']}</i> <u>{r['filed']}</u></li>"
        for r in gold
    )
    assert extracted(f"<html><body><ol>{rows}</ol></body></html>", gold[:4]) == gold


def test_the_next_page_is_read() -> None:
    gold = rulings(9)
    one = page(table(gold))
    program = induce_listing(SCHEMA, [one], [Example(page=0, records=tuple(gold[:3]))])[
        0
    ].program
    assert run(program, Document(one)).next_url == "https://court.example/list?page=3"


def test_records_that_are_not_on_the_page_give_no_program() -> None:
    one = page("<html><body><p>Nothing was published this week.</p></body></html>")
    assert (
        induce_listing(SCHEMA, [one], [Example(page=0, records=tuple(rulings(3)))])
        == []
    )


def test_a_program_works_on_the_next_page_of_the_listing() -> None:
    gold = rulings(10)
    first, second = page(table(gold[:6])), page(table(gold[6:]))
    program = induce_listing(
        SCHEMA, [first], [Example(page=0, records=tuple(gold[:3]))]
    )[0].program
    assert [record.values for record in run(program, Document(second)).records] == gold[
        6:
    ]


def test_runs_are_only_used_where_single_elements_do_not_hold_a_record() -> None:
    gold = rulings(9)
    program = induce_listing(
        SCHEMA, [page(table(gold))], [Example(page=0, records=tuple(gold[:3]))]
    )[0].program
    assert program.record is not None
    assert program.record.mode is BoundaryMode.NODES


_HASH = """
import sys
sys.path.insert(0, ".")
from tests.induce.listing.test_learn import *
gold = rulings(9)
terms = "".join(f"<dt>{r['name']}</dt><dd>{r['docket']} {r['filed']}</dd>" for r in gold)
for body in (table(gold), f"<dl>{terms}</dl>"):
    for one in induce_listing(SCHEMA, [page(body)], [Example(page=0, records=tuple(gold[:4]))]):
        print(one.program.sha256, one.score)
"""


@pytest.mark.parametrize("seeds", [("1", "2")])
def test_programs_do_not_depend_on_the_hash_seed(seeds: tuple[str, str]) -> None:
    outputs = {
        subprocess.run(
            [sys.executable, "-c", _HASH],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in seeds
    }
    assert len(outputs) == 1
    assert len(outputs.pop().splitlines()) > 2


# -- without known values ---------------------------------------------------------------------------------------------


def cards(rows: Sequence[dict[str, Any]]) -> str:
    """The records of `table` after a redesign."""
    items = "".join(
        f"<article class='card'><header class='case'><a href='{r['url']}'>{r['name']}</a></header>"
        f"<p class='meta'><span>{r['docket']}</span> <time>{spoken(r['filed'])}</time></p></article>"
        for r in rows
    )
    menu = "".join(
        f"<li><a href='/section/{n}'>Section number {n}</a></li>" for n in range(9)
    )
    return f"<html><body><nav><ul>{menu}</ul></nav><main>{items}</main></body></html>"


def heal(body: str, known: Sequence[dict[str, Any]]) -> HealedListing:
    old = induce_listing(
        SCHEMA, [page(table(known))], [Example(page=0, records=tuple(known[:5]))]
    )[0].program
    return heal_listing(
        SCHEMA, old, [Document(page(body))], [Example(page=0, records=tuple(known))]
    )


def test_a_listing_that_still_reads_is_kept() -> None:
    gold = rulings(10)
    healed = heal(table(gold[5:]), gold[:5])
    assert healed.program is None
    assert healed.kept == {"name", "filed", "url", "docket"}


def test_known_records_are_found_again_in_the_new_design() -> None:
    gold = rulings(9)
    healed = heal(cards(gold), gold[:6])
    assert healed.program is not None
    assert healed.kept == frozenset()
    assert [
        record.values
        for record in run(healed.program, Document(page(cards(gold)))).records
    ] == gold


def test_records_nobody_knows_are_guessed_from_what_earlier_ones_looked_like_and_held_back_where_unsure() -> (
    None
):
    gold = rulings(10)
    body = cards(gold[5:])
    healed = heal(body, gold[:5])
    assert healed.program is not None
    found = run(healed.program, Document(page(body))).records
    assert [record.values for record in found] == gold[5:]
    unsure = {"name", "filed", "url", "docket"} - healed.fields
    assert all(
        record.votes[name].live_readers == 1 for record in found for name in unsure
    )


@pytest.mark.parametrize(
    "body",
    ["", "<h1>Not found</h1>", "<ul><li>a</li><li>b</li><li>c</li></ul>", cards([])],
)
def test_pages_without_records_heal_nothing(body: str) -> None:
    healed = heal(f"<html><body>{body}</body></html>", rulings(6))
    assert healed.program is None
    assert healed.fields == frozenset()


def test_without_examples_repetition_and_the_words_of_the_schema_give_a_program() -> (
    None
):
    gold = rulings(9)
    rows = "".join(
        f"<tr><td class='docket'>{r['docket']}</td><td class='case-name'><a href='{r['url']}'>{r['name']}</a></td>"
        f"<td class='filed'>{spoken(r['filed'])}</td></tr>"
        for r in gold
    )
    one = page(f"<html><body><table>{rows}</table></body></html>")
    compiled = compile_program(SCHEMA, [one], [], FamilyKind.LISTING)
    assert compiled.program is not None
    assert [
        record.values for record in run(compiled.program, Document(one)).records
    ] == gold


def test_without_examples_a_page_that_names_nothing_gives_none() -> None:
    one = page(
        "<html><body><ul><li>red</li><li>green</li><li>blue</li></ul></body></html>"
    )
    assert compile_program(SCHEMA, [one], [], FamilyKind.LISTING).program is None


def test_json_records_under_several_keys_are_one_listing() -> None:
    gold = rulings(8)
    items = [
        {"title": r["name"], "no": r["docket"], "pdf": r["url"], "on": r["filed"]}
        for r in gold
    ]
    others = [
        {**item, "title": f"Tax {at}", "no": f"T-{at}"} for at, item in enumerate(items)
    ]
    body = json.dumps(
        {
            "tax": others,
            "courts": {"first": items[:5], "tax": others, "second, third": items[5:]},
        }
    )
    assert extracted(body, [gold[0], gold[1], gold[6]], "application/json") == gold
    assert extracted(body, gold[:2], "application/json") == gold[:5], (
        "no example shows that the others belong to it"
    )
