"""Sites that nobody has: pages made by chance, with what each of them states."""

from bench.invented import boards, entries, goods, notices, tables, wares

SITES = (
    *(*notices.SITES, *entries.SITES, *wares.SITES, *tables.SITES),
    *(*goods.SITES, *boards.SITES),
)
"""Those of the last two modules were written before anybody looked how they are read."""
