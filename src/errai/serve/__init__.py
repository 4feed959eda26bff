"""The explorer: a server on this machine, and in `page/` the web page that it serves."""
