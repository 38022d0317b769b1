"""Imported last by the process whose copies the runs of Dagster are, and by no other: it
starts what makes the workers of all of them."""

from crawloop_assets.sandbox.server_maker import keep_maker

keep_maker()
