"""The desk of the person who is part of it: what waits there, what can be done about
it, and who is told."""
