"""Reports that people wrote by hand, in zines and mails: headings, marks, orders, charts."""
