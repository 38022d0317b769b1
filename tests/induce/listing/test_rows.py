"""Which rows are records, and values a page shows only in part."""

import datetime as dt
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from pydantic import AnyUrl, BaseModel

from crawloop_assets.crawler.extraction import Example, ExtractedRecord
from crawloop_assets.crawler.interpreter import run
from crawloop_assets.crawler.program import BoundaryMode, Program
from crawloop_assets.document.document import Document
from crawloop_assets.induce.listing.occurrences import Occurrences
from crawloop_assets.page import Page
from crawloop_assets.schema import schema_of
from tests.induce.listing.build import induce_listing

BASE = "https://court.example/decisions/recent"
NAMES = (
    "Ames v. Birch",
    "Cole v. Dunn",
    "Ellis v. Frost",
    "Gray v. Hale",
    "Irwin v. Jones",
    "Kerr v. Lowe",
    "Moss v. Nash",
)


class Decision(BaseModel):
    name: str | None = None
    filed: dt.date | None = None
    url: AnyUrl | None = None
    docket: str | None = None
    judge: str | None = None


SCHEMA = schema_of(Decision)


def learned(body: str, known: Sequence[dict[str, Any]]) -> Program:
    found = induce_listing(
        SCHEMA, [paged(body)], [Example(page=0, records=tuple(known))]
    )
    assert found, "no program"
    return found[0].program


def paged(body: str) -> Page:
    html = f"<html><body>{body}</body></html>"
    return Page(
        url=BASE,
        body=html.encode(),
        headers={"content-type": "text/html; charset=utf-8"},
    )


def records(body: str, known: Sequence[dict[str, Any]]) -> tuple[ExtractedRecord, ...]:
    return run(learned(body, known), Document(paged(body))).records


def values(body: str, known: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [record.values for record in records(body, known)]


def pdf(at: int) -> str:
    return f"https://court.example/files/{310 + 7 * at}.pdf"


def test_a_row_without_the_document_does_not_take_another_link_for_it() -> None:
    gold = [
        {"name": name, "url": pdf(at), "docket": f"S{100 + at}"}
        for at, name in enumerate(NAMES)
    ]
    rows = [
        f"<tr><td><a class='file' href='{r['url']}'>open</a></td><td><a href='/case/{at}'>{r['docket']}</a></td>"
        f"<td>{r['name']}</td></tr>"
        for at, r in enumerate(gold)
    ]
    rows.insert(
        5,
        "<tr><td></td><td><a href='/case/99'>S199</a></td><td>Order without an opinion</td></tr>",
    )
    assert values(f"<table>{''.join(rows)}</table>", gold[:5]) == gold


def test_an_entry_that_leads_nowhere_is_no_record() -> None:
    gold = [{"url": pdf(at), "docket": f"KP-{100 + at}"} for at in range(7)]
    options = "".join(
        f"<option value='/files/{r['url'][-7:]}'>{r['docket']}</option>" for r in gold
    )
    assert (
        values(
            f"<select><option value='#'>Select one</option>{options}</select>", gold[:5]
        )
        == gold
    )


def test_a_row_with_one_of_the_fields_every_record_has_is_no_record() -> None:
    gold = [
        {"name": name, "url": pdf(at), "docket": f"56{at}2"}
        for at, name in enumerate(NAMES)
    ]
    body = "".join(
        f"<p><a class='doc' href='{r['url']}'>{r['docket']} - {r['name']}</a></p>"
        for r in gold
    )
    prose = "<p>Nothing is filed today.</p>" * 6
    reader = "<p>Opinions need <a class='doc' href='https://reader.example/get'>a reader</a>.</p>"
    shown = values(f"{prose}{reader}{body}{prose}", gold[:5])
    assert shown == gold


def test_links_that_end_alike_are_told_apart() -> None:
    gold = [
        {
            "name": name,
            "filed": "2018-02-21",
            "url": f"https://court.example/cases/{500 + at}/embed/Opinion",
            "docket": f"17-0{310 + at}",
        }
        for at, name in enumerate(NAMES)
    ]
    body = "".join(
        f"<h3><a href='/case/{r['docket']}'>Case No. {r['docket']}: <em>{r['name']}</em></a></h3><p>Feb 21, 2018</p>"
        f"<p><img src='pdf.svg'><a href='/cases/{r['url'].split('/')[4]}/embed/Opinion'>View No. {r['docket']}</a></p>"
        for r in gold
    )
    known = [gold[3], gold[1], gold[5], gold[2], gold[4]]
    assert (
        len(
            Occurrences(Document(paged(body))).places(
                SCHEMA.field("url"), gold[2]["url"]
            )
        )
        == 1
    )
    program = learned(f"<div>{body}</div>", known)
    assert program.record is not None
    assert program.record.mode is BoundaryMode.RUN
    assert [
        record.values
        for record in run(program, Document(paged(f"<div>{body}</div>"))).records
    ] == gold


def test_a_value_cut_out_of_the_header_above_a_group() -> None:
    judges = ("CLARK, J.", "KNOLL, J.", "HUGHES, J.")
    gold = [
        {"name": name, "url": pdf(at), "judge": judges[at // 3]}
        for at, name in enumerate(NAMES)
    ]
    parts = []
    for at, r in enumerate(gold):
        parts += [f"<p><u>BY {r['judge']}:</u></p>"] if at % 3 == 0 else []
        parts.append(
            f"<p><a href='{r['url']}'>{r['name']}</a></p><p>Affirmed, see {at} reasons.</p>"
        )
    assert values(f"<blockquote>{''.join(parts)}</blockquote>", gold[:5]) == gold


def test_a_date_in_words_of_a_court_above_all_records() -> None:
    gold = [
        {"name": name, "url": pdf(at), "filed": "2018-06-27"}
        for at, name in enumerate(NAMES)
    ]
    body = "".join(f"<li><a href='{r['url']}'>{r['name']}</a></li>" for r in gold)
    assert (
        values(
            f"<p>Handed down on the 27th day of June, 2018:</p><ul>{body}</ul>",
            gold[:5],
        )
        == gold
    )


def test_the_date_a_record_shows_outweighs_the_one_in_its_link() -> None:
    def row(at: int, shown: int, linked: int) -> str:
        return (
            f"<tr><td><a href='/files/2024/03/{linked:02}/{NAMES[at][:4]}.pdf'>{NAMES[at]}</a></td>"
            f"<td>Argued January 5, 2024</td><td>March {shown}, 2024</td></tr>"
        )

    days = [(at, 3 + at, 3 + at) for at in range(5)] + [(5, 11, 12), (6, 14, 15)]
    gold = [
        {"name": NAMES[at], "filed": f"2024-03-{shown:02}"} for at, shown, _ in days
    ]
    shown = values(f"<table>{''.join(row(*day) for day in days)}</table>", gold[:5])
    assert [one["filed"] for one in shown] == [one["filed"] for one in gold]


def test_words_the_page_does_not_show_are_added_and_never_vouched_for() -> None:
    debtors = (
        "Ann Ames",
        "Bo Birch",
        "Cy Cole",
        "Di Dunn",
        "Ed Ellis",
        "Flo Frost",
        "Guy Gray",
    )
    gold = [
        {"name": f"In re: {debtor}", "url": pdf(at)}
        for at, debtor in enumerate(debtors)
    ]
    rows = "".join(
        f"<tr><td class='who'><a href='{r['url']}'>{debtor.upper()}</a></td><td>Unpublished</td></tr>"
        for debtor, r in zip(debtors, gold, strict=True)
    )
    found = records(f"<table>{rows}</table>", gold[:5])
    assert [str(one.values["name"]).casefold() for one in found] == [
        r["name"].casefold() for r in gold
    ]
    assert {one.votes["name"].live_readers for one in found} == {1}
    assert all(one.votes["url"].live_readers >= 2 for one in found)


def test_numbers_that_are_alike_so_far_are_no_words_to_add() -> None:
    dockets = ("23-101", "23-404", "23-512", "23-733", "23-808", "22-901", "22-950")
    gold = [
        {"name": f"Attorney General Opinion {docket}", "url": pdf(at)}
        for at, docket in enumerate(dockets)
    ]
    rows = "".join(
        f"<tr><td>{docket}</td><td><a href='{r['url']}'>read</a></td></tr>"
        for docket, r in zip(dockets, gold, strict=True)
    )
    assert values(f"<table>{rows}</table>", gold[:5]) == gold


def test_a_number_of_another_form_than_the_known_ones_is_not_vouched_for() -> None:
    dockets = [f"{7013 - at} S-{15712 + 37 * at}" for at in range(7)]
    shown = [*dockets[:5], f"{dockets[5]}, 349 P3d 1076", dockets[6]]
    known = [{"docket": docket, "url": pdf(at)} for at, docket in enumerate(dockets)][
        :5
    ]
    rows = "".join(
        f"<tr><td class='docket'>{text}</td><td><a href='{pdf(at)}'>read</a></td></tr>"
        for at, text in enumerate(shown)
    )
    votes = [
        record.votes["docket"] for record in records(f"<table>{rows}</table>", known)
    ]
    assert [vote.agreement >= 0.8 and vote.live_readers > 1 for vote in votes] == [
        True
    ] * 5 + [False, True]


def test_programs_do_not_depend_on_the_hash_seed() -> None:
    script = (
        "import json, sys\n"
        "from tests.induce.listing.test_rows import NAMES, learned, pdf\n"
        "gold = [{'name': name, 'url': pdf(at), 'docket': f'S{100 + at}'} for at, name in enumerate(NAMES)]\n"
        "rows = ''.join(f\"<tr class='r x y'><td class='a b'><a class='c d' href='{r['url']}'>open</a></td>\"\n"
        "    f\"<td><a href='/case/{r['docket']}'>{r['docket']}</a></td><td>{r['name']}</td></tr>\" for r in gold)\n"
        "print(learned(f'<table>{rows}</table>', gold[:5]).to_json())"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(made) == 1


def test_another_list_of_the_page_that_is_made_otherwise_is_left_out() -> None:
    gold = [
        {"name": name, "url": pdf(at), "filed": f"2024-03-{10 + at}"}
        for at, name in enumerate(NAMES)
    ]
    recent = "".join(
        f"<tr><td><a href='{r['url']}'>{r['name']}</a></td><td><span>2024 App {at}</span></td>"
        f"<td><span>{r['filed']}</span></td></tr>"
        for at, r in enumerate(gold)
    )
    older = "".join(
        f"<tr class='old'><td><div>2023-{1 + at % 9:02}-{10 + at % 18}</div></td><td><div><b>{at}</b></div></td>"
        f"<td><div><a href='/old/{at}.pdf'><em>In re</em> "
        f"{chr(65 + at % 26)}. {at}, filed 2023-01-{10 + at % 18}</a></div></td></tr>"
        for at in range(60)
    )
    body = f"<div><table class='recent'>{recent}</table></div><div><table class='archive'>{older}</table></div>"
    assert values(body, gold[:4]) == gold
