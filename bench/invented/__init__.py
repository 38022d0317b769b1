"""Sites that nobody has: pages made by chance, with what each of them states."""

from bench.invented import (
    auctions,
    boards,
    crossings,
    entries,
    feeds,
    games,
    goods,
    groups,
    markets,
    notices,
    places,
    services,
    shelves,
    tables,
    wares,
)

SITES = (
    *(*notices.SITES, *entries.SITES, *wares.SITES, *tables.SITES, *games.SITES),
    *(*shelves.SITES, *groups.SITES, *auctions.SITES),
    *(*goods.SITES, *boards.SITES),
    *(*places.SITES, *feeds.SITES, *markets.SITES),
    *(*crossings.SITES, *services.SITES),
)
"""Those of the last seven modules were written before anybody looked how they are read."""
