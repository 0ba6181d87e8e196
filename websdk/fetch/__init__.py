"""The rungs of the page reader. A judged address goes in; bytes come out, then a document."""
