import gc

# Dagster, its definitions and all that they lead to are a million objects that stay. To
# look for garbage after every 700 new ones is a fifth of a start, and an eighth of a run.
gc.set_threshold(50_000, *gc.get_threshold()[1:])
