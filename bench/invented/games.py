"""Lists of results of two sports."""

from datetime import date, timedelta
from random import Random
from typing import Literal

from pydantic import BaseModel

from bench.invented.site import Shown, Site, day, drawn, grouped, month, shell, words


class MatchRow(BaseModel):
    """English: two teams in one cell, a score, a choice in other words."""

    home: str
    away: str
    home_goals: int
    away_goals: int
    kickoff: date
    status: Literal["played", "postponed"]


def _match(chance: Random, number: int) -> tuple[MatchRow, str]:
    one = MatchRow(
        home=f"{words(chance, 1)} {number} FC",
        away=f"{words(chance, 1)} United",
        home_goals=chance.randint(0, 5),
        away_goals=chance.randint(0, 5),
        kickoff=date(2025, 8, 1) + timedelta(days=chance.randint(0, 200)),
        status=chance.choice(["played", "postponed"]),
    )
    row = (
        f"<tr><td>{one.kickoff:%d.%m.%Y}</td><td>{one.home} – {one.away}</td><td>"
        f"<b>{one.home_goals}:{one.away_goals}</b></td><td>{'Final' if one.status == 'played' else 'Off'}"
        "</td></tr>"
    )
    return one, row


def _matches(chance: Random, number: int) -> Shown:
    records, rows = drawn(_match, chance, number)
    return Shown(
        f"http://liga.example/m?page={number}",
        shell(
            "Liga",
            f"Matches {number}",
            '<h1>Matches</h1><table class="m"><tr><th>Date</th><th>Match</th><th>Score</th><th>Status'
            f"</th></tr>{''.join(rows)}</table>",
        ),
        records,
    )


class RoundRow(BaseModel):
    """Swedish: a result, or the time at which it begins in its place."""

    code: str
    home: str
    guests: str
    played: date
    goals_home: int | None = None
    goals_guests: int | None = None
    crowd: int | None = None


def _round(chance: Random, number: int) -> tuple[RoundRow, str]:
    goals = [chance.randint(18, 35), chance.randint(18, 35)]
    is_over = chance.random() < 0.7
    home, guests = goals if is_over else (None, None)
    one = RoundRow(
        code=f"M{number}",
        home=f"{words(chance, 1)} IK",
        guests=f"{words(chance, 1)} HF",
        played=day(chance, 2025),
        goals_home=home,
        goals_guests=guests,
        crowd=chance.randint(300, 9000) if is_over else None,
    )
    crowd = f"<i>{grouped(one.crowd, ' ')} åskådare</i>" if is_over else ""
    result = f"{home} – {guests}" if is_over else f"kl. {chance.randint(15, 20)}:30"
    when = f"{one.played.day} {month(one.played, 'sv')} {one.played.year}"
    row = (
        f'<section class="game"><a href="/m/{number}">{one.code}</a><p><b>{one.home}</b> <em>{result}</em> '
        f"<b>{one.guests}</b></p><small>{when}</small>{crowd}</section>"
    )
    return one, row


def _rounds(chance: Random, number: int) -> Shown:
    records, rows = drawn(_round, chance, number)
    return Shown(
        f"http://handboll.example/m?page={number}",
        shell(
            "Handboll",
            f"Matcher {number}",
            f'<h1>Matcher</h1><div class="games">{"".join(rows)}</div>',
            language="sv",
        ),
        records,
    )


SITES = (
    Site("matches", MatchRow, _matches, "listing"),
    Site("rounds", RoundRow, _rounds, "listing"),
)
