"""Drift: what kind of page came back, and whether what was read of it can be true.

Pure: no I/O, no engine. Names come from the modules: what a check is called costs no
start the load of all that is counted.
"""
