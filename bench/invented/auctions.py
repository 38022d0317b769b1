"""Notices of auctions by a court: values in sentences, two dates and two least bids, WordPress."""

from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Literal

from pydantic import AnyUrl, BaseModel

from bench.invented.site import (
    Shown,
    Site,
    choice,
    day,
    each,
    maybe,
    sentences,
    shell,
    words,
)


class Auction(BaseModel):
    """Portuguese: a court and its district in one text, an hour behind a day, terms in bold."""

    case: str
    title: str
    appraised: Decimal
    first_bid: Decimal
    second_bid: Decimal
    first_day: date
    second_day: date
    hour: str
    court: str
    district: str
    kind: Literal["imóvel", "veículo", "máquina"]
    plate: str | None = None
    auctioneer: str
    fee_percent: int
    debts: Decimal | None = None
    notice: AnyUrl
    status: Literal["open", "closed", "suspended"]


_STATUS = {
    "open": "Aberto para lances",
    "closed": "Encerrado",
    "suspended": "Suspenso",
}
_TERM = "<p><strong>{}:</strong> {}</p>"
_ROUND = (
    '<div class="praca"><h4>{}ª Praça</h4><p class="data">{:%d/%m/%Y} às {}h</p><p>Lance mínimo</p>'
    '<p class="valor">{}</p></div>'
)
_CARD = '<div class="card"><a href="/l/x"><h5>Casa em {}</h5></a><p>R$ 120.000,00</p><p>01/02/2026</p></div>'


def _money(amount: Decimal) -> str:
    written = f"{amount:,.2f}".translate(str.maketrans(",.", ".,"))
    return f"R$ {written}"


def _auction(chance: Random, number: int) -> Auction:
    appraised = Decimal(chance.randint(2_000_000, 90_000_000) * 2) / 100
    first = day(chance, 2026)
    debts = Decimal(chance.randint(100_000, 9_000_000)) / 100
    return Auction(
        case=f"{chance.randint(1000000, 9999999)}-{chance.randint(10, 99)}.2019.8.26.{chance.randint(1000, 9999)}",
        title=f"{chance.choice(['Casa', 'Carro', 'Torno'])} {words(chance)}",
        appraised=appraised,
        first_bid=appraised,
        second_bid=appraised / 2,
        first_day=first,
        second_day=first + timedelta(days=chance.randint(10, 25)),
        hour=f"{chance.randint(10, 16)}:{chance.choice(['00', '30'])}",
        court=f"{chance.randint(1, 9)}ª Vara {chance.choice(['Cível', 'de Família'])}",
        district=chance.choice(["Santos", "Campinas", "Sorocaba", "Ribeirão Preto"]),
        kind=choice(chance, Auction, "kind"),
        plate=maybe(chance, 0.4, f"ABC{chance.randint(1, 9)}D{chance.randint(10, 99)}"),
        auctioneer=words(chance),
        fee_percent=chance.choice([5, 4, 3]),
        debts=maybe(chance, 0.5, debts),
        notice=f"https://files.example/{number}{chance.randint(1000, 9999)}.pdf",
        status=choice(chance, Auction, "status"),
    )


def _auctions(chance: Random, number: int) -> Shown:
    one = _auction(chance, number)
    owed = one.debts and f"Há débitos de {_money(one.debts)}, atualizados em 01/11/2025"
    terms = (
        ("Processo nº", one.case),
        ("Vara", f"{one.court} da Comarca de {one.district}"),
        ("Placa", one.plate),
        ("Avaliação", f"{_money(one.appraised)} (12/06/2025)"),
        ("Débitos", owed),
        ("Comissão do leiloeiro", f"{one.fee_percent}% sobre o valor da arrematação"),
    )
    shown = "".join(_TERM.format(*term) for term in terms if term[1])
    rounds = (
        _ROUND.format(1, one.first_day, one.hour, _money(one.first_bid)),
        _ROUND.format(2, one.second_day, one.hour, _money(one.second_bid)),
    )
    body = (
        f'<div class="elementor"><p id="breadcrumbs"><a href="/">Início</a> » <a href="/c">{one.kind.capitalize()}'
        f'</a> » <span>{one.title}</span></p><h1 class="elementor-heading-title">{one.title}</h1>'
        f'<span class="status">{_STATUS[one.status]}</span><div class="elementor-widget-text-editor">{shown}</div>'
        f'<div class="elementor-widget-text-editor"><p>{sentences(chance, 3)}</p></div>'
        f'<p><a class="elementor-button" href="{one.notice}"><span>Baixar edital</span></a></p>{"".join(rounds)}'
        f'<div class="leiloeiro"><p>Leiloeiro Oficial: {one.auctioneer}</p><p>JUCESP nº 812</p></div></div>'
        f'<section class="related"><h3>Relacionados</h3>{each(_CARD, ["Amber", "Birch"])}</section>'
    )
    title = f"{one.title} - Leilões Judiciais"
    url = f"http://leilao.example/l/{number + 700}"
    return Shown(url, shell("Leilões", title, body, "pt"), (one,))


SITES = (Site("auctions", Auction, _auctions),)
