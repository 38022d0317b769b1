"""Known urls: what a url is called, whose it is, where more come from and when each is
due."""
