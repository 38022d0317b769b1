"""Crawlers written as code: what they may say, what they get to see, and who runs
them."""
