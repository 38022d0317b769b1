"""Writers, readers and every kind of accident on one store: `python -m bench.store_soak`.

Writers commit, promote crawlers and publish; they are killed and begun again as fresh
processes. Meanwhile the schema changes, the disk is full, renames and syncs fail, logs
are cut and files go back to older copies. What was acknowledged is noted outside of the
store, so that an oracle knows every row by value: nothing may be lost, torn, doubled or
wrong, and a reader of the published file may never see less than before.
"""
