"""The benchmark behind `crawloop eval`: how well programs compile, read listings and
heal on a folder of real pages."""
