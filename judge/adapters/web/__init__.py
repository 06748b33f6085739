"""The desk's web pages and the metrics page."""
