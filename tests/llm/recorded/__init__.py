"""What a strong reader answered to every kind of prompt, over pages of our own, and what has to come of it.

`pages/` are the pages, `kinds.py` says what is asked about them and what is right, `answers/` has a tape for each kind.
A prompt that is changed is read anew with one command: see `__main__.py`.
"""
