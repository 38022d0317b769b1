"""Real redesigns, replayed: captured pages served as their own hosts on the loopback
interface."""
