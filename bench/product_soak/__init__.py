"""The whole product under fire: `python -m bench.product_soak --seconds 600 --seed 1`.

A shop with three families on loopback, crawled by two Dagster daemons that somebody
started by mistake. Every half minute a process is killed; the clock jumps by two hours
and back; a family file is broken and mended; the shop is redesigned and its prices move.
In the end every wave was carried out once, every row is right by value and there once,
and nothing is stuck.
"""
