"""Attacks on the whole product, judged by what the other side saw: `python -m bench.adversary`."""
