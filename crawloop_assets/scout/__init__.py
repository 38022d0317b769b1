"""What a site's pages hold, found from their structure alone: no example, no model, no
I/O. See docs/scout.md."""
